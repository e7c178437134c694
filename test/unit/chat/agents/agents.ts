import type { Agent } from '../../../../src/chat/agents/agent.ts';
import type { ChatRequest } from '../../../../src/models/chatModel.ts';
import { type Round, ScriptedModel } from '../conversation.ts';

/** An agent that may use everything, but for what is said otherwise. */
export function agent(name: string, more: Partial<Agent> = {}): Agent {
	return {
		name,
		description: `Does what a ${name} does`,
		instructions: `You are the ${name}.`,
		tools: undefined,
		disallowedTools: [],
		serverTools: [],
		inheritsActive: true,
		isForModels: true,
		file: `.github/agents/${name}.agent.md`,
		...more,
	};
}

/** Who is asked: by the first words of its system prompt. */
export function asked(request: ChatRequest): string {
	return /^You are the (\S+)\./.exec(request.system)?.[1] ?? 'chat';
}

export function requestsOf(model: ScriptedModel, who: string): readonly ChatRequest[] {
	return model.requests.filter((request) => asked(request) === who);
}

/** A model that plays everybody, each by a script of its own. */
export function players(scripts: Readonly<Record<string, readonly Round[]>>): ScriptedModel {
	const rounds = new Map<string, number>();
	return new ScriptedModel([
		(request, signal) => {
			const who = asked(request);
			const round = rounds.get(who) ?? 0;
			rounds.set(who, round + 1);
			const script = scripts[who] ?? [];
			const play = script[Math.min(round, script.length - 1)];
			if (!play) throw new Error(`nobody plays ${who}`);
			return play(request, signal);
		},
	]);
}
