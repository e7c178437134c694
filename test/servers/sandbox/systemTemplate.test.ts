import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { renderSystemPrompt } from '../../../src/chat/systemPrompt.ts';
import { longDeadlines, sandboxForTests } from './sandboxFixture.ts';

const base = mkdtempSync(path.join(tmpdir(), 'system-template-'));
afterAll(() => rmSync(base, { recursive: true }));
const folder = path.join(base, 'workspace');
const templates = path.join(folder, 'prompt-templates');
const sandbox = sandboxForTests(longDeadlines);
const tools = [
	{
		name: 'files__read',
		description: 'Reads a file',
		inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
	},
];

beforeEach(() => {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(templates, { recursive: true });
});

function write(name: string, content: string | Uint8Array): void {
	writeFileSync(path.join(templates, name), content);
}

function render(template: string, from = folder) {
	return renderSystemPrompt({ folder: from, template, tools, sandbox });
}

describe('given a model with a template, then the rendered template is its system prompt', () => {
	test('with the tools that the model can call', async () => {
		write(
			'mine.j2',
			'\uFEFF{% for tool in tools %}{{ tool.name }}: {{ tool.description }} ({{ tool.parameters.required[0] }}, {{ tool.inputSchema.type }}){% endfor %}\n\n',
		);
		expect(await render('mine')).toEqual({ kind: 'ok', text: 'files__read: Reads a file (path, object)' });
	});

	test('through symbolic links that stay within the folder, or a link to the workspace', async () => {
		write('a.j2', 'A');
		symlinkSync('a.j2', path.join(templates, 'b.j2'));
		const link = path.join(base, 'link');
		symlinkSync(folder, link);
		expect(await render('b', link)).toEqual({ kind: 'ok', text: 'A' });
	});

	test('when the template folder is a link that stays beside the configuration file', async () => {
		renameSync(templates, path.join(folder, 'shared'));
		symlinkSync('shared', templates);
		write('a.j2', 'A');
		expect(await render('a')).toEqual({ kind: 'ok', text: 'A' });
	});

	test('with the template of the example workspace', async () => {
		const example = fileURLToPath(new URL('../../../examples/workspace', import.meta.url));
		const prompt = await render('brief', example);
		expect(prompt.kind === 'ok' && prompt.text.split('\n\n')).toEqual([
			expect.stringMatching(/^You are a helpful assistant[^{}]+$/),
			'You can call:\n- files__read (needs path)',
		]);
	});
});

describe('given an unusable template, then the error says which one, where the fault is, and what to do', () => {
	const out = ', or remove "template" from the model.';

	async function failure(template: string): Promise<string> {
		const prompt = await render(template);
		return prompt.kind === 'failed' ? prompt.message : prompt.text;
	}

	test('when there is no template of that name', async () => {
		expect(await failure('mine')).toBe(
			`prompt-templates/mine.j2 does not exist next to the configuration file. Create it${out}`,
		);
	});

	test('when the template has a fault', async () => {
		write('mine.j2', 'Hello\n{{ tools | nope }}');
		expect(await failure('mine')).toBe(
			`prompt-templates/mine.j2: Unknown ArrayValue filter: nope. Correct the template${out}`,
		);
	});

	test('when a link or a name leads out of the folder', async () => {
		writeFileSync(path.join(folder, 'secret.j2'), 'secret');
		symlinkSync('../secret.j2', path.join(templates, 'mine.j2'));
		const leadsOut = 'leads out of its folder. Put the file itself there';
		expect(await failure('mine')).toBe(`prompt-templates/mine.j2 ${leadsOut}${out}`);
		expect(await failure('../secret')).toBe(`prompt-templates/../secret.j2 ${leadsOut}${out}`);
	});

	test('when the template folder itself is a link that leads out', async () => {
		const elsewhere = path.join(base, 'elsewhere');
		mkdirSync(elsewhere, { recursive: true });
		writeFileSync(path.join(elsewhere, 'mine.j2'), 'secret');
		rmSync(templates, { recursive: true });
		symlinkSync(elsewhere, templates);
		expect(await failure('mine')).toContain('leads out of its folder');
	});

	test('when it is too large, not UTF-8, or not a file', async () => {
		write('large.j2', 'a'.repeat(256 * 1024 + 1));
		expect(await failure('large')).toContain('has 262145 bytes; at most 262144 are read. Shorten it');
		write('latin.j2', Uint8Array.of(0x63, 0x61, 0x66, 0xe9));
		expect(await failure('latin')).toContain('is not UTF-8. Save it as UTF-8 text');
		mkdirSync(path.join(templates, 'folder.j2'));
		expect(await failure('folder')).toContain('is not a file. Put a text file there');
	});

	test.skipIf(process.platform === 'win32')('when it is a pipe that nobody writes to', async () => {
		execFileSync('mkfifo', [path.join(templates, 'pipe.j2')]);
		expect(await failure('pipe')).toContain('is not a file');
	});
});
