import * as l10n from '@vscode/l10n';
import type { AgentReport } from '../../chat/agents/agentTask.ts';
import { waitingLine } from '../../chat/commands/matchedWords.ts';
import { callCount, decimal, toolCount, wholeNumber } from '../../chat/counts.ts';
import type { LoopEvent, OwnEvent } from '../../chat/loopEvent.ts';
import { code, plain } from '../../common/markdown.ts';
import { nameList } from '../../common/nameList.ts';
import { cut, firstSentence, visible } from '../../common/text.ts';
import type { ToolCall } from '../../discovery/catalog/message.ts';
import { readResultName } from '../../discovery/catalog/syntheticTool.ts';
import { ownResultText, type ToolResult } from '../../discovery/catalog/tool.ts';
import type { NearestTools, OutcomeHit, SearchOutcome } from '../../discovery/tools/findTools.ts';

/**
 * An event of the loop as one line of Markdown; `undefined`: it adds none. `isAgents`: it happened in an agent, which was given a task.
 * `earlier`: what the searches right before this one loaded. VS Code folds their lines, so the last one counts for all.
 */
export function eventLine(
	event: LoopEvent,
	isAgents = false,
	earlier: readonly OutcomeHit[] = [],
): string | undefined {
	switch (event.type) {
		case 'prefetched':
			return isAgents
				? `$(search) ${l10n.t('Loaded for its task: {0}', firstOf(event.tools.map(({ id }) => id)))}`
				: prefetchLine(event);
		case 'searchFinished':
			return searchLine(event.outcome, earlier);
		case 'evicted':
			return l10n.t('Unloaded to make room: {0}', firstOf(event.names));
		case 'toolFinished':
			// The line below the answer says it of the chat's own calls.
			return isAgents && event.result.isError && !event.result.declined
				? `$(error) ${failedLine(code(event.tool?.id ?? event.call.name), event.result)}`
				: undefined;
		case 'notice':
			return `$(info) ${plain(event.text, 500)}`;
		default:
			return undefined;
	}
}

/** Characters of the reason of a failure: its server may send a page. */
const reasonLimit = 200;

/** The first sentence of what a failed call returned, in Markdown; may be empty. */
export function failedCallReason(result: ToolResult): string {
	return plain(firstSentence(ownResultText(result)), reasonLimit);
}

function failedLine(tool: string, result: ToolResult): string {
	const reason = failedCallReason(result);
	return reason === '' ? l10n.t('{0} failed', tool) : l10n.t('{0} failed: {1}', tool, reason);
}

/** One name, and how many more: each name is a box in the chat, and the views have them all. */
function firstOf(names: readonly string[]): string {
	return nameList(
		names.map((name) => code(name)),
		1,
	);
}

function prefetchLine({ reason, tools }: LoopEvent & { type: 'prefetched' }): string {
	const names = firstOf(tools.map(({ id }) => id));
	const words =
		reason === 'reference'
			? l10n.t('Loaded because you named it: {0}', names)
			: l10n.t('Preloaded for your request: {0}', names);
	return `$(search) ${words}`;
}

/** Names of uncertain hits that a line shows. */
const shownNamed = 3;

/** A search in one line: what it loaded, or the closest tools. */
function searchLine(outcome: SearchOutcome, earlier: readonly OutcomeHit[]): string {
	if (!outcome.ok) return plain(outcome.message);
	const namesIn = (wantedState: OutcomeHit['state']) => firstOf(idsOf(outcome.hits, wantedState));
	const [refused, unsendable] = [namesIn('refused'), namesIn('unsendable')];
	const waiting = outcome.waiting ?? [];
	const besides = [
		...(refused ? [l10n.t('no room for {0}', refused)] : []),
		...(unsendable ? [l10n.t('{0} not supported by this model', unsendable)] : []),
		...(waiting.length > 0 ? [waitingLine(waiting)] : []),
	];
	return `$(search) ${[foundWords(outcome, earlier), ...besides].join('; ')}`;
}

/** The tools of hits, best first. */
function idsOf(hits: readonly OutcomeHit[], ...states: readonly OutcomeHit['state'][]): readonly string[] {
	return hits.filter(({ state }) => states.includes(state)).map(({ tool }) => tool.id);
}

/** What a search and the ones right before it have brought, in as few words as possible: each name is a box in the chat. */
function foundWords(outcome: SearchOutcome & { ok: true }, earlier: readonly OutcomeHit[]): string {
	const hits = [...earlier, ...outcome.hits];
	const loaded = new Set(idsOf(hits, 'loaded'));
	const usable = [...new Set(idsOf(hits, 'loaded', 'already-loaded'))];
	if (usable.length > 0) {
		const names = firstOf(usable);
		if (loaded.size === usable.length) return l10n.t('Loaded {0}', names);
		return loaded.size === 0
			? l10n.t('{0} already loaded', names)
			: l10n.t('Found {0}, {1} already loaded', names, wholeNumber(usable.length - loaded.size));
	}
	const query = code(outcome.query);
	const searched = toolCount(outcome.searched);
	const closest = outcome.further.slice(0, shownNamed).map(({ tool }) => code(tool.id));
	const subject =
		closest.length > 0 && outcome.hits.length === 0
			? l10n.t('no clear match; closest: {0}', closest.join(', '))
			: nothing(outcome.nearest);
	return l10n.t('Searched {0} for {1}: {2}', searched, query, subject);
}

function nothing(nearest: NearestTools | undefined): string {
	if (!nearest) return l10n.t('nothing found');
	const names = nearest.tools.map(({ id }) => id);
	return names.length > 0
		? l10n.t('no match; closest: {0}', names.map((name) => code(name)).join(', '))
		: l10n.t('no match');
}

/** What a model does with a read-only synthetic tool. */
export function lookingLabel({ name }: ToolCall): string {
	return name === readResultName
		? l10n.t('Reading more of a large result…')
		: l10n.t('Looking at the available tools…');
}

export function retryLabel({ reason, afterMs }: LoopEvent & { readonly type: 'retrying' }): string {
	return l10n.t('{0} Retrying in {1} s…', reason, Math.ceil(afterMs / 1000));
}

/** Characters of an agent's task, which is written for a model, and of its answer: as many as the model reads. */
const taskLimit = 200;
const answerLimit = 16_000;

/**
 * An agent's event as a line of Markdown, quoted once per level of nesting; `undefined`: the event adds no line. `agents`: the agents that run it,
 * outermost first. Agents may run in parallel, so each line names its agent. An agent's text is left out, because only the calling model reads it.
 */
export function agentLine(event: OwnEvent, agents: readonly string[]): string | undefined {
	const quote = '> '.repeat(agents.length);
	switch (event.type) {
		case 'agentStarted':
			return `${quote}> $(hubot) **${plain(event.agent)}** — ${plain(event.task, taskLimit)}`;
		case 'agentFinished':
			return `${quote}> ${finishedLine(event.agent, event.report)}`;
		default: {
			const line = eventLine(event, true);
			return line && `${quote}**${plain(agents.at(-1) ?? '')}** · ${line}`;
		}
	}
}

/** The answer of an agent that finished. Every line is quoted, so that an unclosed code block ends with the quotation. */
export function agentAnswer({ text }: AgentReport, agents: readonly string[]): string | undefined {
	const answer = cut(visible(text), answerLimit);
	return answer.trim() === '' ? undefined : answer.replaceAll(/^/gm, '> '.repeat(agents.length + 1));
}

/** The progress of an agent; `undefined`: nothing to say. */
export function agentProgress(event: OwnEvent, agents: readonly string[]): string | undefined {
	const agent = agents.at(-1) ?? '';
	switch (event.type) {
		case 'agentStarted':
			return l10n.t('{0} starts…', event.agent);
		case 'searchStarted':
			return l10n.t('{0}: searching {1}…', agent, toolCount(event.searched));
		case 'looking':
			return l10n.t('{0}: {1}', agent, lookingLabel(event.call));
		case 'retrying':
			return l10n.t('{0}: {1}', agent, retryLabel(event));
		default:
			return undefined;
	}
}

function finishedLine(agent: string, { fault, ...figures }: AgentReport): string {
	const name = `**${plain(agent)}**`;
	const ending =
		fault === undefined
			? `$(check) ${l10n.t('{0} is done', name)}`
			: `$(error) ${l10n.t('{0} stopped early: {1}', name, plain(fault, 300))}`;
	return `${ending} (${sums(figures)})`;
}

/** `3 calls, 2 tools loaded, 1,234 tokens, 4.2 s`. */
function sums({ calls, loaded, tokens, ms }: Omit<AgentReport, 'text' | 'fault'>): string {
	return [
		callCount(calls),
		...(loaded.length > 0 ? [l10n.t('{0} loaded', toolCount(loaded.length))] : []),
		...(tokens === undefined ? [] : [l10n.t('{0} tokens', wholeNumber(tokens))]),
		l10n.t('{0} s', decimal(ms / 1000)),
	].join(', ');
}
