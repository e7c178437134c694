import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { slashCommandHandlers } from '../../../../src/chat/commands/slashCommands.ts';
import { limitSettings } from '../../../../src/vscode/config/limits.ts';
import {
	commands,
	contextKeys,
	ids,
	needsTrust,
	settings,
	slashCommands,
} from '../../../../src/vscode/ui/ids.ts';
import { readLocalizedPackage, readTexts, referredKey } from '../../../localizedPackage.ts';

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
		const tools = [ids.callTool, ids.searchTools, ids.listTools, ids.toolDetails];
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

	test('the editor is told nothing of approving tools: the question before a call is ours, and it would write a line about that below it', () => {
		const defaults = Object.keys(contributes.configurationDefaults);
		expect(defaults.filter((key) => key.startsWith('chat.tools'))).toEqual([]);
	});
});

interface MenuItem {
	readonly command: string;
	readonly when?: string;
	readonly group?: string;
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

/** Context values of rows, as `serverRows.ts` and `loadedNodes.ts` make them. */
const rowValues: readonly string[] = [
	...['origin', 'problem', 'problems', 'faulty', 'always', 'editorServer', 'disabledServer', 'disabledTool'],
	...['', '.ofUser', '.ofFolder'].map((from) => `server.unapproved${from}`),
	...combined('server', [
		['.signedOut.', '.running.', '.stopped.'],
		['open.', 'deferred.'],
		['trusted', 'doubted'],
		['', '.held'],
		['', '.wantsUser'],
		['', '.signedIn'],
		['', '.ofUser', '.ofFolder'],
		['', '.ruled'],
	]),
	...combined('tool.', [
		['deferred', 'activated', 'loaded', 'pinned', 'outside', 'held'],
		['', '.ruled'],
	]),
	...combined('editorTool.', [['deferred', 'activated', 'outside']]),
].filter((value) => !value.startsWith('server.signedOut') || value.includes('.wantsUser'));

function combined(start: string, parts: readonly (readonly string[])[]): readonly string[] {
	return parts.reduce<readonly string[]>(
		(all, part) => all.flatMap((begun) => part.map((one) => begun + one)),
		[start],
	);
}

function negated(key: string): string {
	return key.startsWith('!') ? key.slice(1) : `!${key}`;
}

/** Whether both of two conditions can hold, as far as views, rows and plain keys tell. */
function canBothHold(a = '', b = ''): boolean {
	const parts = [a, b].map((one) => one.split(' && '));
	const [first = [], second = []] = parts;
	const values = (key: string) =>
		new Set([...first, ...second].filter((part) => part.startsWith(`${key} == `))).size;
	if (values('view') > 1 || values('resourceScheme') > 1) return false;
	if (first.some((part) => second.includes(negated(part)))) return false;
	const conditions = [...first, ...second].filter((part) => part.startsWith('viewItem'));
	return (
		conditions.length === 0 ||
		rowValues.some((value) =>
			conditions.every((condition) => {
				const pattern = /^viewItem =~ \/(.*)\/$/.exec(condition)?.[1];
				return pattern === undefined ? condition === `viewItem == ${value}` : new RegExp(pattern).test(value);
			}),
		)
	);
}

test('no two entries of a menu that can be seen at once share a place', () => {
	for (const [menu, items] of Object.entries(others)) {
		const clashes = items.flatMap((item, index) =>
			items
				.slice(index + 1)
				.filter(({ group, when }) => group === item.group && canBothHold(when, item.when))
				.map(({ command, group }) => `${menu} ${group}: ${item.command}, ${command}`),
		);
		expect(clashes).toEqual([]);
	}
});

test('what starts nothing works everywhere', () => {
	for (const command of [commands.openConfig, commands.openGuide, commands.clearHistory])
		expect(needsTrust(command), command).toBe(false);
	for (const command of [commands.startServer, commands.enableDiscovery, commands.importServers])
		expect(needsTrust(command), command).toBe(true);
});

/** Places in package.json whose texts a person reads. */
const VISIBLE = [
	/\/(altText|contents|contextualTitle|fullName|label|placeholder|shortTitle|title)$/,
	/\/(description|displayName|markdownDescription|userDescription)$/,
	/\/(enumDescriptions|enumItemLabels|markdownEnumDescriptions)\/\d+$/,
	/^\/contributes\/views\/\w+\/\d+\/name$/,
	/^\/contributes\/commands\/\d+\/category$/,
];

/** Models read these, in English like all they are told. */
const FOR_MODELS = /\/(disambiguation|inputSchema)\//;

/** Every string of a JSON value, with its place. */
function* strings(value: unknown, place = ''): Generator<readonly [place: string, text: string]> {
	if (typeof value === 'string') yield [place, value];
	else if (typeof value === 'object' && value !== null)
		for (const [name, inner] of Object.entries(value)) yield* strings(inner, `${place}/${name}`);
}

const source = readFileSync('package.json', 'utf8');
const texts = readTexts();
const keys = Object.keys(texts);

describe('the texts of package.json can be translated', () => {
	test('every text that a person reads stands in package.nls.json', () => {
		const shown = [...strings(JSON.parse(source))].filter(
			([place]) => VISIBLE.some((pattern) => pattern.test(place)) && !FOR_MODELS.test(place),
		);
		expect(shown.length).toBeGreaterThan(100);
		expect(shown.filter(([, text]) => referredKey(text) === undefined)).toEqual([]);
	});

	test('every key that is used exists, and every key that exists is used', () => {
		const used = source.match(/(?<="%)[^"%]+(?=%")/g);
		expect([...new Set(used)].sort()).toEqual([...keys].sort());
	});

	test('keys are sorted, and no text is empty', () => {
		expect(keys).toEqual([...keys].sort());
		expect(keys.filter((key) => texts[key]?.trim() === '')).toEqual([]);
	});
});
