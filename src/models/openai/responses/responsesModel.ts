import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { gptVersion, isReasoningModel } from '../../../common/answerSettings.ts';
import { defined } from '../../../common/json.ts';
import { isOpenAiUrl } from '../../../common/providers.ts';
import type { Answer } from '../../answer.ts';
import type { ChatRequest } from '../../chatModel.ts';
import { splitAdditions } from '../../nativeLoading.ts';
import { conversationKey } from '../../promptCache.ts';
import type { Endpoint, ProviderModelSettings } from '../../provider.ts';
import { type AcceptedRequest, commonFields, ProviderModel } from '../../providerModel.ts';
import { responsesInput, responsesTools } from './input.ts';
import { ResponsesReader } from './responsesReader.ts';

type Body = ResponseCreateParamsStreaming;

/** Lowest version of GPT with the tool `tool_search` (OpenAI's guide “Tool search”). */
const toolSearchVersion = 5.4;
/** Lowest version of GPT that marks its messages with a phase (reference of `EasyInputMessage.phase`). */
const phaseVersion = 5.3;

/** Whether a model distinguishes what it says between its calls from its answer, and expects that back. */
export function hasPhases(model: string): boolean {
	return gptVersion(model) >= phaseVersion;
}

/** One of OpenAI's own models, through its Responses API: streamed, and with nothing stored there. */
export class ResponsesModel extends ProviderModel<Body> {
	protected readonly path = '/responses';
	/** It knows the tool `tool_search`; others may know only the item `additional_tools`, as Ollama does. */
	readonly #hasToolSearch: boolean;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint) {
		const { model } = settings;
		const version = gptVersion(model);
		// The nano models are refused: “Tool 'tool_search' is not supported with gpt-5.4-nano.”
		const hasSearch = version >= toolSearchVersion && !/-nano(?![a-z])/.test(model);
		super(settings, endpoint, 'responses', {
			// A model that only knows additions has no way of its own without them.
			forms: version > 0 ? ['all', 'searches', 'list'] : ['all', 'list'],
			isNativeKnown: version > 0 ? hasSearch : !isOpenAiUrl(endpoint.baseUrl),
		});
		this.#hasToolSearch = version > 0;
	}

	protected reader(answer: Answer, _: Body, request: ChatRequest): ResponsesReader {
		return new ResponsesReader(this.endpoint, answer, this.thinker, request);
	}

	/** In a fixed order that begins with what changes least. Nothing is stored at the provider: each request contains the whole conversation. */
	protected body(request: AcceptedRequest): Body {
		const { model, images = false } = this.settings;
		const { system, messages, tools, mustCall, answers } = request;
		const { reasoningEffort, parallelToolCalls, maxOutputTokens } = answers;
		const { listedTools, additions } = splitAdditions(request);
		const searchTool = this.#hasToolSearch ? request.searchTool : undefined;
		const input = responsesInput(messages, {
			images,
			phases: hasPhases(model),
			searchTool,
			thinker: this.thinker,
			tools: new Set(tools.map(({ name }) => name)),
			additions,
			addsLoadedTools: request.searchTool !== undefined && !this.#hasToolSearch,
		});
		return {
			model,
			...(listedTools.length > 0 && { tools: responsesTools(listedTools, searchTool) }),
			...(system.trim() && { instructions: system.toWellFormed() }),
			input,
			...(mustCall && tools.length > 0 && { tool_choice: 'required' as const }),
			...defined({
				max_output_tokens: maxOutputTokens,
				reasoning: reasoningEffort && { effort: reasoningEffort },
				// Refused if there are no tools.
				parallel_tool_calls: tools.length > 0 ? parallelToolCalls : undefined,
			}),
			...commonFields(answers),
			...(isReasoningModel(model) && { include: ['reasoning.encrypted_content' as const] }),
			prompt_cache_key: conversationKey(request),
			store: false,
			stream: true,
		};
	}
}
