import * as l10n from '@vscode/l10n';
import { code } from '../../discovery/markdown.ts';
import { namedTools } from './namedTools.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { isLoaded } from './toolLine.ts';

/** `/load NAMES`: loads deferred tools for this chat. */
export function load(args: string, { session }: SlashCommandContext): string {
	const { tools: named, faults } = namedTools(args, session);
	if (named.length === 0 && faults.length === 0) {
		return l10n.t('Which tools? Example: {0}', code('/load filesystem:write_file'));
	}
	const before = session.activated;
	const already = named.filter((tool) => isLoaded(tool, session));
	// As in a turn of its own, what the last turn loaded may make room.
	session.beginByHand();
	const added = session.load(named);
	const refused = named.filter((tool) => !isLoaded(tool, session));
	const evicted = before.filter((tool) => !isLoaded(tool, session));
	return [
		...faults,
		...added.map((tool) => l10n.t('Loaded {0} for this chat.', code(tool.id))),
		...already.map((tool) => l10n.t('{0} was loaded already.', code(tool.id))),
		...refused.map((tool) =>
			l10n.t('{0} does not fit: unload another one first ({1}).', code(tool.id), code('/unload')),
		),
		...evicted.map((tool) => l10n.t('Unloaded {0} to make room.', code(tool.id))),
	].join('\n\n');
}
