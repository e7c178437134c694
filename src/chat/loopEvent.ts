import * as l10n from '@vscode/l10n';
import type { TokenUsage } from '../common/cost.ts';
import { nameList } from '../common/nameList.ts';
import { nameLimit, oneLine } from '../common/text.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import type { ToolResult } from '../discovery/catalog/tool.ts';
import type { Prefetch } from '../discovery/session/prefetch.ts';
import type { SearchOutcome } from '../discovery/tools/findTools.ts';
import type { AgentReport } from './agents/agentTask.ts';

export type LoopEnd =
	/** The model called no more tools. */
	| { readonly reason: 'answered' }
	| { readonly reason: 'cancelled' }
	/** The model still called tools after the last round. */
	| { readonly reason: 'roundLimit'; readonly rounds: number }
	/** `name`: its tool, as people know it. */
	| { readonly reason: 'repeating'; readonly call: ToolCall; readonly name: string }
	/** More tools are loaded than the model accepts, so nothing was sent. `discovers`: whether discovery is on. */
	| {
			readonly reason: 'tooManyTools';
			readonly tools: number;
			readonly limit: number;
			readonly discovers: boolean;
	  }
	| { readonly reason: 'failed'; readonly error: unknown };

/** Only thoughts, nothing at all, a call that the provider could not read, or an answer that the provider paused. */
export type NothingToSee = 'onlyThoughts' | 'empty' | 'malformedCall' | 'paused';

export type LoopEvent =
	| { readonly type: 'text'; readonly text: string }
	/** A thought of the model, not part of its answer. */
	| { readonly type: 'thinking'; readonly text: string }
	/** The model's answer has nothing to see. `goesOn`: it is asked again, once per turn. */
	| { readonly type: 'nothingToSee'; readonly why: NothingToSee; readonly goesOn: boolean }
	/** Loaded before the model was asked. */
	| {
			readonly type: 'prefetched';
			readonly reason: Prefetch['reason'];
			readonly tools: readonly CatalogTool[];
	  }
	/** The model lists tools, or reads a page of a result. */
	| { readonly type: 'looking'; readonly call: ToolCall }
	| { readonly type: 'searchStarted'; readonly call: ToolCall; readonly searched: number }
	| { readonly type: 'searchFinished'; readonly call: ToolCall; readonly outcome: SearchOutcome }
	| { readonly type: 'activated'; readonly tools: readonly CatalogTool[] }
	/** `server:tool`, or the wire name of a tool that is no longer in the catalog. */
	| { readonly type: 'evicted'; readonly names: readonly string[] }
	| { readonly type: 'toolStarted'; readonly call: ToolCall; readonly tool: CatalogTool }
	/** The call goes to its server, after the user confirmed it if necessary. */
	| { readonly type: 'toolBegun'; readonly call: ToolCall; readonly tool: CatalogTool }
	/** The server reports the progress of a call, e.g. `3 of 10`. */
	| {
			readonly type: 'toolProgress';
			readonly call: ToolCall;
			readonly tool: CatalogTool;
			readonly progress: string;
	  }
	| {
			readonly type: 'toolFinished';
			readonly call: ToolCall;
			/** Absent if the call named no tool. */
			readonly tool?: CatalogTool;
			readonly result: ToolResult;
	  }
	/** An agent starts a task; `call` identifies it among concurrent agents. */
	| {
			readonly type: 'agentStarted';
			readonly call: ToolCall;
			readonly agent: string;
			readonly task: string;
	  }
	/** Something happened in the agent's own loop. */
	| {
			readonly type: 'agentEvent';
			readonly call: ToolCall;
			readonly agent: string;
			readonly event: LoopEvent;
	  }
	| {
			readonly type: 'agentFinished';
			readonly call: ToolCall;
			readonly agent: string;
			readonly report: AgentReport;
	  }
	| { readonly type: 'usage'; readonly usage: TokenUsage }
	/** A call that the user can make by hand, with the known values. */
	| { readonly type: 'offer'; readonly tool: CatalogTool; readonly input: ToolCall['input'] }
	/** A sentence for the user, such as one of the model's provider. */
	| { readonly type: 'notice'; readonly text: string }
	/** A loaded tool that this model's provider would refuse; `reason`: a sentence. */
	| { readonly type: 'toolDropped'; readonly name: string; readonly reason: string }
	/** The request is repeated after this wait; `reason`: a sentence. */
	| { readonly type: 'retrying'; readonly afterMs: number; readonly reason: string }
	/** How many old results and pictures were removed from the conversation to make room. */
	| { readonly type: 'trimmed'; readonly results: number }
	| ({ readonly type: 'end' } & LoopEnd);

/** An event of a loop itself, not of an agent that it runs. */
export type OwnEvent = Exclude<LoopEvent, { readonly type: 'agentEvent' }>;

/** An event, and the agents whose loops it happened in, outermost first. */
export function unwrapped(event: LoopEvent): {
	readonly event: OwnEvent;
	readonly agents: readonly string[];
} {
	if (event.type !== 'agentEvent') return { event, agents: [] };
	const inner = unwrapped(event.event);
	return { event: inner.event, agents: [event.agent, ...inner.agents] };
}

/** Why a turn ended before the model was done, as a sentence; `undefined` if it was done, or the user stopped it. */
export function prematureEnd(end: LoopEnd): string | undefined {
	switch (end.reason) {
		case 'answered':
		case 'cancelled':
			return undefined;
		case 'roundLimit':
			return `Stopped after ${end.rounds} rounds of tool calls.`;
		case 'repeating':
			return `Stopped: ${oneLine(end.name, nameLimit)} was called again and again with the same input.`;
		case 'tooManyTools':
			return `${end.tools} tools are loaded, and the model takes at most ${end.limit}, so nothing was sent.`;
		case 'failed':
			return end.error instanceof Error ? end.error.message : String(end.error);
	}
}

/** Maximum characters of a name in a notice. */
const shownNameCharacters = 60;

/** Says which loaded tools changed, by `server:tool`. */
export function changedNotice(ids: readonly string[]): string {
	const names = ids.map((id) => oneLine(id, shownNameCharacters));
	return l10n.t('Reloaded because their servers changed them: {0}.', nameList(names));
}
