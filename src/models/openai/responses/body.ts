import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { type AnswerSettings, gptVersion, reasons, takenSettings } from '../../../common/answerSettings.ts';
import type { Loading } from '../../../discovery/catalog/policy.ts';
import { type ChatRequest, withCallInWords } from '../../chatModel.ts';
import { namesField, type Refusals, type Remedy, withExtra } from '../../http/refusals.ts';
import { conversationKey } from '../../promptCache.ts';
import type { ProviderModelSettings } from '../../provider.ts';
import type { DroppedTool } from '../../schemas/sendableTools.ts';
import type { Thinker } from '../../thinker.ts';
import { responsesInput, responsesTools } from './input.ts';

/** Lowest version of GPT with the tool `tool_search` (OpenAI's guide “Tool search”). */
const toolSearchVersion = 5.4;
/** Lowest version of GPT that marks its messages with a phase (reference of `EasyInputMessage.phase`). */
const phaseVersion = 5.3;

/**
 * How loaded tools can reach a model of the Responses API, the best way first. `isOwn`: it is served at OpenAI's own address. Other servers may
 * not know `tool_search`, so there it is used only if the user insists on `native`.
 */
export function responsesLoadings(model: string, isOwn: boolean): readonly [Loading, ...Loading[]] {
	return isOwn && knowsToolSearch(model) ? ['native', 'append', 'call'] : ['append', 'native', 'call'];
}

/** The nano models are refused: “Tool 'tool_search' is not supported with gpt-5.4-nano.” */
function knowsToolSearch(model: string): boolean {
	return gptVersion(model) >= toolSearchVersion && !/-nano(?![a-z])/.test(model);
}

/** Whether a model distinguishes what it says between its calls from its answer, and expects that back. */
export function hasPhases(model: string): boolean {
	return gptVersion(model) >= phaseVersion;
}

/** The settings of a model that its requests depend on. */
export type RequestSettings = Pick<
	ProviderModelSettings,
	'model' | 'maxOutputTokens' | 'images' | 'answers' | 'extraBody'
> & { readonly baseUrl: string };

/** What a model may refuse, and a request can omit. */
export const remedies: readonly Remedy[] = [
	{ name: 'tool_choice', notice: undefined },
	{ name: 'include', isMeant: namesField('include', /\binclude\b|encrypted content/i), notice: undefined },
	{ name: 'prompt_cache_key', notice: undefined },
	{ name: 'temperature' },
	{ name: 'top_p' },
	{ name: 'parallel_tool_calls' },
	{ name: 'reasoning' },
	{ name: 'service_tier' },
];

/**
 * The body of a request, in a fixed order that begins with what changes least, and the tools that it leaves out. Nothing is stored at the
 * provider: each request contains the whole conversation.
 */
export function responsesBody(
	given: ChatRequest,
	set: RequestSettings,
	thinker: Thinker,
	refused: Refusals,
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
		prompt_cache_key: conversationKey(given),
		store: false,
		stream: true,
	};
	return { body: withExtra(refused.without(body), set.extraBody), dropped: [...dropped, ...input.dropped] };
}

/** Settings as the Responses API takes them. `parallel_tool_calls` is refused if there are no tools. */
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
