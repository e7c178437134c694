import { createHash } from 'node:crypto';
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { type AnswerSettings, takenSettings } from '../../../common/answers/answerSettings.ts';
import { reasons } from '../../../common/answers/modelFamilies.ts';
import { type ChatRequest, withCallInWords } from '../../chatModel.ts';
import { type OptionalField, type RefusedFields, withExtra } from '../../http/refusedFields.ts';
import type { ProviderModelSettings } from '../../providerModel.ts';
import type { DroppedTool } from '../../toolSchemas/sendableTools.ts';
import { hasPhases } from './capabilities.ts';
import { responsesInput } from './input.ts';
import { responsesTools } from './tools.ts';

/** What of a model's settings a request depends on. */
export type RequestSettings = Pick<
	ProviderModelSettings,
	'model' | 'maxOutputTokens' | 'images' | 'answers' | 'extraBody'
> & { readonly baseUrl: string };

/** What a request can do without, as far as a model does not take it. */
export const optionalFields: readonly OptionalField[] = [
	{ name: 'tool_choice', quiet: true },
	{ name: 'include', words: /\binclude\b|encrypted content/i, quiet: true },
	{ name: 'prompt_cache_key', quiet: true },
	{ name: 'temperature' },
	{ name: 'top_p' },
	{ name: 'parallel_tool_calls' },
	{ name: 'reasoning', words: /\breasoning\b/i },
	{ name: 'service_tier' },
];

/** Digits of a hash that tell conversations apart; the API takes keys of up to 64 characters. */
const cacheKeyDigits = 32;

/**
 * The body of a request, in a fixed order that begins with what changes least, and the tools that it goes without. Nothing is
 * stored at the provider: each request has the whole conversation.
 */
export function responsesBody(
	given: ChatRequest,
	set: RequestSettings,
	thinker: string,
	refused: RefusedFields,
): { readonly body: ResponseCreateParamsStreaming; readonly dropped: readonly DroppedTool[] } {
	const { model, images = false, baseUrl } = set;
	const request = refused.has('tool_choice') ? withCallInWords(given) : given;
	const { maxOutputTokens = set.maxOutputTokens, ...answers } = given.answers ?? {};
	const settings = takenSettings({ protocol: 'responses', model, baseUrl }, { ...set.answers, ...answers });
	const { searchTool } = request;
	const { tools, dropped } = responsesTools(request.tools, searchTool);
	const input = responsesInput(request.messages, { images, phases: hasPhases(model), searchTool, thinker });
	const body: ResponseCreateParamsStreaming = {
		model,
		...(tools.length > 0 && { tools: [...tools] }),
		...(request.system.trim() && { instructions: request.system.toWellFormed() }),
		input: [...input.items],
		...(request.mustCall && tools.length > 0 && { tool_choice: 'required' as const }),
		...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
		...answerFields(settings, tools.length > 0),
		...(reasons(model) && { include: ['reasoning.encrypted_content' as const] }),
		prompt_cache_key: cacheKey(request),
		store: false,
		stream: true,
	};
	return { body: withExtra(refused.without(body), set.extraBody), dropped: [...dropped, ...input.dropped] };
}

/** Settings as the Responses API has them. `parallel_tool_calls` is refused where there are no tools. */
function answerFields(settings: AnswerSettings, withTools: boolean): Partial<ResponseCreateParamsStreaming> {
	const { reasoningEffort, temperature, topP, parallelToolCalls, serviceTier } = settings;
	return {
		...(reasoningEffort !== undefined && { reasoning: { effort: reasoningEffort } }),
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { top_p: topP }),
		...(parallelToolCalls !== undefined && withTools && { parallel_tool_calls: parallelToolCalls }),
		...(serviceTier !== undefined && { service_tier: serviceTier as 'auto' }),
	};
}

/**
 * Sends the requests of one conversation to the machine that has its cache. A key for all conversations would bring a new one to the
 * tools that the last one had cached, but a machine takes about 15 requests a minute for a key and then others get them:
 * a few loops at once, of a user or of an organisation, would throw each other out in mid-conversation, where more is at stake.
 * A conversation's system prompt and first message stay as they are while it lasts.
 */
function cacheKey({ system, messages }: ChatRequest): string {
	const first = messages.find((message) => message.role === 'user')?.text ?? '';
	return createHash('sha256')
		.update(JSON.stringify([system, first]))
		.digest('hex')
		.slice(0, cacheKeyDigits);
}
