import type { AnswerCost, DefinitionTokens, TokenUsage } from '../../common/cost.ts';
import { cut, oneLine } from '../../common/text.ts';
import type { ChatMessage } from '../catalog/message.ts';
import type { Loading } from '../catalog/policy.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { KeptToolset } from '../catalog/toolset.ts';
import type { DeferredByServer, PromptPrefix } from './promptPrefix.ts';
import type { SessionUsage } from './usage.ts';

/**
 * Why a tool was loaded. `search`, `name`, `server`: a search for words, for the tool's name or for its server. `user`: by hand. `call`: the model
 * called it without a search, because it still had the definition. Before the model was asked: `prefetch` by the words of the user's message,
 * `reference` by a name in it.
 */
export type ActivationReason = 'search' | 'name' | 'server' | 'user' | 'call' | 'prefetch' | 'reference';

/** One entry of a chat's log. `at`: milliseconds since 1970. Plain JSON. */
export type LogEntry = { readonly at: number } & ChatEvent;

/** What happens in a chat. */
export type ChatEvent =
	/** A user message. `prompt`: as the chat's history shows it. */
	| {
			readonly kind: 'turn';
			readonly model: string;
			readonly loading: Loading;
			readonly prompt: string;
	  }
	/** A turn that is known only from the chat's history. */
	| { readonly kind: 'past'; readonly prompt: string }
	/** A message of the conversation, as the model reads it. `from`: the server whose prompt it is. */
	| { readonly kind: 'message'; readonly message: ChatMessage; readonly from?: string }
	| RequestSent
	/** The provider's token counts for the last request and its answer. */
	| { readonly kind: 'measured'; readonly tokens: TokenUsage; readonly cost?: AnswerCost }
	| ({ readonly kind: 'told' } & ToldFacts)
	/** A result brings definitions, which are then not sent among the tools. */
	| { readonly kind: 'brought'; readonly definitions: readonly ToolDefinition[] }
	/** `further`: the next best tools, which were not loaded. `fault`: why the search failed. */
	| {
			readonly kind: 'search';
			readonly words: string;
			readonly found: ShortToolList;
			readonly further?: readonly string[];
			readonly fault?: string;
	  }
	| {
			readonly kind: 'load';
			readonly tools: readonly LoggedTool[];
			/** Wire names of requested tools that were already loaded. */
			readonly renewed: readonly string[];
			readonly reason: ActivationReason;
			readonly words?: string;
	  }
	/** Evicted to make room. `names`: for people. */
	| { readonly kind: 'evict'; readonly wireNames: readonly string[]; readonly names: readonly string[] }
	/** Unloaded by the user: the next request is without these tools. */
	| { readonly kind: 'unload'; readonly wireNames: readonly string[]; readonly names: readonly string[] }
	/** Dropped without telling anyone: gone for too long, or the name now belongs to another server. */
	| { readonly kind: 'drop'; readonly wireNames: readonly string[] }
	/** The model calls a tool. */
	| ({ readonly kind: 'use' } & LoggedTool)
	/** A call finished. */
	| {
			readonly kind: 'call';
			readonly server: string;
			readonly tool: string;
			readonly ms: number;
			readonly failed: boolean;
	  }
	| AgentRun
	/** The turn ended early; a sentence. */
	| { readonly kind: 'failure'; readonly message: string }
	/** The user loads something by hand: no turn, but earlier tools may be evicted for it as at the beginning of one. */
	| { readonly kind: 'byHand' }
	/** All activations and counts are forgotten. */
	| { readonly kind: 'reset' }
	/** The user went back; this many turns are left. */
	| { readonly kind: 'back'; readonly turns: number }
	/** The next request starts with a new head. */
	| { readonly kind: 'anew'; readonly why: NewHeadReason }
	/** A result of this server linked to a resource, and the model was told how to read it. */
	| { readonly kind: 'linked'; readonly server: string }
	/** Tools that are new to the chat. */
	| { readonly kind: 'joined'; readonly tools: NamesByServer }
	/** The chat's toolset changed, or was removed. */
	| { readonly kind: 'toolset'; readonly toolset: KeptToolset | undefined }
	/** A system prompt was rendered from its template. `template`: its path, because two files may name templates alike. */
	| { readonly kind: 'system'; readonly template: string; readonly text: string }
	/** An answer is complete and in the chat's history. */
	| { readonly kind: 'answered' };

/** Why a request starts with a new head. */
export type NewHeadReason =
	| 'first'
	| 'model'
	| 'loading'
	| 'unload'
	| 'reset'
	/** Too many tools for one request. */
	| 'limit'
	/** More tools changed than a note can tell. */
	| 'changes'
	/** Discovery was turned off or on. */
	| 'off'
	/** The user changed the configuration or a tool's placement. */
	| 'configured';

/** A request as sent. `head` if it started anew, otherwise only the tools added at the end. Neither while discovery is off. */
export type RequestSent = {
	readonly kind: 'request';
	/** No language model was asked: no tokens used or saved. */
	readonly isByRules?: true;
	readonly anew?: NewHeadReason;
	readonly head?: PromptPrefix;
	readonly added?: readonly ToolDefinition[];
} & RequestCost;

/** An agent's run. */
export interface AgentRun {
	readonly kind: 'agent';
	readonly agent: string;
	readonly task: string;
	readonly ms: number;
	readonly calls: number;
	readonly failed: boolean;
	readonly usage: SessionUsage;
	/** Its transcript; read only to inspect its calls. The oldest transcripts are dropped first. */
	readonly messages: readonly ChatMessage[];
}

/** What a note or a result told the model. Absent: nothing of that kind. */
export interface ToldFacts {
	/** The tools that can be found. */
	readonly findable?: DeferredByServer;
	/** New definitions of changed tools. */
	readonly redefined?: readonly ToolDefinition[];
	/** Wire names of tools that are gone. */
	readonly gone?: readonly string[];
	/** Wire names of tools that were reported gone and are back. */
	readonly back?: readonly string[];
	/** Servers whose instructions were told. */
	readonly instructions?: readonly string[];
}

/** Names of tools by server. */
export type NamesByServer = readonly (readonly [server: string, names: readonly string[]])[];

/** A tool, known by its names even if its server is gone. */
export interface LoggedTool {
	readonly wireName: string;
	readonly server: string;
	readonly name: string;
}

/** The cost of the tool definitions in one request. */
export interface RequestCost extends DefinitionTokens {
	/** Tools whose definitions were sent, including synthetic ones. */
	readonly tools: number;
}

/** The first of some tools, as `server:tool`, and their count. */
export interface ShortToolList {
	readonly names: readonly string[];
	readonly count: number;
}

/** Names per entry, and characters of a name or a text. */
const maxListedNames = 10;
const maxListedCharacters = 120;

/** Shortens a list of tools that only people read. */
export function shortToolList(ids: readonly string[]): ShortToolList {
	return {
		names: ids.slice(0, maxListedNames).map((id) => oneLine(id, maxListedCharacters)),
		count: ids.length,
	};
}

/** Drops what matters only until the next new head. */
export function withoutHead(entry: LogEntry): LogEntry {
	if (entry.kind === 'request') {
		const { head: _head, added: _added, ...rest } = entry;
		return rest;
	}
	if (entry.kind === 'told') {
		const { findable: _findable, redefined: _redefined, ...rest } = entry;
		return rest;
	}
	return entry;
}

/** All messages of a chat, including those of its agents. */
export function allMessages(log: readonly LogEntry[]): readonly ChatMessage[] {
	return log.flatMap((entry) => {
		if (entry.kind === 'message') return [entry.message];
		return entry.kind === 'agent' ? entry.messages : [];
	});
}

/** Shortens a text that only people read. */
export function shortened(text: string): string {
	return oneLine(cut(text, 10 * maxListedCharacters), maxListedCharacters);
}
