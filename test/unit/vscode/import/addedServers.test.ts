import { describe, expect, test } from 'vitest';
import { readPasted } from '../../../../src/config/add/pasted.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import type { ServerState } from '../../../../src/mcp/serverState.ts';
import { ApprovalPrompt } from '../../../../src/vscode/core/approvalPrompt.ts';
import { McpAccess } from '../../../../src/vscode/core/mcpAccess.ts';
import { AddedServers, addDrafts } from '../../../../src/vscode/import/addedServers.ts';
import { offerNextSteps } from '../../../../src/vscode/import/nextSteps.ts';
import { answers, messages } from '../editor.ts';
import { openServers } from '../openServers.ts';

const TEXT = '{\n\t// Mine.\n\t"servers": {\n\t\t"mine": { "command": "node" }\n\t}\n}\n';
const SECRET = 'acme-9f8e7d6c5b4a3928';
/** A remote server with a key in its headers. */
const PASTED = JSON.stringify({
	mcpServers: { acme: { url: 'https://acme.example/mcp', headers: { Authorization: `Bearer ${SECRET}` } } },
});

/** A window on a folder with this configuration. */
async function openWindow(text: string | undefined = TEXT, pasted = PASTED) {
	const window = await openServers({ work: text });
	const { configFile, approvals, switches } = window;
	const run: string[] = [];
	const services = {
		...window,
		approvalPrompt: new ApprovalPrompt({
			configFile,
			approvals,
			switches,
			mcpAccess: new McpAccess(),
			review: async () => {},
		}),
		run: async (name: string) => void run.push(name),
	};
	const add = async () => {
		const target = await configFile.current(window.uriOf('work'));
		if (!target) throw new Error('there is no file');
		return addDrafts(readPasted(pasted).servers, target, services);
	};
	const addedServers = async () => {
		const added = await add();
		if (!(added instanceof AddedServers)) throw new Error(`nothing was added: ${added}`);
		return added;
	};
	const secretNames = async () => {
		const [file] = configFile.files;
		return file ? window.secrets.names(file.folder) : [];
	};
	return { ...services, add, addedServers, secretNames, started: run };
}

describe('given a pasted server with a key', () => {
	test('then its entry and its key are one change: the key is in secret storage only, and Undo takes back both', async () => {
		const { addedServers, textOf, secretNames, configFile, undo } = await openWindow();
		await addedServers();
		expect(textOf('work')).toContain('// Mine.');
		expect(textOf('work')).not.toContain(SECRET);
		expect(await secretNames()).toEqual(['ACME_AUTHORIZATION']);
		expect(configFile.server('acme')?.launch).toMatchObject({
			headers: { Authorization: `Bearer ${SECRET}` },
		});
		expect(await undo.undo()).toBe('add acme');
		expect([textOf('work'), await secretNames()]).toEqual([TEXT, []]);
	});

	test('when there is no file yet, then it is created, and Undo deletes it', async () => {
		const { addedServers, textOf, undo } = await openWindow('');
		await addedServers();
		expect(JSON.parse(textOf('work')).servers.acme.url).toBe('https://acme.example/mcp');
		await undo.undo();
		expect(textOf('work')).toBe('');
	});

	test('when it is configured already, then nothing is written, and the user is told', async () => {
		const { add, addedServers, textOf, undo } = await openWindow();
		await addedServers();
		const written = textOf('work');
		expect(await add()).toBe('cancelled');
		expect(textOf('work')).toBe(written);
		expect(messages.at(-1)).toBe('Discovery: already configured: acme.');
		expect(undo.next?.label).toBe('add acme');
	});

	test('when the file is broken, then nothing is stored', async () => {
		const { add, secretNames } = await openWindow('{ "servers": [');
		await expect(add()).rejects.toThrow('cannot be changed');
		expect(await secretNames()).toEqual([]);
	});
});

describe('given a server that was added', () => {
	const missing = new ServerError('acme', 'command-not-found', 'There is no acme.');
	const states: readonly (readonly [string, ServerState])[] = [
		['needs approval', { kind: 'unapproved' }],
		['cannot start', { kind: 'failed', error: missing }],
		[
			'wants a sign-in',
			{ kind: 'signed-out', error: new ServerError('acme', 'unauthorized', 'It wants to know you.') },
		],
	];
	test.each(states)('when it %s, then the notification says so and leads there', async (_, state) => {
		const window = await openWindow();
		const added = await window.addedServers();
		window.setStatus('acme', { kind: 'remote', state });
		messages.length = 0;
		await offerNextSteps(added, window);
		expect(messages).toMatchSnapshot();
	});

	test('when a step is taken, then the notification returns until it is closed, and Undo removes the server', async () => {
		const window = await openWindow();
		const added = await window.addedServers();
		window.setStatus('acme', { state: { kind: 'unapproved' } });
		answers.push('Review…', 'Undo');
		await offerNextSteps(added, window);
		expect(window.started).toEqual(['reviewServers']);
		expect(window.textOf('work')).toBe(TEXT);
		// As the command Undo says it.
		expect(messages.at(-1)).toBe('Discovery: undone: add acme.');
		messages.length = 0;
		await offerNextSteps(added, window);
		expect(messages).toEqual([]);
	});
});
