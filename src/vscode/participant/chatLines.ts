import * as l10n from '@vscode/l10n';
import type { AgentReport } from '../../chat/agents/agentTask.ts';
import { callCount, toolCount, wholeNumber } from '../../chat/counts.ts';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { waitingLine } from '../../chat/waitingLine.ts';
import { code, plain } from '../../common/markdown.ts';
import { cut, visible } from '../../common/text.ts';
import type { ToolCall } from '../../discovery/catalog/message.ts';
import { readResultName } from '../../discovery/catalog/syntheticTool.ts';
import {
	isUncertain,
	type NearestTools,
	type OutcomeHit,
	type SearchOutcome,
} from '../../discovery/tools/findTools.ts';

/** What an event of the loop adds to the chat, as one line of Markdown; `undefined`: nothing. `isAgents`: it is of an agent, which was given a task. */
export function eventLine(event: LoopEvent, isAgents = false): string | undefined {
	switch (event.type) {
		case 'prefetched':
			return isAgents
				? `$(search) ${l10n.t('Loaded for its task: {0}', event.tools.map(({ id }) => code(id)).join(', '))}`
				: prefetchLine(event);
		case 'searchFinished':
			return searchLine(event.outcome);
		case 'evicted':
			return l10n.t('Unloaded to make room: {0}', event.names.map((name) => code(name)).join(', '));
		case 'toolFinished':
			// Without the reason: the model gives that in its answer.
			return event.result.isError && !event.result.declined
				? `$(error) ${l10n.t('{0} failed', code(event.tool?.id ?? event.call.name))}`
				: undefined;
		case 'notice':
			return `$(info) ${plain(event.text, 500)}`;
		default:
			return undefined;
	}
}

/** What was loaded before the model was asked, in one line of the chat. */
export function prefetchLine({ reason, tools }: LoopEvent & { type: 'prefetched' }): string {
	const names = tools.map(({ id }) => code(id)).join(', ');
	const words =
		reason === 'reference'
			? l10n.t('Loaded because you named it: {0}', names)
			: l10n.t('Preloaded for your request: {0}', names);
	return `$(search) ${words}`;
}

/** Tools that a search has only named which one line shows: the model has read of others, too. */
const shownNamed = 3;

/** A search in one line of the chat: what was searched for, what it loaded and what it only named, and where nothing fits what is nearest. */
export function searchLine(outcome: SearchOutcome): string {
	if (!outcome.ok) return plain(outcome.message);
	const named = (...states: OutcomeHit['state'][]) =>
		outcome.hits
			.filter((hit) => states.includes(hit.state))
			.map(hitName)
			.join(', ');
	const loaded = named('loaded');
	const already = named('already-loaded');
	const refused = named('refused', 'crowded');
	const unsendable = named('unsendable');
	const further = outcome.further.slice(0, shownNamed).map(({ tool }) => code(tool.id));
	const found = [
		...(loaded ? [l10n.t('loaded {0}', loaded)] : []),
		...(already ? [l10n.t('{0} already loaded', already)] : []),
		...(refused ? [l10n.t('no room for {0}', refused)] : []),
		...(unsendable ? [l10n.t('{0} not supported by this model', unsendable)] : []),
		...(further.length > 0 ? [namedOnly(outcome, further.join(', '))] : []),
	];
	const waiting = outcome.waiting ?? [];
	const result = [
		found.join('; ') || nothing(outcome.nearest),
		...(waiting.length > 0 ? [waitingLine(waiting)] : []),
	].join('; ');
	const words = l10n.t('Searched {0} for {1}: {2}', toolCount(outcome.searched), code(outcome.query), result);
	return `$(search) ${words}`;
}

function namedOnly({ hits }: { readonly hits: readonly OutcomeHit[] }, names: string): string {
	return hits.length > 0 ? l10n.t('also found {0}', names) : l10n.t('no sure match; found {0}', names);
}

function hitName(hit: OutcomeHit): string {
	const name = code(hit.tool.id);
	return isUncertain(hit) ? l10n.t('{0} (uncertain)', name) : name;
}

function nothing(nearest: NearestTools | undefined): string {
	if (!nearest) return l10n.t('nothing found');
	const names = nearest.tools.map(({ id }) => id);
	return names.length > 0
		? l10n.t('no match; closest: {0}', names.map((name) => code(name)).join(', '))
		: l10n.t('no match');
}

/** What a model is doing that only looks, in half a sentence. */
export function lookingLabel({ name }: ToolCall): string {
	return name === readResultName
		? l10n.t('reading on in a large result…')
		: l10n.t('looking at the tools that there are…');
}

/** Why a model is asked once more, and when. */
export function retryLabel({ reason, afterMs }: LoopEvent & { readonly type: 'retrying' }): string {
	return l10n.t('{0} Retrying in {1} s…', reason, Math.ceil(afterMs / 1000));
}

/** Characters that the chat shows of a task, which is written for a model, and of an agent's answer: as many as the model reads. */
const taskLimit = 200;
const answerLimit = 16_000;

/** An event of an agent. */
export type AgentEvent = LoopEvent & { readonly type: 'agentStarted' | 'agentEvent' | 'agentFinished' };

/** What an event of an agent adds to the chat: lines of Markdown, quoted as deep as agents have called agents; mostly nothing. */
export function agentLines(event: AgentEvent): readonly string[] {
	switch (event.type) {
		case 'agentStarted':
			return [`> $(hubot) **${plain(event.agent)}** — ${plain(event.task, taskLimit)}`];
		case 'agentFinished':
			return [`> ${finishedLine(event.agent, event.report)}`];
		case 'agentEvent':
			return nested(event.agent, event.event).map((line) => `> ${line}`);
	}
}

/** The answer of an agent that has finished, as Markdown, quoted as deep as agents have called agents. */
export function agentAnswer(event: LoopEvent): string | undefined {
	if (event.type === 'agentEvent') {
		const inner = agentAnswer(event.event);
		return inner && quotation(inner);
	}
	if (event.type !== 'agentFinished') return undefined;
	const text = cut(visible(event.report.text), answerLimit);
	return text.trim() === '' ? undefined : quotation(text);
}

/** Each line of it stands in the quotation, so that a block that is not closed ends with it. */
function quotation(markdown: string): string {
	return markdown.replaceAll(/^/gm, '> ');
}

/** What is going on while a call or a search of an agent takes its time; `undefined` where nothing is to be said. */
export function agentProgress(event: AgentEvent): string | undefined {
	if (event.type === 'agentStarted') return l10n.t('{0} starts…', event.agent);
	if (event.type !== 'agentEvent') return undefined;
	const { event: inner, agent } = event;
	switch (inner.type) {
		case 'agentStarted':
		case 'agentEvent':
		case 'agentFinished':
			return agentProgress(inner);
		case 'searchStarted':
			return l10n.t('{0}: searching {1}…', agent, toolCount(inner.searched));
		case 'looking':
			return l10n.t('{0}: {1}', agent, lookingLabel(inner.call));
		case 'retrying':
			return l10n.t('{0}: {1}', agent, retryLabel(inner));
		default:
			return undefined;
	}
}

/** Agents may work side by side, so each line names its agent. What an agent says meanwhile is left out: only the model that called it reads that. */
function nested(agent: string, event: LoopEvent): readonly string[] {
	switch (event.type) {
		case 'agentStarted':
		case 'agentEvent':
		case 'agentFinished':
			return agentLines(event);
		default: {
			const line = eventLine(event, true);
			return line === undefined ? [] : [`**${plain(agent)}** · ${line}`];
		}
	}
}

function finishedLine(agent: string, { fault, ...figures }: AgentReport): string {
	const name = `**${plain(agent)}**`;
	const how =
		fault === undefined
			? `$(check) ${l10n.t('{0} is done', name)}`
			: `$(error) ${l10n.t('{0} stopped early: {1}', name, plain(fault, 300))}`;
	return `${how} (${sums(figures)})`;
}

/** `3 calls, 2 tools loaded, 1,234 tokens, 4.2 s`. */
function sums({ calls, loaded, tokens, ms }: Omit<AgentReport, 'text' | 'fault'>): string {
	return [
		callCount(calls),
		...(loaded.length > 0 ? [l10n.t('{0} loaded', toolCount(loaded.length))] : []),
		...(tokens === undefined ? [] : [l10n.t('{0} tokens', wholeNumber(tokens))]),
		l10n.t('{0} s', (ms / 1000).toFixed(1)),
	].join(', ');
}
