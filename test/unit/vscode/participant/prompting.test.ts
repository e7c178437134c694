import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ReadTexts } from '../../../../src/chat/results/readTexts.ts';
import { defaultSystemPrompt } from '../../../../src/chat/systemPrompt.ts';
import { SecretMask } from '../../../../src/config/secrets/secretMask.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { offlinePlannerDescription } from '../../../../src/models/planner/description.ts';
import { Prompting } from '../../../../src/vscode/participant/prompting.ts';
import { ids } from '../../../../src/vscode/ui/ids.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { reopen, Uri, workspace } from '../editor.ts';
import { sessionsWith } from '../fixtures.ts';

const secret = 'sk-of-this-person-0001';

/** A chat in a folder with these files. */
function openChat(files: Readonly<Record<string, string>> = {}, { canReadSecrets = true } = {}) {
	reopen();
	onTestFinished(reopen);
	const folder = temporaryFolder();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		writeFileSync(path.join(folder, name), text);
	}
	workspace.workspaceFolders = [{ uri: Uri.file(folder) }];
	const secrets = {
		mask: async () => {
			if (!canReadSecrets) throw new Error('the secret storage is locked');
			return new SecretMask([secret]);
		},
	};
	const sandbox = {
		render: async (template: string) =>
			template.includes('{%')
				? { kind: 'failed', fault: 'line 1: unknown tag' }
				: { kind: 'rendered', text: `rendered ${template}` },
	};
	const reads = new ReadTexts();
	const session = sessionsWith(['read']).open(undefined);
	const prompting = new Prompting(secrets as never, reads, sandbox as never);
	const uriOf = (name: string) => Uri.file(path.join(folder, name));
	return {
		prompting,
		reads,
		session,
		uriOf,
		/** The user's message with these files attached. */
		message: (
			prompt: string,
			attached: readonly string[] = [],
			interrupted?: { prompt: string; calls: string[] },
			model: object = {},
		) => {
			const references = attached.map((name) => ({ id: name, value: uriOf(name) }));
			return prompting.message({ prompt, references, model } as never, interrupted);
		},
		system: (template: string) =>
			prompting.system(
				{ file: uriOf('casual_mcp_config.json').toString(), template } as never,
				session.discovery,
			),
	};
}

describe('given a message with an attached file', () => {
	test('then the model gets its text without secrets, and the user reads what was masked', async () => {
		const { message, uriOf } = openChat({ 'notes.md': `The key is ${secret}.` });
		const { message: sent, notices, used } = await message('@discovery read it', ['notes.md']);
		expect(sent.text).toBe('read it');
		expect(sent.attached).toContain('The key is ***.');
		expect(notices).toEqual([expect.stringContaining('Masked 1 value in')]);
		expect(used.map(String)).toEqual([String(uriOf('notes.md'))]);
	});

	test('when the secrets cannot be read, then the message goes without the file, and the user reads why', async () => {
		const { message } = openChat({ 'notes.md': 'text' }, { canReadSecrets: false });
		const { message: sent, notices, used } = await message('read it', ['notes.md']);
		expect([sent, used]).toEqual([{ role: 'user', text: 'read it' }, []]);
		expect(notices).toEqual([expect.stringContaining('secrets cannot be read')]);
	});
});

test.each([
	['accepts pictures', { supportsImageToText: true }, []],
	['may accept pictures', undefined, []],
	[
		'accepts no pictures',
		{ supportsImageToText: false },
		['“Qwen” does not accept pictures, so no picture was sent to it.'],
	],
])(
	'given a picture for a model that %s, then the user reads whether it was sent',
	async (_what, capabilities, said) => {
		const { message } = openChat({ 'dot.png': 'pixels' });
		const { notices } = await message('what is it?', ['dot.png'], undefined, { name: 'Qwen', capabilities });
		expect(notices).toEqual(said);
	},
);

test('given the Offline Planner, then the user reads that it does not read what is attached', async () => {
	const { message } = openChat({ 'dot.png': 'pixels', 'notes.md': 'text' });
	const planner = { vendor: ids.vendor, id: offlinePlannerDescription.id };
	for (const name of ['dot.png', 'notes.md'])
		expect((await message('read it', [name], undefined, planner)).notices).toEqual([
			'The Offline Planner does not read attachments.',
		]);
});

test('given an answer that closing the window interrupted, then user and model hear of its calls', async () => {
	const { message } = openChat();
	const { message: sent, notices } = await message('go on', [], { prompt: 'move', calls: ['files:move'] });
	expect(notices).toEqual([expect.stringContaining('files:move')]);
	expect(sent.news).toContain('whether they completed is unknown: files:move');
});

describe('given a model with a template', () => {
	test('then the system prompt is made of it, from the folder of the file that names it', async () => {
		const { system } = openChat({ 'prompt-templates/mine.j2': 'Hello' });
		expect(await system('mine')).toEqual({ system: expect.stringContaining('rendered Hello') });
	});

	test.each(['broken', 'missing'])(
		'when it is %s, then the default is used, and the user reads why',
		async (name) => {
			const { system } = openChat({ 'prompt-templates/broken.j2': '{% x %}' });
			const { system: text, warning } = await system(name);
			expect(text).toBe(defaultSystemPrompt);
			expect(warning).toMatch(/The default system prompt is used\.$/);
		},
	);
});

test('given what a chat has read, then calls of other servers are compared with it, but not with the user’s own words', async () => {
	const { prompting, reads, session } = openChat();
	const text = 'the quick brown fox jumps over the lazy dog and runs away from the house at night';
	reads.addResult(session.id, ['mail'], textResult(text));
	const call = { chat: session.id, server: 'files', input: { text } };
	expect(reads.flowsInto(call)).toHaveLength(1);
	await prompting.keepReads(session, text);
	expect(reads.flowsInto(call)).toEqual([]);
});
