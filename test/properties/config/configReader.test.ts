import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigReader } from '../../../src/config/configReader.ts';
import { loadConfig } from '../../../src/config/load.ts';

const script = fileURLToPath(import.meta.resolve('../../../src/config/configThread.ts'));
const scope = { workspaceFolder: '/w', env: { HOME: '/home/ada', K: 'k' }, secrets: { STORED: 'kept' } };
/** A quarter of what a file may have: it takes long enough. */
const largest = 250_000;

/** As many parts as a file has room for. */
function filled(part: (i: number) => string): string {
	const parts: string[] = [];
	for (let size = 0; size < largest; size += (parts.at(-1)?.length ?? 0) + 1) parts.push(part(parts.length));
	return parts.slice(0, -1).join(',');
}

const server = (i: number) =>
	`"s${i}":{"command":"npx","args":["--token","abc${i}"],"env":{"A":"\${env:K}","B":"\${env:STORED}"},"__proto__":1}`;
const shapes: readonly [string, string][] = [
	['servers', `{"servers":{${filled(server)}}}`],
	[
		'models of clients that there are not',
		`{"clients":{"o":{"provider":"openai"}},"models":{${filled((i) => `"m${i}":{"client":"p${i}","model":"g"}`)}}}`,
	],
	['keys that are not known', `{"servers":{"s":{"command":"x",${filled((i) => `"kommand${i}":1`)}}}}`],
	['empty lists', `{"servers":{"s":{"command":"x","args":[${filled(() => '[]')}]}}}`],
	['a cut', `{"servers":{${filled(server)}`],
	['a value without end', `{"servers":{"s":{"command":"x","env":{"A":"${'?key=1&'.repeat(35_000)}"}}}}`],
];

describe('given a large configuration', () => {
	test.each(shapes)('of %s: it is read as a small one, while everything else goes on', async (_, text) => {
		let turns = 0;
		let reading = true;
		const beside = (async () => {
			for (; reading; turns++) await new Promise((resolve) => setImmediate(resolve));
		})();
		const loaded = await new ConfigReader(script).load(text, scope);
		reading = false;
		await beside;
		// On this thread it would be one.
		expect(turns).toBeGreaterThan(100);
		// As the pool compares launches: a file that grows over the bound must not restart its servers.
		expect(isDeepStrictEqual(loaded, loadConfig(text, scope))).toBe(true);
	});
});

test('what is wrong on disk has its place, found once for each folder', async () => {
	const text = `{"servers":{${filled((i) => `"s${i}":{"command":"x","cwd":"/gone/${i % 3}"}`)}}}`;
	const reader = new ConfigReader(script);
	const { config } = await reader.load(text, scope);
	if (!config) throw new Error('it is well-formed');
	const asked: string[] = [];
	const disk = {
		folderState: async (folder: string) => {
			asked.push(folder);
			return 'missing' as const;
		},
		templates: async () => [],
	};
	const problems = await reader.diskProblems(text, config, disk);
	expect(asked).toEqual(['/gone/0', '/gone/1', '/gone/2']);
	expect(problems).toHaveLength(200);
	expect(problems[0]).toMatchObject({ path: ['servers', 's0', 'cwd'], start: { line: 0 } });
});

test('a thread that fails is a fault of the file, with the reason', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'thread-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const failing = join(folder, 'failing.js');
	writeFileSync(failing, 'throw new Error("out of order")');
	const { config, problems } = await new ConfigReader(failing).load(shapes[0]?.[1] ?? '', scope);
	expect([config, problems[0]?.message]).toEqual([undefined, 'The file cannot be read: out of order']);
});
