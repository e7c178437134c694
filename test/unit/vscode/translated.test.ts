import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { afterEach, expect, test } from 'vitest';
import { codeTexts } from '../../../scripts/l10n/codeTexts.ts';
import { PROJECT_ROOT } from '../../../scripts/projectPaths.ts';
import { context } from '../../../src/chat/commands/context.ts';
import { shownParameters } from '../../../src/chat/shownParameters.ts';
import { contextReport } from '../../../src/discovery/report.ts';
import { chatState } from '../../../src/vscode/context/page/words.ts';
import { rowOf } from '../../../src/vscode/trees/serverRows.ts';
import { loadReason } from '../../../src/vscode/ui/loadReasons.ts';
import { serverWith, sessionsWith } from './fixtures.ts';

/** Every text of some folders, in a language that nobody speaks: a word that stays English was forgotten. */
const folders = ['src/vscode', 'src/chat'];

function textsOf(folder: string): readonly string[] {
	return readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
		.map((entry) => path.join(entry.parentPath, entry.name))
		.flatMap((file) => codeTexts(file, readFileSync(file, 'utf8')));
}

function speakUpperCase(): void {
	const texts = folders.flatMap(textsOf).map((text) => [text, text.toUpperCase()]);
	l10n.config({ contents: Object.fromEntries(texts) });
}

afterEach(() => l10n.config({ contents: {} }));

test('when the language is set after all modules are loaded, then the visible texts are translated', async () => {
	const sessions = sessionsWith(['read'], { pinned: ['read'] });
	const server = serverWith(
		'FILES',
		{ READ: { state: 'pinned' } },
		{ state: { kind: 'stopped', byUser: true } },
	);
	const names = Array.from({ length: 50 }, (_, index) => `P${index}`);
	const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
	const manyParameters = { type: 'object', properties, required: ['P0'] };
	speakUpperCase();
	const report = contextReport(sessions.currentOrNext().discovery);
	const words = [
		rowOf(server).description,
		rowOf(server).accessibleLabel,
		...server.tools.map((tool) => rowOf(tool).description),
		loadReason({ reason: 'search' }).long,
		chatState(report),
		shownParameters({ type: 'object', properties: {} }),
		// Types are those of JSON Schema.
		shownParameters(manyParameters).replaceAll('integer', '1'),
	];
	for (const word of words) expect(word).toBe(word.toUpperCase());
	expect(words[1]).toContain('IDLE');
	expect(words.at(-1)).toMatch(/, REQUIRED\).* … AND 10 MORE$/);
	const answer = await context('', {
		session: sessions.currentOrNext().discovery,
		toolsets: new Map(),
		chooseToolset: () => {},
		agents: async () => ({ agents: [], faults: [] }),
	});
	expect(answer).toContain('| EVERY TOOL LOADED |');
});
