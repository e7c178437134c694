import * as l10n from '@vscode/l10n';
import { toolCount } from '../counts.ts';
import type { SlashCommandContext } from './slashCommand.ts';

/** `/reset`: unloads everything that this chat has loaded, and leaves its toolset. */
export function reset(_args: string, { session, chooseToolset }: SlashCommandContext): string {
	const unloaded = session.activated.length;
	session.reset();
	chooseToolset(undefined);
	return l10n.t('This chat starts afresh: {0} unloaded, no toolset chosen.', toolCount(unloaded));
}
