import { describe, expect, test } from 'vitest';
import type { ConfigProblem } from '../../../../src/config/file/problemReport.ts';
import { withValueAt } from '../../../../src/config/fixes/configFix.ts';
import { type Fault, load, problemsOf, server } from '../fixtures.ts';
import { faults } from './faultTable.ts';
import { unreadableFiles } from './fileFaults.ts';

/** The same file with a valid server, client, model and toolset added. */
function withHealthyEntries(text: string): string {
	return [
		[['mcp_servers', 'healthy'], { command: 'node' }],
		[['clients', 'healthy'], { provider: 'ollama' }],
		[['models', 'healthy'], { client: 'healthy', model: 'x' }],
		[['tool_sets', 'healthy'], { servers: { healthy: ['read'] } }],
	].reduce<string>((rest, [path, value]) => withValueAt(rest, path as string[], value as never), text);
}

function isWithin(text: string, { start, end }: ConfigProblem): boolean {
	const lines = text.split(/\r\n|\r|\n/);
	const isOrdered = start.line < end.line || (start.line === end.line && start.character < end.character);
	return isOrdered && end.character <= (lines[end.line]?.length ?? -1);
}

/** Every fault, with all that is said of its file below it. */
function wordsOf(files: readonly Fault[]): string {
	return files.map(([fault, text]) => [fault, ...problemsOf(text)].join('\n  ')).join('\n');
}

describe('an error in an entry', () => {
	test('is told in these words', () => expect(wordsOf(faults)).toMatchSnapshot());

	test.each(faults)('is reported with its place, and disables nothing else: %s', (_fault, text) => {
		const { problems } = load(text);
		expect(problems).not.toEqual([]);
		for (const problem of problems) {
			expect(isWithin(text, problem), problem.message).toBe(true);
			if (problem.path.length > 0) expect(problem.message).toMatch(/^[\w$]+([.[].*)?: \S/s);
		}
		const { config } = load(withHealthyEntries(text));
		expect(config?.launches.get('healthy')).toMatchObject({ command: 'node' });
		expect(config?.clients.map(({ name }) => name)).toContain('healthy');
		expect(config?.models.has('healthy')).toBe(true);
		expect(config?.toolsets.has('healthy')).toBe(true);
	});

	test('disables the whole toolset that has it', () => {
		const { config } = load(
			'{ "tool_sets": { "t": { "servers": { "w": { "exlude": ["x"] } } }, "u": { "servers": {} } } }',
		);
		expect([...(config?.toolsets.keys() ?? [])]).toEqual(['u']);
	});

	test('contains no secret', () => {
		const { problems } = load(
			server(
				`"url": "https://me:hush-hush@x.test/\${env:TOKEN}"`,
				`"headers": { "X\\n": "\${env:TOKEN}\\n" }`,
			),
		);
		expect(problems.length).toBeGreaterThan(1);
		expect(JSON.stringify(problems)).not.toContain('hush');
	});

	test('has a range that covers the faulty part, even with CRLF', () => {
		const { problems } = load('{\r\n"servers": {\r\n"w": { "command": 512 } } }');
		expect(problems[0]).toMatchObject({ start: { line: 2, character: 18 }, end: { line: 2, character: 21 } });
	});
});

describe('a file with many errors', () => {
	test('reports only the first 200', () => {
		const servers = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`s${n}`, { command: n }]));
		const { config, problems } = load(JSON.stringify({ servers }));
		expect(problems).toHaveLength(200);
		expect(config?.launches.size).toBe(0);
	});

	test('reports an error even after too many warnings', () => {
		const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]));
		const { problems } = load(JSON.stringify({ ...unknown, servers: { w: { command: 5 } } }));
		expect(problems.filter(({ severity }) => severity === 'error').map(({ path }) => path)).toEqual([
			['servers', 'w', 'command'],
		]);
	});
});

describe('a malformed file gives no configuration, so the last valid one stays in use', () => {
	test('and is told in these words', () => expect(wordsOf(unreadableFiles)).toMatchSnapshot());

	test.each(unreadableFiles)('%s', (_fault, text) => {
		const { config, problems } = load(text);
		expect(config).toBeUndefined();
		expect(problems[0]?.severity).toBe('error');
	});
});
