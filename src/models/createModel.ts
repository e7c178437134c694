import { assertNever } from '../common/assertNever.ts';
import { defined } from '../common/json.ts';
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
	const { id, name, model, maxOutputTokens, contextTokens, images, api, answers, extraBody } = settings;
	const limits = modelLimits(endpoint.provider, model, settings, settings.facts);
	// A limit of the answer is sent only if the user has set it: OpenRouter requires credit for as many tokens as a request allows.
	const set = {
		id,
		name,
		model,
		maxInputTokens: limits.maxInputTokens,
		images: limits.images,
		...defined({ maxOutputTokens, answers, extraBody }),
	};
	switch (endpoint.provider) {
		case 'anthropic': {
			const { AnthropicModel } = await import('./anthropic/anthropicModel.ts');
			// Its API refuses requests without a limit.
			return new AnthropicModel({ ...set, maxOutputTokens: limits.maxOutputTokens }, endpoint);
		}
		case 'ollama': {
			const { OllamaModel } = await import('./ollama/ollamaModel.ts');
			// Ollama knows the limits of its models, so only the user's settings override them.
			const { images: _, ...others } = set;
			return new OllamaModel({ ...others, ...defined({ contextTokens, images }) }, endpoint);
		}
		case 'openai': {
			if (protocolOf({ ...endpoint, ...(api && { api }) }) === 'responses') {
				const { ResponsesModel } = await import('./openai/responses/responsesModel.ts');
				return new ResponsesModel(set, endpoint);
			}
			const { ChatCompletionsModel } = await import('./openai/chatCompletions/chatCompletionsModel.ts');
			return new ChatCompletionsModel(set, endpoint);
		}
		default:
			return assertNever(endpoint.provider);
	}
}
