import { describe, expect, test } from 'vitest';
import { addSearchWords } from '../../../src/config/edit.ts';
import { edited, load } from './fixtures.ts';

const hint = (server: string, tool: string, words: string) => ({ server, tool, words });

describe('words for search are written into the configuration', () => {
	const text = `{
	// mine
	"mcpServers": {
		"git": { "command": "git", "tools": { "log": { "search_hint": "history" } } }, // keep me
		"files": {
			"command": "files"
		}
	},
	"tool_discovery": { "synonyms": ["a, b"] /* and more */ }
}
`;

	test('all in one edit, behind what is there, and nothing else is touched', () => {
		const edits = addSearchWords(text, {
			hints: [hint('git', 'log', 'who did it'), hint('git', 'blame', 'culprit'), hint('files', 'a.b', 'x')],
			synonyms: ['fracas => incident', 'c, d'],
		});
		expect(edits).toHaveLength(1);
		const after = edited(text, edits);
		expect(after.split('\n').filter((line) => /\/\/|\/\*/.test(line))).toHaveLength(3);
		const policy = load(after).config?.policy;
		expect(policy?.servers.get('git')?.tools).toEqual(
			new Map([
				['log', { searchHint: 'history who did it' }],
				['blame', { searchHint: 'culprit' }],
			]),
		);
		expect(policy?.servers.get('files')?.tools.get('a.b')).toEqual({ searchHint: 'x' });
		expect(policy?.synonyms).toEqual(['a, b', 'fracas => incident', 'c, d']);
	});

	test('where nothing is said of tools or synonyms yet', () => {
		const bare = '{ "servers": { "git": { "command": "git" } } }';
		const edits = addSearchWords(bare, { hints: [hint('git', 'log', 'x')], synonyms: ['a, b'] });
		expect(edited(bare, edits)).toBe(
			'{ "servers": { "git": { "command": "git", "tools": { "log": { "search_hint": "x" } } } }, "tool_discovery": { "synonyms": ["a, b"] } }',
		);
	});

	test('a server that is not there, or a file that cannot be read, is not changed', () => {
		expect(addSearchWords(text, { hints: [hint('gone', 'log', 'x')], synonyms: [] })).toBeUndefined();
		expect(addSearchWords('{', { hints: [], synonyms: [] })).toBeUndefined();
		expect(addSearchWords(text, { hints: [], synonyms: [] })).toEqual([]);
	});
});
