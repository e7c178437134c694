import { agents } from './agents.ts';
import { context } from './context.ts';
import { find } from './find.ts';
import { load, reset, unload } from './loading.ts';
import type { SlashCommandContext } from './namedTools.ts';
import { prompt } from './prompt.ts';
import { describe, tools } from './tools.ts';
import { toolset } from './toolset.ts';

/** Answers a slash command in Markdown, without a model. `args`: the text after the command. */
export type SlashCommand = (args: string, context: SlashCommandContext) => string | Promise<string>;

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
