import { assertNever } from '../common/assertNever.ts';
import { protocolOf } from '../common/providers.ts';
import type { ChatModel } from './chatModel.ts';
import { type ModelFacts, modelLimits } from './knownLimits.ts';
import type { Endpoint, ProviderModelSettings } from './provider.ts';

/** A model as the configuration describes it. */
export interface ModelSettings extends Omit<ProviderModelSettings, 'maxInputTokens'> {
	/** Which of OpenAI's APIs to use. Default: Responses at OpenAI itself, Chat Completions elsewhere, because few others support Responses. */
	readonly api?: 'chat' | 'responses';
	/** What its endpoint says about it. */
	readonly facts?: ModelFacts;
}

/** The model for an endpoint's protocol. The first model of a protocol loads its adapter. */
export async function createModel(settings: ModelSettings, endpoint: Endpoint): Promise<ChatModel> {
	const { api, facts, ...configured } = settings;
	const { maxInputTokens, maxOutputTokens, images } = modelLimits(
		endpoint.provider,
		configured.model,
		settings,
		facts,
	);
	// A limit of the answer is sent only if the user has set it: OpenRouter requires credit for as many tokens as a request allows.
	const limited = { ...configured, maxInputTokens, images };
	switch (endpoint.provider) {
		case 'anthropic': {
			const { AnthropicModel } = await import('./anthropic/anthropicModel.ts');
			// Its API refuses requests without a limit.
			return new AnthropicModel({ ...limited, maxOutputTokens }, endpoint);
		}
		case 'ollama': {
			const { OllamaModel } = await import('./ollama/ollamaModel.ts');
			// Ollama knows the limits of its models, so only the user's settings override them.
			return new OllamaModel({ ...configured, maxInputTokens }, endpoint);
		}
		case 'openai': {
			if (protocolOf({ ...endpoint, ...(api && { api }) }) === 'responses') {
				const { ResponsesModel } = await import('./openai/responses/responsesModel.ts');
				return new ResponsesModel(limited, endpoint);
			}
			const { ChatCompletionsModel } = await import('./openai/chatCompletions/chatCompletionsModel.ts');
			return new ChatCompletionsModel(limited, endpoint);
		}
		default:
			return assertNever(endpoint.provider);
	}
}
