import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { gptVersion, reasons } from '../../../common/answerSettings.ts';
import { defined } from '../../../common/json.ts';
import { toolsByPlace } from '../../nativeLoading.ts';
import { conversationKey } from '../../promptCache.ts';
import type { ProviderModelSettings } from '../../provider.ts';
import { type AcceptedRequest, commonFields } from '../../providerModel.ts';
import type { Thinker } from '../../thinker.ts';
import { responsesInput, responsesTools } from './input.ts';

/** Lowest version of GPT with the tool `tool_search` (OpenAI's guide “Tool search”). */
const toolSearchVersion = 5.4;
/** Lowest version of GPT that marks its messages with a phase (reference of `EasyInputMessage.phase`). */
const phaseVersion = 5.3;

/** The nano models are refused: “Tool 'tool_search' is not supported with gpt-5.4-nano.” */
export function knowsToolSearch(model: string): boolean {
	return gptVersion(model) >= toolSearchVersion && !/-nano(?![a-z])/.test(model);
}

/** Whether a model distinguishes what it says between its calls from its answer, and expects that back. */
export function hasPhases(model: string): boolean {
	return gptVersion(model) >= phaseVersion;
}

/**
 * The body of a request, in a fixed order that begins with what changes least. Nothing is stored at the
 * provider: each request contains the whole conversation.
 */
export function responsesBody(
	request: AcceptedRequest,
	{ model, images = false }: ProviderModelSettings,
	thinker: Thinker,
	/** It knows the tool `tool_search`; others may know only the item `additional_tools`, as Ollama does. */
	searches: boolean,
): ResponseCreateParamsStreaming {
	const { system, messages, tools, mustCall, answers } = request;
	const { listed, joined } = toolsByPlace(request);
	const searchTool = searches ? request.searchTool : undefined;
	const items = responsesInput(messages, {
		images,
		phases: hasPhases(model),
		searchTool,
		thinker,
		tools: new Set(tools.map(({ name }) => name)),
		joined,
		bringsTools: request.searchTool !== undefined && !searches,
	});
	const { reasoningEffort, parallelToolCalls, maxOutputTokens } = answers;
	return {
		model,
		...(listed.length > 0 && { tools: responsesTools(listed, searchTool) }),
		...(system.trim() && { instructions: system.toWellFormed() }),
		input: items,
		...(mustCall && tools.length > 0 && { tool_choice: 'required' as const }),
		...defined({
			max_output_tokens: maxOutputTokens,
			reasoning: reasoningEffort && { effort: reasoningEffort },
			// Refused if there are no tools.
			parallel_tool_calls: tools.length > 0 ? parallelToolCalls : undefined,
		}),
		...commonFields(answers),
		...(reasons(model) && { include: ['reasoning.encrypted_content' as const] }),
		prompt_cache_key: conversationKey(request),
		store: false,
		stream: true,
	};
}
