import type { SlashCommandContext } from './slashCommand.ts';
import { counted } from './toolLine.ts';

/** `/reset`: unloads everything that this chat has loaded, and leaves its toolset. */
export function reset(_args: string, { session, chooseToolset }: SlashCommandContext): string {
	const unloaded = session.activated.length;
	session.reset();
	chooseToolset(undefined);
	return `This chat starts afresh: ${counted(unloaded, 'tool')} unloaded, no toolset chosen.`;
}
