import { nearestName } from '../../discovery/nearestName.ts';
import { oneLine } from '../../discovery/text.ts';
import type { Agent } from './agent.ts';
import { runAgentName } from './agentDefinition.ts';

/** Agents that a sentence names. */
const namedAgents = 20;

/** Who is to do what. */
export interface AgentTask {
	readonly agent: Agent;
	readonly task: string;
}

/** Reads what a model wrote; where it cannot be done, `message` is for the model. */
export function agentTask(
	input: Readonly<Record<string, unknown>>,
	agents: readonly Agent[],
): ({ readonly ok: true } & AgentTask) | { readonly ok: false; readonly message: string } {
	const { agent: name, task } = input;
	if (typeof name !== 'string' || name.trim() === '') {
		return wrong(`${runAgentName} needs the name of an "agent". ${listed(agents)}`);
	}
	const wanted = name.trim().toLowerCase();
	const agent = agents.find((one) => one.name.toLowerCase() === wanted);
	if (!agent) {
		const nearest = nearestName(
			name,
			agents.map((one) => one.name),
		);
		const hint = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
		return wrong(`There is no agent '${oneLine(name, 64)}'.${hint} ${listed(agents)}`);
	}
	if (typeof task !== 'string' || task.trim() === '') {
		return wrong(
			`${runAgentName} needs a "task": say what '${agent.name}' is to do, with all that it must know.`,
		);
	}
	return { ok: true, agent, task };
}

function wrong(message: string): { readonly ok: false; readonly message: string } {
	return { ok: false, message: `Error: ${message}` };
}

function listed(agents: readonly Agent[]): string {
	const names = agents.slice(0, namedAgents).map(({ name }) => name);
	const rest = agents.length - names.length;
	return `Agents: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
