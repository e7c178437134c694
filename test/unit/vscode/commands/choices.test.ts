import { expect, test } from 'vitest';
import { serverChoices, toolChoices } from '../../../../src/vscode/commands/choices.ts';
import { readLocalizedPackage } from '../../../localizedPackage.ts';

const titles = new Set<string>(
	readLocalizedPackage().contributes.commands.map(({ title }: { title: string }) => title.replace(/…$/, '')),
);

test('what is chosen for a command has the command’s title, and says what choosing does', () => {
	const choices = [
		...Object.values(serverChoices({ trustsHints: () => false })),
		...Object.values(toolChoices()),
	];
	for (const { title, placeHolder } of choices) {
		expect(titles, title).toContain(title);
		expect(placeHolder, title).toMatch(/^Choose a (server|tool)\b/);
	}
});

test('the marks of a server can be trusted once it is approved, and distrusted while they are trusted', () => {
	const trusted = new Set(['b']);
	const { trust, distrust } = serverChoices({ trustsHints: (name) => trusted.has(name) });
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
