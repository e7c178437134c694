import type { AgentReport } from '../../chat/agents/agentReport.ts';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { counted } from '../../chat/slashCommands/toolLine.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { lookingWords } from './lookingWords.ts';
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
	if (event.type === 'agentStarted') return `${event.agent} begins…`;
	if (event.type !== 'agentEvent') return undefined;
	const { event: inner, agent } = event;
	switch (inner.type) {
		case 'agentStarted':
		case 'agentEvent':
		case 'agentFinished':
			return agentProgress(inner);
		case 'searchStarted':
			return `${agent}: searching ${inner.searched.toLocaleString()} tools…`;
		case 'looking':
			return `${agent}: ${lookingWords(inner.call)}`;
		case 'retrying':
			return `${agent}: ${inner.reason} Asking again in ${Math.ceil(inner.afterMs / 1000)} s…`;
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
			return line(`$(search) Loaded for its task: ${event.tools.map(({ id }) => code(id)).join(', ')}`);
		case 'searchFinished':
			return line(searchLine(event.outcome));
		case 'evicted':
			return line(`Unloaded to make room: ${event.names.map((name) => code(name)).join(', ')}`);
		case 'toolFinished':
			return event.result.isError && !event.result.declined
				? line(`$(error) ${code(event.tool?.id ?? event.call.name)} failed`)
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
		fault === undefined ? `$(check) ${name} is done` : `$(error) ${name} stopped early: ${plain(fault, 300)}`;
	const answer = plain(text, answerLimit);
	return [`${how} (${sums(figures)})`, ...(answer ? ['', answer] : [])];
}

/** `3 calls, 2 tools loaded, 1,234 tokens, 4.2 s`. */
function sums({ calls, loaded, tokens, ms }: Omit<AgentReport, 'text' | 'fault'>): string {
	return [
		counted(calls, 'call'),
		...(loaded.length > 0 ? [`${counted(loaded.length, 'tool')} loaded`] : []),
		...(tokens === undefined ? [] : [`${tokens.toLocaleString('en')} tokens`]),
		`${(ms / 1000).toFixed(1)} s`,
	].join(', ');
}
