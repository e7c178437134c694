import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tool, ToolResult } from '../../../../src/discovery/catalog/tool.ts';
import { ChangedFiles } from '../../../../src/vscode/participant/changedFiles.ts';

let root: string;
const at = (...names: readonly string[]) => path.join(root, ...names);

beforeAll(() => {
	root = mkdtempSync(path.join(tmpdir(), 'discovery-changed-'));
	for (const folder of ['app/notes', 'web', 'outside']) mkdirSync(at(folder), { recursive: true });
	for (const file of ['app/notes/a.md', 'app/b.md', 'web/b.md', 'web/..c.md', 'outside/secret.txt'])
		writeFileSync(at(file), '');
	symlinkSync(at('outside/secret.txt'), at('app/link.txt'));
	symlinkSync(at('outside'), at('app/linked'));
});
afterAll(() => rmSync(root, { recursive: true }));

interface Call {
	readonly result?: Partial<ToolResult>;
	readonly annotations?: Tool['annotations'];
}

/** What an answer links to, relative to the root, whose calls had these arguments. */
async function linked(
	inputs: readonly Readonly<Record<string, unknown>>[],
	{ result, annotations }: Call = {},
): Promise<readonly string[]> {
	const files = new ChangedFiles([at('app'), at('web')]);
	const names = { server: 'files', name: 'change', id: 'files:change', wireName: 'files__change' };
	const tool = { ...names, inputSchema: { type: 'object' as const }, ...(annotations && { annotations }) };
	for (const input of inputs)
		files.note({
			type: 'toolFinished',
			call: { id: '1', name: tool.wireName, input },
			tool,
			result: { content: [], isError: false, ...result },
		});
	return (await files.existing()).map((file) => path.relative(root, file).replaceAll(path.sep, '/'));
}

describe('given a call that has succeeded', () => {
	test('then files in its arguments are linked, whatever the tool and its arguments are called', async () => {
		expect(await linked([{ whatever: 'notes/a.md', content: 'text' }])).toEqual(['app/notes/a.md']);
		expect(await linked([{ target: at('web/..c.md') }])).toEqual(['web/..c.md']);
	});

	test('then a relative path is resolved in every workspace folder, and each file is linked once', async () => {
		expect(await linked([{ path: 'b.md' }, { path: './b.md', copy: at('app/b.md') }])).toEqual([
			'app/b.md',
			'web/b.md',
		]);
	});

	test('then folders, missing files and plain text are not linked', async () => {
		const texts = ['', ' ', '.', 'notes', 'gone.md', 'b.md\n', 'b.md\0', 'b.md'.repeat(1_000)];
		expect(await linked(texts.map((text) => ({ text })))).toEqual([]);
		expect(await linked([{ deep: { path: 'b.md' }, list: ['b.md'], n: 1 }])).toEqual([]);
	});

	test('then nothing outside the workspace is linked, even through a symbolic link', async () => {
		const outside = ['../outside/secret.txt', at('outside/secret.txt'), 'link.txt', 'linked/secret.txt'];
		expect(await linked(outside.map((file) => ({ file })))).toEqual([]);
	});

	test('then the number of links is limited', async () => {
		const names = Array.from({ length: 30 }, (_, i) => `many-${i}.txt`);
		for (const name of names) writeFileSync(at('app', name), '');
		const found = await linked(names.map((file) => ({ file })));
		expect(found.length).toBeGreaterThan(2);
		expect(found.length).toBeLessThan(names.length);
	});
});

test.each<[string, Call]>([
	['has failed', { result: { isError: true } }],
	['was declined', { result: { declined: true } }],
	['only reads', { annotations: { readOnlyHint: true } }],
])('given a call that %s, then nothing is linked', async (_, call) => {
	expect(await linked([{ path: 'b.md' }], call)).toEqual([]);
});
