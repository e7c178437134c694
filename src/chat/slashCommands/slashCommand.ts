import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import type { Toolset } from '../../discovery/toolset.ts';
import type { AgentList } from '../agents/agent.ts';

/** What a slash command works on. */
export interface SlashCommandContext {
	readonly session: DiscoverySession;
	readonly toolsets: ReadonlyMap<string, Toolset>;
	/** Chooses a toolset for this chat, at once; `undefined`: none. */
	readonly chooseToolset: (name: string | undefined) => void;
	/** Agents of the workspace as their files are now. */
	readonly agents: () => Promise<AgentList>;
}

/** Answers one slash command in Markdown, without a model. `args` is what stands after the command. */
export type SlashCommand = (args: string, context: SlashCommandContext) => string | Promise<string>;
