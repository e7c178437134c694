import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
	type Choice,
	serverChoices,
	switchChoices,
	toolChoices,
} from '../../../../src/vscode/commands/choices.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';

const known = new Set<string>(Object.values(commands));

test('what is chosen for a command says what choosing does, each for a command of its own', () => {
	const choices = [
		...Object.values(serverChoices({ trustsHints: () => false }, { isUsers: () => false })),
		...Object.values(toolChoices()),
	];
	expect(new Set(choices.map(({ command }) => command)).size).toBe(choices.length);
	for (const { command, placeHolder } of choices) {
		expect(known, command).toContain(command);
		expect(placeHolder, command).toMatch(/^Choose a (server|tool)\b/);
	}
});

test('the title of a chooser names what is chosen: its own, or else that of the command', () => {
	const texts = JSON.parse(readFileSync('package.nls.json', 'utf8'));
	const choices: readonly Choice<never>[] = [
		...Object.values(serverChoices({ trustsHints: () => false }, { isUsers: () => false })),
		...Object.values(switchChoices()),
		...Object.values(toolChoices()),
	];
	for (const { command, title = texts[`${command}.title`] } of choices)
		expect(title, command).toMatch(/\b(Server|Tool)\b/);
});

test('the marks of a server can be trusted once it is approved, and distrusted while they are trusted', () => {
	const trusted = new Set(['b']);
	const { trust, distrust } = serverChoices(
		{ trustsHints: (name) => trusted.has(name) },
		{ isUsers: () => false },
	);
	const server = (name: string, kind: 'unapproved' | 'stopped') =>
		({ name, state: { kind }, kind: 'stdio', tools: [], cached: false, dropped: [] }) as const;
	const offered = [server('a', 'stopped'), server('b', 'stopped'), server('c', 'unapproved')].map((one) => [
		trust.offers(one),
		distrust.offers(one),
	]);
	expect(offered).toEqual([
		[true, false],
		[false, true],
		[false, false],
	]);
});
