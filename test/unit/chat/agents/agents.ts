import type { Agent } from '../../../../src/chat/agents/agent.ts';

/** An agent that may use everything, but for what is said otherwise. */
export function agent(name: string, more: Partial<Agent> = {}): Agent {
	return {
		name,
		description: `Does what a ${name} does`,
		instructions: `You are the ${name}.`,
		tools: undefined,
		disallowedTools: [],
		inheritsActive: true,
		isForModels: true,
		file: `.github/agents/${name}.agent.md`,
		...more,
	};
}
