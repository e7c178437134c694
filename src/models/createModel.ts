import type { AnswerSettings } from '../common/answerSettings.ts';
import { assertNever } from '../common/assertNever.ts';
import { protocolOf } from '../common/providers.ts';
import type { ChatModel } from './chatModel.ts';
import type { ModelFacts } from './knownLimits.ts';
import { type ConfiguredLimits, modelLimits } from './knownLimits.ts';
import type { Endpoint } from './provider.ts';

/** A model as the configuration describes it. */
export interface ModelSettings extends ConfiguredLimits {
	readonly id: string;
	readonly name: string;
	/** The provider's name for it. */
	readonly model: string;
	/** Which of OpenAI's APIs to use. Default: Responses at OpenAI itself, Chat Completions elsewhere, because few others support Responses. */
	readonly api?: 'chat' | 'responses';
	/** What its endpoint says about it. */
	readonly facts?: ModelFacts;
	readonly answers?: AnswerSettings;
	readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** The model for an endpoint's protocol. The first model of a protocol loads its adapter, and the first request the provider's SDK. */
export async function createModel(settings: ModelSettings, endpoint: Endpoint): Promise<ChatModel> {
	const { id, name, model, maxOutputTokens, api, answers, extraBody } = settings;
	const set = { ...(answers && { answers }), ...(extraBody && { extraBody }) };
	const limits = modelLimits(endpoint.provider, model, settings, settings.facts);
	// Sent only if the user has set it: OpenRouter requires credit for as many tokens as a request allows.
	const output = maxOutputTokens === undefined ? {} : { maxOutputTokens };
	const { maxInputTokens, images } = limits;
	switch (endpoint.provider) {
		case 'anthropic': {
			const { AnthropicModel } = await import('./anthropic/anthropicModel.ts');
			// Its API refuses requests without a limit.
			return new AnthropicModel({ id, name, model, ...limits, ...set }, endpoint);
		}
		case 'ollama': {
			const { OllamaModel } = await import('./ollama/ollamaModel.ts');
			// Ollama knows the limits of its models, so only the user's settings override them.
			const { contextTokens, images } = settings;
			const known = {
				...(contextTokens !== undefined && { contextTokens }),
				...(images !== undefined && { images }),
			};
			return new OllamaModel({ id, name, model, maxInputTokens, ...output, ...known, ...set }, endpoint);
		}
		case 'openai': {
			const given = { id, name, model, maxInputTokens, images, ...output, ...set };
			if (protocolOf({ ...endpoint, ...(api && { api }) }) === 'responses') {
				const { ResponsesModel } = await import('./openai/responses/responsesModel.ts');
				return new ResponsesModel(given, endpoint);
			}
			const { ChatCompletionsModel } = await import('./openai/chatCompletions/chatCompletionsModel.ts');
			return new ChatCompletionsModel(given, endpoint);
		}
		default:
			return assertNever(endpoint.provider);
	}
}
