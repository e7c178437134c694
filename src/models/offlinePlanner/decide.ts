import type { ToolDefinition } from '../../discovery/tool.ts';
import type { ChatRequest } from '../chatModel.ts';
import { cancelText, helpText, isCancel, isSmallTalk, noToolsText } from './advice.ts';
import { foundIn, type Rank } from './candidate.ts';
import { planTurn } from './plannedTurn.ts';
import { type Outcome, verdictOf } from './report.ts';
import { SEARCH_TOOL } from './searchTool.ts';
import { decideStep } from './stepDecision.ts';
import { summary } from './summary.ts';
import { readableName } from './toolReference.ts';
import { type Exchange, newestTurn } from './turn.ts';

/** What the planner does next. */
export type Decision =
	| { readonly kind: 'say'; readonly text: string }
	| { readonly kind: 'call'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** What the newest turn has come to. */
export interface Progress {
	readonly done: readonly Outcome[];
	/** Searches of the step that is under way. */
	readonly searches: readonly Exchange[];
	/** A call failed or was declined; nothing more is called. */
	readonly stopped: boolean;
}

/**
 * The next thing to do, from the conversation alone. Every turn ends: a step searches twice and calls once at most, and
 * the steps are limited.
 */
export function decide(request: ChatRequest, rank: Rank): Decision {
	const tools = request.tools.filter(({ name }) => name !== SEARCH_TOOL);
	const hasSearch = tools.length < request.tools.length;
	const turn = newestTurn(request.messages);
	const planned = planTurn(request.messages, tools);
	const progress = progressOf(turn?.exchanges ?? [], tools);
	if (request.tools.length === 0 && progress.done.length === 0) return say(noToolsText);
	if (!turn || !planned) return say(helpText(tools, hasSearch));
	if (planned.isAnswer && isCancel(turn.prompt)) return say(cancelText);
	if (!planned.isAnswer && isSmallTalk(turn.prompt)) return say(helpText(tools, hasSearch));
	const step = planned.steps[progress.done.length];
	if (progress.stopped || !step) return say(summary(planned, progress, tools));
	const number = progress.done.length + 1;
	const next = decideStep(
		{ step, number, searches: progress.searches },
		{ tools, hasSearch, rank, messages: request.messages },
	);
	return next.kind === 'call' ? next : say(summary(planned, progress, tools, next.text));
}

function say(text: string): Decision {
	return { kind: 'say', text };
}

/** Reads off the calls how far the turn has come: a step is searches, then a call. */
function progressOf(exchanges: readonly Exchange[], tools: readonly ToolDefinition[]): Progress {
	const done: Outcome[] = [];
	const readable = new Map<string, string>();
	let searches: Exchange[] = [];
	for (const exchange of exchanges) {
		const { call, result } = exchange;
		if (call.name === SEARCH_TOOL) {
			searches.push(exchange);
			for (const found of foundIn(result, tools)) readable.set(found.tool.name, found.readable);
		} else {
			done.push({
				wireName: call.name,
				readable: readable.get(call.name) ?? readableName(call.name),
				input: call.input,
				result,
			});
			searches = [];
		}
	}
	return { done, searches, stopped: done.some(({ result }) => verdictOf(result) !== 'succeeded') };
}
