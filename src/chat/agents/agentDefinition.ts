import { oneLine } from '../../discovery/text.ts';
import { boundTokens } from '../../discovery/tokenBound.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import type { Agent } from './agent.ts';

/** The synthetic tool that sets agents to work. */
export const runAgentName = 'run_agent';

/** Most tokens of the list of agents, by a bound that holds. */
const listTokens = 1000;
/** Characters of each description in that list; less where all of them would be too much. 0: names only. */
const descriptionLimits = [300, 120, 0];

const purpose =
	'Gives a task to an agent: an assistant with instructions and tools of its own, which works on it alone and reports back. ' +
	'It sees nothing of this conversation, so put all that it needs into the task. Several agents can work side by side. ' +
	'The agents, as files of the workspace describe them:';

/** `run_agent` as a model is told of it, with the agents that it can call. */
export function runAgentDefinition(agents: readonly Agent[]): ToolDefinition {
	return {
		name: runAgentName,
		description: `${purpose}\n${listOf(agents)}`,
		inputSchema: {
			type: 'object',
			properties: {
				agent: { type: 'string', description: 'Name of the agent.' },
				task: { type: 'string', description: 'What it is to do, and what it is to report.' },
			},
			required: ['agent', 'task'],
		},
	};
}

/** The richest list that fits. Where not even the names do, the first of them. */
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
