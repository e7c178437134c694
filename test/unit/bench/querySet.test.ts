import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { joinServers, readCorpora } from '../../../bench/corpus.ts';
import { readQuerySets } from '../../../bench/querySet.ts';

const files = {
	name: 'files',
	tools: [{ name: 'read' }, { name: 'write', inputSchema: { type: 'object', required: ['path'] } }],
};
const query = { id: '1', text: 'read it', gold: [[['files', 'read']]] };

let folder: string;

const write = (file: string, content: unknown): void => {
	mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
	writeFileSync(path.join(folder, file), JSON.stringify(content));
};

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'corpora-'));
	write('small/tools.json', { servers: [files] });
	write('large/tools.json', { servers: [files, { name: 'git', tools: [{ name: 'log' }] }] });
	write('notes/README.json', {});
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('given a folder of corpora', () => {
	test('then each folder with tools is a corpus, and each tool has its server name and a schema', () => {
		const corpora = readCorpora(folder);
		expect(corpora.map(({ name }) => name)).toEqual(['large', 'small']);
		expect(corpora[1]?.servers[0]?.tools).toEqual([
			{ server: 'files', name: 'read', inputSchema: { type: 'object', properties: {} } },
			{ server: 'files', name: 'write', inputSchema: { type: 'object', required: ['path'] } },
		]);
	});

	test('when corpora are joined, then a server with a duplicate name is renamed and keeps its tools', () => {
		const joined = joinServers(readCorpora(folder));
		expect(joined.map(({ name }) => name)).toEqual(['files', 'git', 'files-2']);
		expect(joined[2]?.tools.map(({ server }) => server)).toEqual(['files-2', 'files-2']);
	});

	test('then query sets are named after their files and corpora', () => {
		write('small/queries.json', [query]);
		write('large/tasks.queries.json', [query]);
		const sets = readQuerySets(folder, readCorpora(folder));
		expect(sets.map(({ name }) => name)).toEqual(['large-tasks', 'small']);
		expect(sets[1]?.queries).toEqual([query]);
	});

	test('when queries cover two corpora, then a tool that both contain appears once', () => {
		write('small/model-with-large.queries.json', [query]);
		const [set] = readQuerySets(folder, readCorpora(folder));
		expect(set?.tools.map(({ name }) => name)).toEqual(['read', 'write', 'log']);
	});

	test('when the other corpus is missing, then an error names it', () => {
		write('small/model-with-huge.queries.json', [query]);
		expect(() => readQuerySets(folder, readCorpora(folder))).toThrow("a corpus 'huge' that is not there");
	});
});
