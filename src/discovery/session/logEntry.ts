import type { AnswerCost, DefinitionTokens, TokenUsage } from '../../common/cost.ts';
import { cut, oneLine } from '../../common/text.ts';
import type { ChatMessage } from '../catalog/message.ts';
import type { Loading } from '../catalog/policy.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { KeptToolset } from '../catalog/toolset.ts';
import type { ActivationReason } from './activationSet.ts';
import type { DeferredByServer, PromptPrefix } from './promptPrefix.ts';
import type { SessionUsage } from './usage.ts';

/** One entry of a chat's log; `at`: milliseconds since 1970. Plain JSON. */
export type LogEntry = { readonly at: number } & Happening;

/** What happens in a chat. */
export type Happening =
	/** The user said something. `prompt`: as the chat's history shows it. */
	| {
			readonly kind: 'turn';
			readonly model: string;
			readonly loading: Loading;
			readonly prompt: string;
	  }
	/** A turn of which only the chat's history tells. */
	| { readonly kind: 'past'; readonly prompt: string }
	/** A part of the conversation, as the model reads it. `from`: the server whose prompt it is. */
	| { readonly kind: 'message'; readonly message: ChatMessage; readonly from?: string }
	| RequestSent
	/** The provider counted the tokens of the last request and its answer. */
	| { readonly kind: 'measured'; readonly tokens: TokenUsage; readonly cost?: AnswerCost }
	| ({ readonly kind: 'told' } & Told)
	/** A result brings definitions, which are then not sent among the tools. */
	| {
			readonly kind: 'brought';
			readonly definitions: readonly ToolDefinition[];
			readonly tools: readonly LoggedTool[];
	  }
	/** `fault`: why the search could not be done. */
	| { readonly kind: 'search'; readonly words: string; readonly found: NamedTools; readonly fault?: string }
	| {
			readonly kind: 'load';
			readonly tools: readonly LoggedTool[];
			/** Wire names of tools that were asked for and were loaded already. */
			readonly renewed: readonly string[];
			readonly reason: ActivationReason;
			readonly words?: string;
	  }
	/** Unloaded to make room. `names`: as people are told of them. `untold`: who does not hear of it by other ways. */
	| {
			readonly kind: 'evict';
			readonly wireNames: readonly string[];
			readonly names: readonly string[];
			readonly untold: readonly Reader[];
	  }
	/** Unloaded by the user: the next request is without these tools. */
	| { readonly kind: 'unload'; readonly wireNames: readonly string[]; readonly names: readonly string[] }
	/** Not loaded any more, and nobody needs to know: gone for too long, or its name is another server's now. */
	| { readonly kind: 'drop'; readonly wireNames: readonly string[] }
	/** The model calls a tool. */
	| { readonly kind: 'use'; readonly wireName: string; readonly server: string }
	/** A call came to its end. */
	| {
			readonly kind: 'call';
			readonly server: string;
			readonly tool: string;
			readonly ms: number;
			readonly failed: boolean;
	  }
	| AgentRun
	/** The turn ended before its time; a sentence. */
	| { readonly kind: 'failure'; readonly message: string }
	/** The user loads something by hand, for which earlier tools may make room. */
	| { readonly kind: 'byHand' }
	/** All that was loaded and counted is forgotten. */
	| { readonly kind: 'reset' }
	/** The user went back in the chat; so many turns are left. */
	| { readonly kind: 'back'; readonly turns: number }
	/** The next request is to begin anew. */
	| { readonly kind: 'anew'; readonly why: WhyAnew }
	/** A result of this server linked to a resource, and the model was told how to read it. */
	| { readonly kind: 'linked'; readonly server: string }
	/** Servers that are new to the chat. */
	| { readonly kind: 'servers'; readonly joined: readonly string[] }
	/** The chat has another toolset, or none. */
	| { readonly kind: 'toolset'; readonly toolset: KeptToolset | undefined }
	/** A system prompt was made of its template. */
	| { readonly kind: 'system'; readonly template: string; readonly text: string }
	/** An answer was complete: the chat's history has it from here on. */
	| { readonly kind: 'answered' };

/** Why a request does not begin as the last one did. */
export type WhyAnew =
	| 'first'
	| 'model'
	| 'loading'
	| 'unload'
	| 'reset'
	/** It would have more tools than it may. */
	| 'limit'
	/** More tools have changed than a note can tell. */
	| 'changes'
	/** Discovery was turned off or on. */
	| 'off'
	/** The user has configured otherwise, or placed a tool otherwise. */
	| 'configured';

/** A request as it was sent. Its head is told where it began anew; else only what has joined it. Without either discovery is off. */
export type RequestSent = {
	readonly kind: 'request';
	/** No language model was asked: it took and saved no tokens. */
	readonly isByRules?: true;
	readonly anew?: WhyAnew;
	readonly head?: PromptPrefix;
	readonly added?: readonly ToolDefinition[];
} & RequestCost;

/** An agent worked on a task. */
export interface AgentRun {
	readonly kind: 'agent';
	readonly agent: string;
	readonly task: string;
	readonly ms: number;
	readonly calls: number;
	readonly failed: boolean;
	/** What it has used. */
	readonly usage: SessionUsage;
	/** What it said and did; only whoever looks at its calls reads that. The oldest go first. */
	readonly messages: readonly ChatMessage[];
}

/** What the model was told in a note or in a result; whatever is not told of is absent. */
export interface Told {
	/** Wire names of tools that made room. */
	readonly evicted?: readonly string[];
	/** What can be found. */
	readonly findable?: DeferredByServer;
	/** Tools that have changed, as they are now. */
	readonly changed?: readonly LoggedTool[];
	/** Those of them of which requests go on having the old definition: the new one. */
	readonly redefined?: readonly ToolDefinition[];
	/** Wire names of tools that are gone. */
	readonly gone?: readonly string[];
	/** Wire names of tools that were told to be gone and are back. */
	readonly back?: readonly string[];
	/** Servers whose instructions were told. */
	readonly instructions?: readonly string[];
}

/** A tool as it was when the model was told of it. */
export interface LoggedTool {
	readonly wireName: string;
	readonly server: string;
	readonly name: string;
	/** Of its definition: see `definitionHash`. */
	readonly hash: string;
}

/** Who is told of tools that were unloaded to make room. */
export type Reader = 'user' | 'model';

/** Definitions of tools in one request. */
export interface RequestCost extends DefinitionTokens {
	/** Tools whose definitions went to the model, synthetic ones among them. */
	readonly tools: number;
}

/** The first of some tools by `server:tool`, and how many there are. */
export interface NamedTools {
	readonly names: readonly string[];
	readonly count: number;
}

/** Names that one entry has of the tools that were found, and characters of what people and models wrote. */
const keptNames = 10;
const keptCharacters = 120;

/** What the log keeps of a list of tools that nothing but people ask for. */
export function namedTools(ids: readonly string[]): NamedTools {
	return { names: ids.slice(0, keptNames).map((id) => oneLine(id, keptCharacters)), count: ids.length };
}

/** An entry without what is only of use while requests go on beginning as this one did: how that was, and what has been told to be otherwise. */
export function withoutHead(entry: LogEntry): LogEntry {
	if (entry.kind === 'request') {
		const { head: _head, added: _added, ...sent } = entry;
		return sent;
	}
	if (entry.kind === 'told') {
		const { findable: _findable, redefined: _redefined, ...told } = entry;
		return told;
	}
	return entry;
}

/** All that was said in a chat, by its agents as well. */
export function saidIn(log: readonly LogEntry[]): readonly ChatMessage[] {
	return log.flatMap((entry) => {
		if (entry.kind === 'message') return [entry.message];
		return entry.kind === 'agent' ? entry.messages : [];
	});
}

/** What the log keeps of a text that stands in it for people. */
export function shortened(text: string): string {
	return oneLine(cut(text, 10 * keptCharacters), keptCharacters);
}
