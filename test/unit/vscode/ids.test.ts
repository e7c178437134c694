import { describe, expect, test } from 'vitest';
import { slashCommandHandlers } from '../../../src/chat/slashCommands.ts';
import { commands, contextKeys, ids, settings, slashCommands } from '../../../src/vscode/ids.ts';
import { limitSettings } from '../../../src/vscode/limits/limitSettings.ts';
import { readLocalizedPackage } from '../../localizedPackage.ts';

const { contributes, ...manifest } = readLocalizedPackage();

function names(entries: readonly Record<string, unknown>[], key: string): unknown[] {
	return entries.map((entry) => entry[key]).sort();
}

describe('what package.json contributes is what the code knows, and the other way round', () => {
	test('commands', () => {
		expect(names(contributes.commands, 'command')).toEqual(Object.values(commands).sort());
	});

	test('every command in a menu, behind a key, in a welcome view or a walk-through exists', () => {
		const used = JSON.stringify([
			contributes.menus,
			contributes.keybindings,
			contributes.viewsWelcome,
			contributes.walkthroughs,
		]).match(/mcpDiscovery\.[a-z]\w+/gi);
		const known = new Set<string>([
			...Object.values(commands),
			...Object.values(contextKeys),
			ids.serversView,
			ids.loadedView,
			ids.walkthrough,
		]);
		expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
	});

	test('views, participant, models and tools', () => {
		expect(names(contributes.walkthroughs, 'id')).toEqual([ids.walkthrough]);
		expect(`${manifest.publisher}.${manifest.name}`).toBe(ids.extension);
		expect(names(contributes.viewsContainers.activitybar, 'id')).toEqual([ids.viewContainer]);
		expect(names(contributes.views[ids.viewContainer], 'id')).toEqual([ids.loadedView, ids.serversView]);
		expect(names(contributes.chatParticipants, 'id')).toEqual([ids.participant]);
		expect(names(contributes.languageModelChatProviders, 'vendor')).toEqual([ids.vendor]);
		const tools = [ids.callTool, ids.readTool, ids.searchTools, ids.listTools, ids.toolDetails];
		expect(names(contributes.languageModelTools, 'name')).toEqual(tools.sort());
	});

	test('slash commands, and each has a handler', () => {
		expect(names(contributes.chatParticipants[0].commands, 'name')).toEqual([...slashCommands].sort());
		expect(Object.keys(slashCommandHandlers).sort()).toEqual([...slashCommands].sort());
	});

	test('settings', () => {
		const { section, limits, ...names } = settings;
		const known = [
			...Object.values(names),
			...Object.keys(limitSettings).map((name) => `${limits}.${name}`),
		].map((name) => `${section}.${name}`);
		expect(Object.keys(contributes.configuration.properties).sort()).toEqual(known.sort());
	});

	test('the tool that may change something is never approved for good', () => {
		const writing = contributes.languageModelTools.find(
			(tool: { name: string }) => tool.name === ids.callTool,
		);
		const key = `${manifest.publisher}.${manifest.name}/${writing.toolReferenceName}`;
		expect(contributes.configurationDefaults['chat.tools.eligibleForAutoApproval']).toEqual({ [key]: false });
	});
});
