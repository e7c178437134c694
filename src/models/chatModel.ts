import type { AnswerSettings } from '../common/answerSettings.ts';
import type { TokenPrice, TokenUsage } from '../common/cost.ts';
import type { AnswerPart, ChatMessage, ToolCall } from '../discovery/catalog/message.ts';
import type { Loading } from '../discovery/catalog/policy.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';

/** All that a model is asked in one call. */
export interface ChatRequest {
	readonly system: string;
	readonly messages: readonly ChatMessage[];
	/** In the order they are to be sent. */
	readonly tools: readonly ToolDefinition[];
	/**
	 * Set where tools are to be loaded in the provider's own way (`native`): the one of `tools` whose results carry the definitions
	 * that it has loaded. These are in `messages` only, never in `tools`.
	 */
	readonly searchTool?: string;
	/** The answer is to be a call of one of `tools`, where the provider can be told so. */
	readonly mustCall?: boolean;
	/** How this one answer is to be made, before what is set of the model; what the model does not take is left out. */
	readonly answers?: AnswerSettings & { readonly maxOutputTokens?: number };
}

/** A request that asks for a call in words, for models that cannot be told by the protocol. */
export function withCallInWords({ mustCall, ...request }: ChatRequest): ChatRequest {
	if (!mustCall || request.tools.length === 0) return request;
	const wish = 'Answer with a call of one of the tools, and with nothing else.';
	const last = request.messages.at(-1);
	if (last?.role !== 'user') {
		return { ...request, messages: [...request.messages, { role: 'user', text: '', news: wish }] };
	}
	const news = [last.news, wish].filter(Boolean).join('\n');
	return { ...request, messages: [...request.messages.slice(0, -1), { ...last, news }] };
}

/** What comes back from a model, piece by piece. */
export type ChatModelEvent =
	| AnswerPart
	| { readonly type: 'usage'; readonly usage: TokenUsage }
	/** A call that the user may make by hand, with the values that are known. `name`: the tool's wire name. */
	| { readonly type: 'offer'; readonly name: string; readonly input: ToolCall['input'] }
	/** A sentence for the user that is no part of the answer. */
	| { readonly type: 'notice'; readonly text: string }
	/** A tool that was not sent, because the provider would refuse the whole request for it. `reason`: a sentence. */
	| { readonly type: 'toolDropped'; readonly name: string; readonly reason: string }
	/** The provider asked for patience, or failed in a way that passes; the request is sent again after so long. `reason`: a sentence. */
	| { readonly type: 'retrying'; readonly afterMs: number; readonly reason: string };

/** A model that can hold a conversation and ask for tools; the one interface the tool loop knows. */
export interface ChatModel {
	readonly id: string;
	readonly name: string;
	/** Most tools a request may carry; `undefined`: no limit known. */
	readonly maxTools: number | undefined;
	/** Most tokens of a request; `undefined`: not known. */
	readonly maxInputTokens: number | undefined;
	/** It goes by rules: no language model is asked, so that no request takes or saves tokens. */
	readonly isByRules?: true;
	/** What its tokens cost; absent where nobody has told. */
	readonly price?: TokenPrice | undefined;
	/** Ways in which loaded tools can reach it, the best first. */
	readonly loadings: readonly [Loading, ...Loading[]];
	/** Why a tool would be left out of its requests, as a sentence; `undefined`: it is sent. Absent where nobody knows before. */
	refusalOf?(tool: ToolDefinition): string | undefined;
	/**
	 * Streams one answer; ends early, without an error, when `signal` aborts. Throws a `ModelError` where the provider is one of the configuration, else
	 * what the editor throws. Nothing is sent twice once anything of an answer has arrived.
	 */
	stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatModelEvent>;
}
