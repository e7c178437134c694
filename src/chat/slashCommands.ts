import { agents } from './slashCommands/agents.ts';
import { context } from './slashCommands/context.ts';
import { describe } from './slashCommands/describe.ts';
import { find } from './slashCommands/find.ts';
import { load } from './slashCommands/load.ts';
import { reset } from './slashCommands/reset.ts';
import type { SlashCommand } from './slashCommands/slashCommand.ts';
import { tools } from './slashCommands/tools.ts';
import { toolset } from './slashCommands/toolset.ts';
import { unload } from './slashCommands/unload.ts';

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
	reset,
};
