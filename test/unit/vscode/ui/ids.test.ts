import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { slashCommandHandlers } from '../../../../src/chat/commands/slashCommands.ts';
import { limitSettings } from '../../../../src/vscode/core/limits.ts';
import { commands, contextKeys, ids, settings, slashCommands } from '../../../../src/vscode/ui/ids.ts';
import { readLocalizedPackage, readTexts, referredKey } from '../../../localizedPackage.ts';

const { contributes, ...manifest } = readLocalizedPackage();

function names(entries: readonly Record<string, unknown>[], key: string): unknown[] {
	return entries.map((entry) => entry[key]).sort();
}

describe('package.json and the code agree on', () => {
	test('the commands in welcome views and walkthroughs', () => {
		const used = JSON.stringify([contributes.viewsWelcome, contributes.walkthroughs]).match(
			/(?<=command:)mcpDiscovery\.[a-z]\w+/gi,
		);
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
		const [container] = names(contributes.viewsContainers.activitybar, 'id');
		expect(Object.keys(contributes.views)).toEqual([container]);
		expect(names(contributes.views[String(container)], 'id')).toEqual([ids.loadedView, ids.serversView]);
		expect(names(contributes.chatParticipants, 'id')).toEqual([ids.participant]);
		expect(names(contributes.languageModelChatProviders, 'vendor')).toEqual([ids.vendor]);
		const tools = [ids.callTool, ids.searchTools, ids.listTools, ids.toolDetails];
		expect(names(contributes.languageModelTools, 'name')).toEqual(tools.sort());
		expect(names(contributes.mcpServerDefinitionProviders, 'id')).toEqual([ids.gateway]);
	});

	test('slash commands and their handlers', () => {
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

	test('leaving chat.tools settings alone, because VS Code would add a line to each of our questions', () => {
		const defaults = Object.keys(contributes.configurationDefaults);
		expect(defaults.filter((key) => key.startsWith('chat.tools'))).toEqual([]);
	});
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
	test('every visible text is in package.nls.json', () => {
		const shown = [...strings(JSON.parse(source))].filter(
			([place]) => VISIBLE.some((pattern) => pattern.test(place)) && !FOR_MODELS.test(place),
		);
		expect(shown.length).toBeGreaterThan(100);
		expect(shown.filter(([, text]) => referredKey(text) === undefined)).toEqual([]);
	});

	test('every used key exists, and every existing key is used', () => {
		const used = source.match(/(?<="%)[^"%]+(?=%")/g);
		expect([...new Set(used)].sort()).toEqual([...keys].sort());
	});

	test('keys are sorted, and no text is empty', () => {
		expect(keys).toEqual([...keys].sort());
		expect(keys.filter((key) => texts[key]?.trim() === '')).toEqual([]);
	});
});
