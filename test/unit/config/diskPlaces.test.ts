import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { type Disk, diskProblems } from '../../../src/config/diskPlaces.ts';
import { fixesFor } from '../../../src/config/fixes/fixes.ts';
import { load, scope, shown } from './fixtures.ts';

/** A disk with these folders outside of the workspace, and all that is in it but for `gone`. */
const disk: Disk = {
	folderState: async (folder) =>
		folder.startsWith('/elsewhere') ? 'outside' : folder.endsWith('/gone') ? 'missing' : 'inside',
	templates: async () => ['short', 'long'],
};

async function problems(text: string) {
	const { config } = load(text);
	if (!config) throw new Error('the text cannot be read');
	return diskProblems(text, config, disk);
}

describe('what is not on disk is marked', () => {
	test.each([
		['a folder in the workspace', '{ "servers": { "w": { "command": "x", "cwd": "sub" } } }', []],
		['no folder', '{ "servers": { "w": { "command": "x" } } }', []],
		[
			'a folder that is gone',
			'{ "mcpServers": { "w": { "command": "x", "cwd": "gone" } } }',
			[
				'warning 1:49 mcpServers.w.cwd: there is no such folder, so the server cannot start; create it or correct this',
			],
		],
		[
			'a folder outside of the workspace',
			'{ "servers": { "w": { "command": "x", "cwd": "/elsewhere" } } }',
			['warning 1:46 servers.w.cwd: the server starts outside of the workspace; be sure that you want it'],
		],
		['a folder of a server that is off', '{ "servers": { "w": { "command": "", "cwd": "gone" } } }', []],
	])('%s', async (_what, text, told) => {
		expect((await problems(text)).map(shown)).toEqual(told);
	});

	test('a template, and its fix takes the one that was meant', async () => {
		const text =
			'{ "clients": { "c": { "provider": "ollama" } }, "models": { "m": { "client": "c", "model": "x", "template": "shrt" }, "n": { "client": "c", "model": "x", "template": "long" } } }';
		const found = await problems(text);
		expect(found.map(shown)).toEqual([
			'warning 1:109 models.m.template: there is no file "prompt-templates/shrt.j2"; did you mean "short"?',
		]);
		const [fix] = found.flatMap((problem) => fixesFor(text, problem, scope.env));
		if (fix?.kind !== 'edit') throw new Error('there is no fix');
		expect(applyEdits(text, [...fix.edits])).toBe(text.replace('shrt', 'short'));
	});
});
