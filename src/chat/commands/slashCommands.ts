import type { SearchMiss, Unsearched } from '../../discovery/catalog/syntheticTool.ts';
import type { Toolset } from '../../discovery/catalog/toolset.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { AgentList } from '../agents/agent.ts';
import { agents } from './agents.ts';
import { context } from './context.ts';
import { find } from './find.ts';
import { load, reset, unload } from './loading.ts';
import { type PromptSource, prompt } from './prompt.ts';
import { describe, tools } from './tools.ts';
import { toolset } from './toolset.ts';

/** What a slash command works on. */
export interface SlashCommandContext {
	readonly session: DiscoverySession;
	readonly toolsets: ReadonlyMap<string, Toolset>;
	/** Chooses a toolset for this chat, at once; `undefined`: none. */
	readonly chooseToolset: (name: string | undefined) => void;
	/** Agents of the workspace as their files are now. */
	readonly agents: () => Promise<AgentList>;
	/** Prompts of servers; absent where no server may be asked. */
	readonly prompts?: PromptSource;
	/** For a search that finds nothing likely. */
	readonly miss?: SearchMiss;
	/** Gets what such a search could not look at. */
	readonly onUnsearched?: (unsearched: Unsearched) => void;
}

/** Answers one slash command in Markdown, without a model. `args` is what stands after the command. */
export type SlashCommand = (args: string, context: SlashCommandContext) => string | Promise<string>;

/** The commands of `@discovery`, by name. */
export const slashCommandHandlers: Readonly<Record<string, SlashCommand>> = {
	find,
	tools,
	describe,
	load,
	unload,
	context,
	toolset,
	agents,
	prompt,
	reset,
};
