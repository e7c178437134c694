import { isDeepStrictEqual } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Configuration } from '../../../../src/vscode/core/configuration.ts';
import { UndoHistory } from '../../../../src/vscode/core/undo.ts';
import { addModel } from '../../../../src/vscode/models/addModel.ts';
import { KeyedEndpoint } from '../../../keyedEndpoint.ts';
import { answers, commands, messages, questions, ran } from '../editor.ts';
import { keyStore, openConfiguration, secretStorage } from '../openConfiguration.ts';

const typed = 'OpenAI-Compatible Endpoint';
const key = 'sk-of-this-person';
const written = '{ "servers": {} }';

/** The models in force, as their provider names them. */
const modelsOf = ({ inForce }: Configuration) =>
	[...(inForce?.config.models.values() ?? [])].map(({ model }) => model);

/** A user adds a model of an endpoint on this machine to a file. */
async function openWindow({
	wantsKey = true,
	file = { text: written },
}: {
	readonly wantsKey?: KeyedEndpoint['wantsKey'];
	readonly file?: { readonly text?: string };
} = {}) {
	const window = await openConfiguration({ work: file.text });
	const endpoint = new KeyedEndpoint();
	await endpoint.start();
	onTestFinished(() => endpoint.stop());
	endpoint.wantsKey = wantsKey;
	endpoint.models = [{ id: 'team/qwen3' }, { id: 'team/other' }, { id: 'text-embedding-3' }];
	const secrets = secretStorage();
	const keys = keyStore(secrets);
	const undo = new UndoHistory();
	const services = { ...window, keys, undo };
	return {
		...window,
		endpoint,
		secrets,
		undo,
		text: () => window.textOf('work'),
		/** Pastes the address as a command, and answers what is asked then. */
		add: (...replies: readonly string[]) => {
			answers.push(`curl ${endpoint.origin}/v1/chat/completions`, typed, ...replies);
			return addModel(services);
		},
	};
}

describe('given an endpoint that wants a key', () => {
	test('when the user adds one of its models, then it is tested with the key, written with its client, and undone with its key', async () => {
		const { add, endpoint, secrets, undo, text, configFile } = await openWindow();
		await add(key, 'team/qwen3');
		expect(questions.at(-1)).toBe('team/qwen3\nteam/other');
		expect(endpoint.authorizations).toEqual([`Bearer ${key}`]);
		expect(modelsOf(configFile)).toEqual(['team/qwen3']);
		expect(text()).not.toContain(key);
		expect([...secrets.values.values()]).toEqual([key]);
		expect(messages.at(-1)).toMatch(/team\/qwen3 answered in [\d.]+ m?s\. Added qwen3\./);
		await undo.undo();
		expect([text(), secrets.values.size, undo.next]).toEqual([written, 0, undefined]);
	});

	test('when the user leaves before the end, then nothing is written or stored', async () => {
		for (const replies of [[], [key]]) {
			const { add, secrets, undo, text, endpoint } = await openWindow();
			await add(...replies);
			expect([text(), secrets.values.size, undo.next, endpoint.authorizations]).toEqual([
				written,
				0,
				undefined,
				[],
			]);
		}
	});

	test('when the user goes back, then the address is still there, and another key can be entered', async () => {
		const { add, endpoint } = await openWindow();
		await add('Back', typed, 'Back', typed, key, 'team/other');
		expect(endpoint.authorizations).toEqual([`Bearer ${key}`]);
	});
});

describe('given a model that was added', () => {
	const opened = () => ran.filter(([name]) => name === 'workbench.action.chat.open').map(([, how]) => how);
	const chat = { query: '@discovery ', isPartialQuery: true };
	const withModel = { ...chat, modelSelector: { vendor: 'mcp-discovery', id: 'qwen3' } };

	test('when the user asks, then the chat opens with that model', async () => {
		const { add } = await openWindow({ wantsKey: false });
		await add('team/qwen3', 'Ask @discovery');
		await vi.waitFor(() => expect(opened()).toEqual([withModel]));
	});

	test('when VS Code does not know the model, then the chat opens without it', async () => {
		const { add } = await openWindow({ wantsKey: false });
		vi.spyOn(commands, 'run').mockImplementation(async () => {
			if (isDeepStrictEqual(opened(), [withModel])) throw new Error('No language models found');
		});
		await add('team/qwen3', 'Ask @discovery');
		await vi.waitFor(() => expect(opened()).toEqual([withModel, chat]));
	});
});

describe('given a model that does not answer the test', () => {
	test('then the most likely remedy comes first, and a key that is entered is sent with the next test', async () => {
		const { add, endpoint, configFile } = await openWindow({ wantsKey: 'chats' });
		await add('team/qwen3', 'Enter Another Key…', key, 'team/qwen3');
		expect(questions.find((rows) => rows.startsWith('Enter Another Key…'))).toContain('Try Again');
		// It has just asked for a key, so nothing says how to do without one.
		expect(questions.filter((text) => text.includes('The key for')).join()).not.toMatch(/Skip/);
		expect(endpoint.authorizations).toEqual([undefined, `Bearer ${key}`]);
		expect(modelsOf(configFile)).toEqual(['team/qwen3']);
	});

	test('when the user adds it anyway, then it is written, without a claim that it answered', async () => {
		const { add, configFile } = await openWindow({ wantsKey: 'chats' });
		await add('team/qwen3', 'Add Anyway');
		expect(modelsOf(configFile)).toEqual(['team/qwen3']);
		expect(messages.at(-1)).toMatch(/^Discovery: Added qwen3\./);
	});

	test('when the user types another model, then that one is tested and written', async () => {
		const { add, endpoint, configFile } = await openWindow({ wantsKey: false });
		await add('mine/new', 'mine/new');
		expect(endpoint.bodies.join()).toContain('"model":"mine/new"');
		expect(modelsOf(configFile)).toEqual(['mine/new']);
	});
});

test('given no file yet, then it is created with the model, and Undo in the message deletes it, once', async () => {
	const { add, undo, text } = await openWindow({ wantsKey: false, file: {} });
	await add('team/qwen3', 'Undo');
	await vi.waitFor(() => expect(text).toThrow('ENOENT'));
	expect(undo.next).toBeUndefined();
});

test('given a file that cannot be changed, then an error says so before a key or a model is asked for', async () => {
	const { add, endpoint } = await openWindow({ file: { text: '{ "clients": [' } });
	await expect(add(key, 'team/qwen3')).rejects.toThrow('cannot be changed');
	expect(endpoint.lists).toBe(0);
});
