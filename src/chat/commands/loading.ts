import * as l10n from '@vscode/l10n';
import { code } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { toolCount } from '../counts.ts';
import { commandName, findNamedTools, isLoaded, type SlashCommandContext, toolList } from './namedTools.ts';

/** `/load NAMES`: loads deferred tools for this chat. */
export function load(args: string, { session }: SlashCommandContext): string {
	const { tools, faults } = findNamedTools(args, session);
	if (tools.length === 0 && faults.length === 0) {
		return l10n.t('Which tools? Example: {0}', code('/load filesystem:write_file'));
	}
	const previous = session.activated;
	const already = tools.filter((tool) => isLoaded(tool, session));
	// As in a new turn, tools that the last turn loaded may be evicted.
	session.log.append({ kind: 'byHand' });
	const added = session.load(tools);
	const refused = tools.filter((tool) => !isLoaded(tool, session));
	const evicted = previous.filter((tool) => !isLoaded(tool, session));
	return [
		...faults,
		...sentence(added, (names) => l10n.t('Loaded {0} for this chat.', names)),
		...sentence(already, (names) => l10n.t('Already loaded: {0}.', names)),
		...sentence(refused, (names) =>
			l10n.t('There is no room for {0}. Unload another tool first ({1}).', names, code('/unload')),
		),
		...sentence(evicted, (names) => l10n.t('Unloaded {0} to make room.', names)),
	].join('\n\n');
}

/** A sentence about these tools; none without tools. */
function sentence(tools: readonly CatalogTool[], words: (names: string) => string): readonly string[] {
	return tools.length > 0 ? [words(toolList(tools))] : [];
}

/** `/unload NAMES` or `/unload all`: unloads tools of this chat. */
export function unload(args: string, { session }: SlashCommandContext): string {
	const { activated } = session;
	const { tools, faults } =
		args.trim() === 'all' ? { tools: activated, faults: [] } : findNamedTools(args, session);
	if (tools.length === 0 && faults.length === 0) {
		const [first] = activated;
		return first
			? l10n.t(
					'Which tools? Example: {0}, or {1}.',
					code(`/unload ${commandName(first)}`),
					code('/unload all'),
				)
			: l10n.t('Nothing was loaded by search in this chat.');
	}
	const removed = session.unload(tools).filter((tool) => !isLoaded(tool, session));
	const others = tools.filter((tool) => !removed.includes(tool));
	const always = others.filter((tool) => isLoaded(tool, session));
	return [
		...faults,
		...sentence(removed, (names) => l10n.t('Unloaded {0}.', names)),
		...sentence(always, (names) =>
			l10n.t('Always loaded, until you defer it in the Servers view: {0}.', names),
		),
		...sentence(
			others.filter((tool) => !always.includes(tool)),
			(names) => l10n.t('Not loaded: {0}.', names),
		),
	].join('\n\n');
}

/** `/reset`: unloads all tools of this chat, and leaves its toolset. */
export function reset(_args: string, { session, chooseToolset }: SlashCommandContext): string {
	const unloaded = session.activated.length;
	session.log.append({ kind: 'reset' });
	chooseToolset(undefined);
	return l10n.t('This chat was reset: {0} unloaded, no toolset selected.', toolCount(unloaded));
}
