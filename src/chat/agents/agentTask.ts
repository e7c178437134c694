import { nearestName } from '../../common/nearestName.ts';
import { cut, listText, oneLine } from '../../common/text.ts';
import { boundTokens } from '../../common/tokens.ts';
import { runAgentName } from '../../discovery/catalog/syntheticTool.ts';
import {
	errorResult,
	type ToolDefinition,
	type ToolResult,
	textResult,
} from '../../discovery/catalog/tool.ts';
import type { Agent } from './agent.ts';

/** Maximum tokens of the list of agents, by an upper bound. */
const listTokens = 1000;
/** Characters of each description in that list; the first limit that fits is used. 0: names only. */
const descriptionLimits = [300, 120, 0];

const purpose =
	'Gives a task to an agent: an assistant with its own instructions and tools, which works alone and reports back. ' +
	'It does not see this conversation, so include all that it needs in the task. Several agents can work at once. ' +
	'The agents, as described by files in the workspace:';

export function runAgentDefinition(agents: readonly Agent[]): ToolDefinition {
	return {
		name: runAgentName,
		description: `${purpose}\n${listOf(agents)}`,
		inputSchema: {
			type: 'object',
			properties: {
				agent: { type: 'string', description: 'Name of the agent.' },
				task: { type: 'string', description: 'What to do, and what to report.' },
			},
			required: ['agent', 'task'],
		},
	};
}

/** The most detailed list that fits; if not even all names fit, the first ones. */
function listOf(agents: readonly Agent[]): string {
	for (const limit of descriptionLimits) {
		const list = agents.map((agent) => line(agent, limit)).join('\n');
		if (boundTokens(list) <= listTokens) return list;
	}
	let count = agents.length;
	let list: string;
	do {
		count = Math.floor(count * 0.9);
		list = [...agents.slice(0, count).map((agent) => line(agent, 0)), rest(agents.length - count)].join('\n');
	} while (count > 0 && boundTokens(list) > listTokens);
	return list;
}

function line({ name, description }: Agent, limit: number): string {
	const text = limit > 0 ? oneLine(description, limit) : '';
	return text ? `- ${name}: ${text}` : `- ${name}`;
}

function rest(count: number): string {
	return `- … and ${count} more`;
}

/** Maximum agents in a sentence. */
const namedAgents = 20;

export interface AgentTask {
	readonly agent: Agent;
	readonly task: string;
}

/** Reads the arguments of a call. Throws if they are invalid: the message tells the model why. */
export function agentTask(input: Readonly<Record<string, unknown>>, agents: readonly Agent[]): AgentTask {
	const { agent: name, task } = input;
	if (typeof name !== 'string' || name.trim() === '') {
		throw new Error(`${runAgentName} needs the name of an "agent". ${agentNames(agents)}`);
	}
	const requestedName = name.trim().toLowerCase();
	const agent = agents.find((candidate) => candidate.name.toLowerCase() === requestedName);
	if (!agent) {
		const nearest = nearestName(
			name,
			agents.map((candidate) => candidate.name),
		);
		const hint = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
		throw new Error(`There is no agent '${oneLine(name, 64)}'.${hint} ${agentNames(agents)}`);
	}
	if (typeof task !== 'string' || task.trim() === '') {
		throw new Error(
			`${runAgentName} needs a "task": say what '${agent.name}' is to do, with all that it must know.`,
		);
	}
	return { agent, task };
}

function agentNames(agents: readonly Agent[]): string {
	const names = agents.map(({ name }) => name);
	return `Agents: ${listText(names, namedAgents)}.`;
}

/** Maximum characters of an agent's answer for its caller: some 4,000 tokens. */
const answerLimit = 16_000;

export interface AgentReport {
	/** Its last answer; if it ended early, everything that it said. */
	readonly text: string;
	/** Why it ended before its task was done, as a sentence. */
	readonly fault?: string;
	/** Finished calls of tools, including those of agents that it called. */
	readonly calls: number;
	/** Tools that it loaded itself: `server:tool`. */
	readonly loaded: readonly string[];
	/** Input and output, if the provider reported them. */
	readonly tokens?: number;
	readonly ms: number;
}

/** The result for the caller's model. */
export function agentResult(agent: string, { text, fault }: AgentReport): ToolResult {
	const report =
		text.length > answerLimit
			? `${cut(text, answerLimit)}\n\n(${text.length} characters in all; the rest was cut off)`
			: text;
	if (fault === undefined) return textResult(report);
	const soFar = report ? ` What it said so far:\n\n${report}` : '';
	return errorResult(`Error: The agent '${agent}' ended before its task was done: ${fault}${soFar}`);
}
