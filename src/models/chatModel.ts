import type { AnswerSettings } from '../common/answerSettings.ts';
import type { TokenPrice, TokenUsage } from '../common/cost.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import type { AnswerPart, ChatMessage, ToolCall } from '../discovery/catalog/message.ts';
import type { Loading } from '../discovery/catalog/policy.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';

/** A tool that a search found, and how likely it is meant, from 0 to 1; absent if the ranking tells nothing. */
export interface FoundTool {
	readonly tool: CatalogTool;
	readonly relevance?: number;
	readonly confidence?: number;
}

/** Everything that one request to a model contains. */
export interface ChatRequest {
	readonly system: string;
	readonly messages: readonly ChatMessage[];
	/** Tells the conversation from others that begin with the same words. */
	readonly conversation?: string;
	/**
	 * In the order in which they are sent. With `native`, messages name those that joined after them (`added`): a provider that takes tools in
	 * the middle of a conversation gets them there, so that nothing before them changes.
	 */
	readonly tools: readonly ToolDefinition[];
	/**
	 * Set if tools are loaded in the provider's own way (`native`): the one of `tools` whose results carry the definitions that it loaded.
	 * These definitions are in `messages` only, never in `tools`.
	 */
	readonly searchTool?: string;
	/** What the last search by keywords in this turn found, best first: for rules, which choose by it (`ChatModel.isByRules`). */
	readonly found?: readonly FoundTool[];
	/** Forces a call of one of `tools`, if the provider has an option for that. */
	readonly mustCall?: boolean;
	/** Settings for this answer, which override those of the model. What the model does not accept is left out. */
	readonly answers?: AnswerSettings & { readonly maxOutputTokens?: number };
}

/** Asks for a call in words, for models that cannot be forced by the protocol. */
export function withCallInWords<Request extends ChatRequest>(original: Request): Request {
	const request = { ...original, mustCall: false };
	if (!original.mustCall || request.tools.length === 0) return request;
	const instruction = 'Answer with a call of one of the tools, and with nothing else.';
	const last = request.messages.at(-1);
	const userMessage = last?.role === 'user' ? last : { role: 'user' as const, text: '' };
	const news = [userMessage.news, instruction].filter(Boolean).join('\n');
	const earlier = last === userMessage ? request.messages.slice(0, -1) : request.messages;
	return { ...request, messages: [...earlier, { ...userMessage, news }] };
}

/** What a model tells while it answers. */
export type ChatModelEvent =
	/** A piece of the answer, or of the thinking before it, for the user to read. */
	| { readonly type: 'text' | 'thinking'; readonly text: string }
	| { readonly type: 'usage'; readonly usage: TokenUsage }
	/** A call that the user can make by hand, with the known values. `name`: the tool's wire name. */
	| { readonly type: 'offer'; readonly name: string; readonly input: ToolCall['input'] }
	/** A sentence for the user, outside the answer. */
	| { readonly type: 'notice'; readonly text: string }
	/** A tool that was not sent, because the provider would refuse the whole request. `reason`: a sentence. */
	| { readonly type: 'toolDropped'; readonly name: string; readonly reason: string }
	/** The provider asked us to wait, or failed temporarily; the request is sent again after this wait. `reason`: a sentence. */
	| { readonly type: 'retrying'; readonly afterMs: number; readonly reason: string };

/** A model that can hold a conversation and call tools. The tool loop knows nothing else about models. */
export interface ChatModel {
	readonly id: string;
	readonly name: string;
	/** Maximum tools in a request; `undefined` if no limit is known. */
	readonly maxTools: number | undefined;
	/** Maximum tokens of a request; `undefined` if unknown. */
	readonly maxInputTokens: number | undefined;
	/** It follows fixed rules: no language model is asked, so its requests neither cost nor save tokens. */
	readonly isByRules?: true;
	/** The price of its tokens, if known. */
	readonly price?: TokenPrice | undefined;
	/** How loaded tools can reach it, the best way first. */
	readonly loadings: readonly [Loading, ...Loading[]];
	/** Why a tool would be left out of its requests, as a sentence; `undefined` if it is sent. Absent if that is not known in advance. */
	refusalOf?(tool: ToolDefinition): string | undefined;
	/**
	 * Asks for one answer, and resolves with its parts. `emit` gets text and thoughts as they come, calls come with the complete answer only.
	 * Rejects with a `ModelError`, or with the reason of `signal` when that aborts. Once the user has read part of an answer, the request is never repeated.
	 */
	answer(
		request: ChatRequest,
		signal: AbortSignal,
		emit: (event: ChatModelEvent) => void,
	): Promise<readonly AnswerPart[]>;
}
