import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { actions } from '../../../src/vscode/actions/table.ts';
import { pages } from './markdown.ts';

const guide = readdirSync('docs').filter((name) => name.endsWith('.md'));
const files = [
	'README.md',
	...guide.map((name) => `docs/${name}`),
	'package.nls.json',
	'l10n/bundle.l10n.json',
	'src/discovery/session/callTarget.ts',
	'examples/workspace/casual_mcp_config.json',
];

/** Every text of the interface. */
const interfaceTexts: ReadonlySet<string> = new Set(
	['package.nls.json', 'l10n/bundle.l10n.json'].flatMap((file): string[] =>
		Object.values(JSON.parse(readFileSync(file, 'utf8'))),
	),
);
/** A command of VS Code that the guide mentions. */
const ofEditor = 'Reopen Editor With…';

const titles: ReadonlySet<string> = new Set(Object.values(actions).flatMap(({ title }) => title ?? []));

/** The commands that a text names as the palette does, between marks or quotes. */
function commandsIn(text: string): readonly string[] {
	const named = text.matchAll(/(?:\*{1,2}|“|\\"|(?<=\w )["'])Discovery:\s([^*”"'\\{]+?)(?:\*{1,2}|[”"'\\])/g);
	return [...named].map(([, title = '']) => title.replaceAll(/\s+/g, ' '));
}

describe('what people read', () => {
	test.each(files)('in %s names only commands that exist', (file) => {
		expect(commandsIn(readFileSync(file, 'utf8')).filter((title) => !titles.has(title))).toEqual([]);
	});

	test.each(pages)('$path names only buttons and commands with … that exist', ({ text }) => {
		const named = [...text.matchAll(/\*\*(?:Discovery:\s)?([^*]+…)\*\*/g)].map(([, label = '']) =>
			label.replaceAll(/\s+/g, ' '),
		);
		expect(named.filter((label) => label !== ofEditor && !interfaceTexts.has(label))).toEqual([]);
	});

	test('names commands', () => {
		const all = files.flatMap((file) => commandsIn(readFileSync(file, 'utf8')));
		expect(all).toEqual(expect.arrayContaining(['Show Server Log', 'Set API Key or Secret…']));
	});
});
