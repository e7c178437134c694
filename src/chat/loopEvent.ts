import * as l10n from '@vscode/l10n';
import type { TokenUsage } from '../common/cost.ts';
import { nameLimit, oneLine } from '../common/text.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import type { ToolResult } from '../discovery/catalog/tool.ts';
import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import type { Prefetch } from '../discovery/session/prefetch.ts';
import type { SearchOutcome } from '../discovery/tools/findTools.ts';
import type { AgentReport } from './agents/agentTask.ts';

/** Why a tool loop ended. */
export type LoopEnd =
	/** The model asked for no more tools. */
	| { readonly reason: 'answered' }
	| { readonly reason: 'cancelled' }
	/** The model still asked for tools after the last round. */
	| { readonly reason: 'roundLimit'; readonly rounds: number }
	/** The model made one and the same call again and again. */
	| { readonly reason: 'repeating'; readonly call: ToolCall }
	/** More tools are loaded than the model takes; nothing was sent. `discovers`: discovery is on, and still. */
	| {
			readonly reason: 'tooManyTools';
			readonly tools: number;
			readonly limit: number;
			readonly discovers: boolean;
	  }
	/** The model failed; what it threw. */
	| { readonly reason: 'failed'; readonly error: unknown };

/** What happens in a tool loop, as it happens. */
export type LoopEvent =
	| { readonly type: 'text'; readonly text: string }
	/** What the model thinks on the way; no part of its answer. */
	| { readonly type: 'thinking'; readonly text: string }
	/** The model has thought, and neither said nor called anything. `goesOn`: it is asked to, once in a turn. */
	| { readonly type: 'onlyThought'; readonly goesOn: boolean }
	/** Loaded before the model was asked. */
	| {
			readonly type: 'prefetched';
			readonly reason: Prefetch['reason'];
			readonly tools: readonly CatalogTool[];
	  }
	/** The model looks at what tools there are, or reads on in a result. */
	| { readonly type: 'looking'; readonly call: ToolCall }
	| { readonly type: 'searchStarted'; readonly call: ToolCall; readonly searched: number }
	| { readonly type: 'searchFinished'; readonly call: ToolCall; readonly outcome: SearchOutcome }
	| { readonly type: 'activated'; readonly tools: readonly CatalogTool[] }
	/** `server:tool`, or the wire name of a tool that is gone from the catalog. */
	| { readonly type: 'evicted'; readonly names: readonly string[] }
	| { readonly type: 'toolStarted'; readonly call: ToolCall; readonly tool: CatalogTool }
	/** The call is handed to its server: the user has let it be made, where they were asked. */
	| { readonly type: 'toolBegun'; readonly call: ToolCall; readonly tool: CatalogTool }
	/** The server says how far a call is, in words such as `3 of 10`. */
	| {
			readonly type: 'toolProgress';
			readonly call: ToolCall;
			readonly tool: CatalogTool;
			readonly progress: string;
	  }
	| {
			readonly type: 'toolFinished';
			readonly call: ToolCall;
			/** Absent where the call led to no tool. */
			readonly tool?: CatalogTool;
			readonly result: ToolResult;
	  }
	/** An agent begins with a task; `call` tells apart those that work side by side. */
	| {
			readonly type: 'agentStarted';
			readonly call: ToolCall;
			readonly agent: string;
			readonly task: string;
	  }
	/** Something has happened in the agent's own loop. */
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
	/** A call that the user may make by hand, with the values that are known. */
	| { readonly type: 'offer'; readonly tool: CatalogTool; readonly input: ToolCall['input'] }
	/** A sentence for the user, such as one of the model's provider. */
	| { readonly type: 'notice'; readonly text: string }
	/** A loaded tool that this model's provider would not take; `reason`: a sentence. */
	| { readonly type: 'toolDropped'; readonly name: string; readonly reason: string }
	/** The model is asked again after so long; `reason`: a sentence. */
	| { readonly type: 'retrying'; readonly afterMs: number; readonly reason: string }
	/** So many old results of tools, and pictures of the user, were removed from the conversation to make room. */
	| { readonly type: 'trimmed'; readonly results: number }
	| ({ readonly type: 'end' } & LoopEnd);

/** What has happened in the loop of an agent, or of an agent that it has called; else the event itself. */
export function innermost(event: LoopEvent): LoopEvent {
	return event.type === 'agentEvent' ? innermost(event.event) : event;
}

/** Why a turn ended before the model was done, in a sentence; `undefined` where it was, or the user stopped it. */
export function prematureEnd(end: LoopEnd): string | undefined {
	switch (end.reason) {
		case 'answered':
		case 'cancelled':
			return undefined;
		case 'roundLimit':
			return `Stopped after ${end.rounds} rounds of tool calls.`;
		case 'repeating':
			return `Stopped: ${oneLine(end.call.name, nameLimit)} was called again and again with the same input.`;
		case 'tooManyTools':
			return `${end.tools} tools are loaded, and the model takes at most ${end.limit}, so nothing was sent.`;
		case 'failed':
			return end.error instanceof Error ? end.error.message : String(end.error);
	}
}

/** Tells that tools were unloaded to make room; nothing where there were none. */
export function* evictionEvents(
	wireNames: readonly string[],
	session: DiscoverySession,
): Generator<LoopEvent> {
	const { surface } = session;
	const names = surface.nameable(wireNames).map((name) => surface.get(name)?.id ?? name);
	if (names.length > 0) yield { type: 'evicted', names };
}

/** Tools that are named, and characters of a name. */
const shownTools = 5;
const shownNameCharacters = 60;

/** Tells the user which loaded tools have changed, by `server:tool`; nothing where none has. */
export function* changedToolEvents(ids: readonly string[]): Generator<LoopEvent> {
	if (ids.length === 0) return;
	const names = ids.slice(0, shownTools).map((id) => oneLine(id, shownNameCharacters));
	const more = ids.length - shownTools;
	const list = more > 0 ? l10n.t('{0} and {1} more', names.join(', '), more) : names.join(', ');
	const text = l10n.t('Changed by their servers since they were loaded, and reloaded: {0}.', list);
	yield { type: 'notice', text };
}
