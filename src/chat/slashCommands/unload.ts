import * as l10n from '@vscode/l10n';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { code } from '../../discovery/markdown.ts';
import { commandName, namedTools } from './namedTools.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { isLoaded } from './toolLine.ts';

/** `/unload NAMES` or `/unload all`: defers again what this chat has loaded. */
export function unload(args: string, { session }: SlashCommandContext): string {
	const { activated } = session;
	const { tools: named, faults } =
		args.trim() === 'all' ? { tools: activated, faults: [] } : namedTools(args, session);
	if (named.length === 0 && faults.length === 0) {
		const [first] = activated;
		return first
			? l10n.t(
					'Which tools? Example: {0}, or {1}.',
					code(`/unload ${commandName(first)}`),
					code('/unload all'),
				)
			: l10n.t('Nothing was loaded by search in this chat.');
	}
	const removed = session.unload(named).filter((tool) => !isLoaded(tool, session));
	const others = named.filter((tool) => !removed.includes(tool));
	const why = (tool: CatalogTool) =>
		isLoaded(tool, session)
			? l10n.t(
					'{0} is always loaded; defer it in the Servers view or in the configuration file.',
					code(tool.id),
				)
			: l10n.t('{0} was not loaded.', code(tool.id));
	return [
		...faults,
		...removed.map((tool) => l10n.t('Unloaded {0}.', code(tool.id))),
		...others.map(why),
	].join('\n\n');
}
