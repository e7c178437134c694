import { expect, test } from 'vitest';
import { needsTrust } from '../../../../src/vscode/commands/withoutTrust.ts';
import { commands } from '../../../../src/vscode/ids.ts';
import { readLocalizedPackage } from '../../../localizedPackage.ts';

interface MenuItem {
	readonly command: string;
	readonly when?: string;
}

const { commandPalette, ...others } = readLocalizedPackage().contributes.menus as Readonly<
	Record<string, readonly MenuItem[]>
>;

const isForTrusted = ({ when = '' }: MenuItem) => when.includes('isWorkspaceTrusted');

test('what the palette offers in trusted workspaces only does nothing in others, however it is called', () => {
	// What there is no filter of cannot be cleared; clearing it by a key does no harm.
	const harmless: string[] = [commands.clearFilter];
	const offered = (commandPalette ?? []).filter(isForTrusted).map(({ command }) => command);
	expect(offered.length).toBeGreaterThan(20);
	expect(offered.filter((command) => !needsTrust(command) && !harmless.includes(command))).toEqual([]);
});

test('the title of the Servers view has buttons that need trust in trusted workspaces only', () => {
	const ofServers = Object.values(others)
		.flat()
		.filter(({ when = '' }) => when.includes('view == mcpDiscovery.servers') && !when.includes('viewItem'));
	expect(ofServers.length).toBeGreaterThan(10);
	expect(ofServers.filter((item) => needsTrust(item.command) && !isForTrusted(item))).toEqual([]);
});

test('what starts nothing works everywhere', () => {
	for (const command of [commands.openConfig, commands.openGuide, commands.clearHistory])
		expect(needsTrust(command), command).toBe(false);
	for (const command of [commands.startServer, commands.enableDiscovery, commands.importServers])
		expect(needsTrust(command), command).toBe(true);
});
