import { contributions } from '../../src/vscode/actions/contributions.ts';
import { ids } from '../../src/vscode/ui/ids.ts';

export interface Manifest {
	readonly contributes: Readonly<Record<string, unknown>>;
}

/** Replaces the commands, menus and keybindings of a `package.json` by those of the table of actions. */
export function withContributions<T extends Manifest>(manifest: T): T {
	const { commands, menus, keybindings } = contributions();
	return { ...manifest, contributes: { ...manifest.contributes, commands, menus, keybindings } };
}

/** Replaces the command titles of a `package.nls.json` by those of the table of actions. */
export function withTexts(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
	const isOfCommand = (key: string) =>
		/^mcpDiscovery\.\w+\.(title|short)$/.test(key) && !key.startsWith(ids.walkthrough);
	const others = Object.entries(texts).filter(([key]) => !isOfCommand(key));
	const all = [...others, ...Object.entries(contributions().texts)];
	return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
