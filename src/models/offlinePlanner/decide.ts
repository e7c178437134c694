import { lookingToolNames, searchToolsName } from '../../discovery/syntheticTool.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import type { ChatRequest } from '../chatModel.ts';
import { cancelText, helpText, isCancel, isSmallTalk, noToolsText } from './advice.ts';
import { foundIn, type Rank } from './candidate.ts';
import type { Decision, Progress } from './decision.ts';
import { planTurn } from './plannedTurn.ts';
import { type Outcome, verdictOf } from './report.ts';
import { decideStep } from './stepDecision.ts';
import { summary } from './summary.ts';
import { readableName } from './toolReference.ts';
import { type Exchange, newestTurn } from './turn.ts';

/**
 * The next thing to do, from the conversation alone. Every turn ends: a step searches twice and calls once at most, and
 * the steps are limited.
 */
export function decide(request: ChatRequest, rank: Rank): Decision {
	const tools = request.tools.filter(({ name }) => !lookingToolNames.has(name));
	const hasSearch = request.tools.some(({ name }) => name === searchToolsName);
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
		if (call.name === searchToolsName) {
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
