import * as l10n from '@vscode/l10n';
import type { AgentReport } from '../../chat/agents/agentReport.ts';
import { callCount, toolCount } from '../../chat/counts.ts';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { lookingWords, retryWords } from './lookingWords.ts';
import { searchLine } from './searchLine.ts';

/** Characters of a task, and of an agent's answer, which is for its caller. */
const taskLimit = 200;
const answerLimit = 300;

/** An event of an agent. */
export type AgentEvent = LoopEvent & { readonly type: 'agentStarted' | 'agentEvent' | 'agentFinished' };

/** What an event of an agent adds to the chat: lines of Markdown, quoted as deep as agents have called agents; mostly nothing. */
export function agentLines(event: AgentEvent): readonly string[] {
	switch (event.type) {
		case 'agentStarted':
			return [`> $(hubot) **${plain(event.agent)}** — ${plain(event.task, taskLimit)}`];
		case 'agentFinished':
			return finished(event.agent, event.report).map((line) => `> ${line}`);
		case 'agentEvent':
			return nested(event.agent, event.event).map((line) => `> ${line}`);
	}
}

/** What is going on while a call or a search of an agent takes its time; `undefined` where nothing is to be said. */
export function agentProgress(event: AgentEvent): string | undefined {
	if (event.type === 'agentStarted') return l10n.t('{0} begins…', event.agent);
	if (event.type !== 'agentEvent') return undefined;
	const { event: inner, agent } = event;
	switch (inner.type) {
		case 'agentStarted':
		case 'agentEvent':
		case 'agentFinished':
			return agentProgress(inner);
		case 'searchStarted':
			return inner.searched === 1
				? l10n.t('{0}: searching 1 tool…', agent)
				: l10n.t('{0}: searching {1} tools…', agent, inner.searched.toLocaleString());
		case 'looking':
			return l10n.t('{0}: {1}', agent, lookingWords(inner.call));
		case 'retrying':
			return l10n.t('{0}: {1}', agent, retryWords(inner));
		default:
			return undefined;
	}
}

/** Agents may work side by side, so each line says whose it is. What agents say is for their caller. */
function nested(agent: string, event: LoopEvent): readonly string[] {
	const line = (text: string) => [`**${plain(agent)}** · ${text}`];
	switch (event.type) {
		case 'agentStarted':
		case 'agentEvent':
		case 'agentFinished':
			return agentLines(event);
		case 'prefetched':
			return line(
				`$(search) ${l10n.t('Loaded for its task: {0}', event.tools.map(({ id }) => code(id)).join(', '))}`,
			);
		case 'searchFinished':
			return line(searchLine(event.outcome));
		case 'evicted':
			return line(l10n.t('Unloaded to make room: {0}', event.names.map((name) => code(name)).join(', ')));
		case 'toolFinished':
			return event.result.isError && !event.result.declined
				? line(`$(error) ${l10n.t('{0} failed', code(event.tool?.id ?? event.call.name))}`)
				: [];
		case 'notice':
			return line(`$(info) ${plain(event.text, 500)}`);
		default:
			return [];
	}
}

function finished(agent: string, { text, fault, ...figures }: AgentReport): readonly string[] {
	const name = `**${plain(agent)}**`;
	const how =
		fault === undefined
			? `$(check) ${l10n.t('{0} is done', name)}`
			: `$(error) ${l10n.t('{0} stopped early: {1}', name, plain(fault, 300))}`;
	const answer = plain(text, answerLimit);
	return [`${how} (${sums(figures)})`, ...(answer ? ['', answer] : [])];
}

/** `3 calls, 2 tools loaded, 1,234 tokens, 4.2 s`. */
function sums({ calls, loaded, tokens, ms }: Omit<AgentReport, 'text' | 'fault'>): string {
	return [
		callCount(calls),
		...(loaded.length > 0 ? [l10n.t('{0} loaded', toolCount(loaded.length))] : []),
		...(tokens === undefined ? [] : [l10n.t('{0} tokens', tokens.toLocaleString('en'))]),
		l10n.t('{0} s', (ms / 1000).toFixed(1)),
	].join(', ');
}
