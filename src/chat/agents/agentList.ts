import type { Agent, AgentFault, AgentList } from './agent.ts';
import type { ParsedAgent } from './parseAgent.ts';

/** The agents of some files; of two by one name the first counts, and the other is told as a fault. */
export function agentList(parsed: readonly ParsedAgent[]): AgentList {
	const agents = new Map<string, Agent>();
	const faults: AgentFault[] = [];
	for (const one of parsed) {
		if (!one.ok) {
			faults.push(one.fault);
			continue;
		}
		const { name, file } = one.agent;
		const first = agents.get(name.toLowerCase());
		if (!first) agents.set(name.toLowerCase(), one.agent);
		else {
			const message = `There is another agent "${name}", in ${first.file}, and that one counts: give this one a name of its own.`;
			faults.push({ file, line: 1, column: 1, message });
		}
	}
	return { agents: [...agents.values()], faults };
}
