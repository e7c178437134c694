import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sealed } from '../../src/common/sealedJson.ts';
import { addressOf, type ClientDefinition } from '../../src/config/models/clientDefinition.ts';
import { type ListState, ModelLists } from '../../src/vscode/core/modelLists.ts';
import { type Provider, provider } from './http/provider.ts';

const file = 'file:///app/config.json';
/** For files with content that we would not write. */
const format = { version: 1, maxBytes: 0, shape: { parse: (stored: unknown) => stored } };
const hourMs = 60 * 60_000;

let folder: string;
let now: number;
/** What the user has done: a key that they have set, and whether the address may receive chats. */
let user: { key: string | undefined; agreed: boolean };

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'model-lists-'));
	now = Date.parse('2026-08-01');
	user = { key: undefined, agreed: true };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The lists of one window. */
function openLists(): ModelLists {
	return new ModelLists({
		folder,
		now: () => now,
		keys: {
			knownKeyFor: async () => user.key,
			mayUseUnasked: () => false,
			mayBeAskedForModels: async () => user.agreed,
		},
		log: { debug() {} },
	});
}

function clientOf({ endpoint }: Provider, name = 'router'): ClientDefinition {
	return { file, name, provider: 'openai', baseUrl: endpoint.baseUrl };
}

/** Another client, at an address where nobody listens. */
const elsewhere: ClientDefinition = { file, name: 'c', provider: 'openai', baseUrl: 'http://127.0.0.1:9/v1' };

/** How the client's list stands after the next change. */
async function changed(lists: ModelLists, client: ClientDefinition): Promise<ListState> {
	await new Promise<void>((resolve) => {
		const listener = lists.onDidChange(() => {
			listener.dispose();
			resolve();
		});
	});
	return lists.stateOf(client);
}

function says(...names: readonly string[]) {
	return (_: IncomingMessage, response: ServerResponse) =>
		response.end(JSON.stringify({ data: names.map((id) => ({ id, context_length: 50_000 })) }));
}

/** Wants a key, and has one model. */
function wantsKey({ headers }: IncomingMessage, response: ServerResponse): void {
	if (headers.authorization === undefined) response.writeHead(401).end('{"error":"no key"}');
	else response.end('{"data":[{"id":"a"}]}');
}

describe('given a client', () => {
	test('then its list is asked for, kept, and known in the next window without asking', async () => {
		const endpoint = await provider(says('a', 'b'));
		const client = clientOf(endpoint);
		const first = openLists();
		void first.follow({ clients: [client] });
		expect((await changed(first, client)).models.map(({ model }) => model)).toEqual(['a', 'b']);

		const second = openLists();
		await second.follow({ clients: [clientOf(endpoint)] });
		expect(second.stateOf(client)).toEqual(first.stateOf(client));
		expect(endpoint.requests).toHaveLength(1);
		expect(second.factsOf(client, 'a')).toEqual({ contextTokens: 50_000 });
	});

	test('when its list is stale, then it is asked for again, and the old one serves meanwhile', async () => {
		let names = ['a'];
		const endpoint = await provider((request, response) => says(...names)(request, response));
		const client = clientOf(endpoint);
		const lists = openLists();
		void lists.follow({ clients: [client] });
		await changed(lists, client);
		names = ['b'];
		now += 4 * 60_000;
		lists.refreshStale();
		expect(endpoint.requests).toHaveLength(1);

		now += 2 * 60_000;
		const again = changed(lists, client);
		lists.refreshStale();
		lists.refreshStale();
		expect(lists.stateOf(client).models).toMatchObject([{ model: 'a' }]);
		expect((await again).models).toMatchObject([{ model: 'b' }]);
		expect(endpoint.requests).toHaveLength(2);
	});

	test.each([
		['a file is saved', (lists: ModelLists) => lists.fileSaved()],
		['it does not know a model', (lists: ModelLists, client: ClientDefinition) => lists.modelMissing(client)],
	])('when %s, then it is asked again, but at most once a minute', async (_, happens) => {
		const endpoint = await provider(says('a'));
		const client = clientOf(endpoint);
		const lists = openLists();
		void lists.follow({ clients: [client] });
		await changed(lists, client);
		now += 30_000;
		happens(lists, client);
		expect(endpoint.requests).toHaveLength(1);
		now += 30_000;
		const again = changed(lists, client);
		happens(lists, client);
		await again;
		expect(endpoint.requests).toHaveLength(2);
	});

	test('when it cannot be reached, then the last list stays, with the reason; saving a file tries at once', async () => {
		const endpoint = await provider(says('a'));
		const client = clientOf(endpoint);
		const lists = openLists();
		void lists.follow({ clients: [client] });
		await changed(lists, client);
		await endpoint.stop();
		now += hourMs;
		const failed = changed(lists, client);
		lists.refreshStale();
		expect(await failed).toMatchObject({
			models: [{ model: 'a' }],
			failure: { kind: 'failed', message: expect.stringContaining('127.0.0.1') },
		});
		let changes = 0;
		lists.onDidChange(() => changes++);
		now += 30_000;
		lists.refreshStale();
		expect(changes).toBe(0);
		const again = changed(lists, client);
		lists.fileSaved();
		expect((await again).failure).toBeDefined();
	});

	test.each<[string, Partial<ClientDefinition>]>([
		['the user has not agreed to its address', {}],
		['the user would have to sign in', { auth: 'microsoft' }],
	])('when %s, then nothing is sent there', async (_, more) => {
		const endpoint = await provider(says('a'));
		const client = { ...clientOf(endpoint), ...more };
		user.agreed = more.auth !== undefined;
		const lists = openLists();
		void lists.follow({ clients: [client] });
		expect((await changed(lists, client)).failure).toEqual({ kind: 'notAsked' });
		expect(endpoint.requests).toHaveLength(0);
	});

	test('when it requires a key, then the list says so, and is asked for again once there is one', async () => {
		const client = clientOf(await provider(wantsKey));
		const lists = openLists();
		void lists.follow({ clients: [client] });
		expect(await changed(lists, client)).toMatchObject({
			models: [],
			failure: { kind: 'failed', message: expect.stringContaining('requires an API key') },
		});
		user.key = 'sk-stored';
		const again = changed(lists, client);
		lists.keyChanged('http://another.example/v1');
		lists.keyChanged(addressOf(client));
		expect(await again).toMatchObject({ models: [{ model: 'a' }] });
		const [file = ''] = readdirSync(folder);
		expect(readFileSync(path.join(folder, file), 'utf8')).not.toContain('sk-');
	});

	test('when it has headers of its own, then those with secrets that nobody agreed to are left out', async () => {
		const endpoint = await provider(says('a'));
		const client: ClientDefinition = {
			...clientOf(endpoint),
			organization: 'org-1',
			headers: [
				{ name: 'X-Team', value: 'blue', secrets: [] },
				{ name: 'X-Token', value: 'of-the-environment', secrets: ['TOKEN'] },
			],
		};
		const lists = openLists();
		void lists.follow({ clients: [client] });
		await changed(lists, client);
		expect(endpoint.requests[0]?.headers).toMatchObject({ 'x-team': 'blue', 'openai-organization': 'org-1' });
		expect(endpoint.requests[0]?.headers).not.toHaveProperty('x-token');
	});
});

describe('given two clients whose lists are known', () => {
	test('when the key of one changes, then only its list is asked for again, also if it had not failed', async () => {
		const [changing, other] = [await provider(says('a')), await provider(says('b'))];
		const clients = [clientOf(changing, 'changing'), clientOf(other, 'other')];
		const lists = openLists();
		await lists.follow({ clients });
		const [first, second] = clients;
		if (!first || !second) throw new Error('there are two');
		await expect.poll(() => clients.every((one) => lists.stateOf(one).listedAt)).toBeTruthy();
		lists.keyChanged(addressOf(first));
		await expect.poll(() => changing.requests.length).toBe(2);
		expect(other.requests).toHaveLength(1);
	});

	test('when the key changes during a request with the old one, then the list is asked for once more', async () => {
		const waiting = Promise.withResolvers<void>();
		const endpoint = await provider((request, response) => {
			void waiting.promise.then(() => wantsKey(request, response));
		});
		const client = clientOf(endpoint);
		const lists = openLists();
		void lists.follow({ clients: [client] });
		await expect.poll(() => endpoint.requests.length).toBe(1);
		user.key = 'sk-stored';
		lists.keyChanged(addressOf(client));
		waiting.resolve();
		await expect.poll(() => lists.stateOf(client).models).toMatchObject([{ model: 'a' }]);
		expect(endpoint.requests).toHaveLength(2);
	});
});

describe('given two clients of the same name, URL and protocol', () => {
	test.each<[string, Partial<ClientDefinition>]>([
		['is in another file', { file: 'file:///web/config.json' }],
		['has an organization', { organization: 'org-1' }],
		['has a header', { headers: [{ name: 'X-Team', value: 'a', secrets: [] }] }],
		['signs in', { auth: 'microsoft' }],
	])('when one %s, then neither knows what the other has listed or learned', async (_, more) => {
		const client = clientOf(await provider(says('a')));
		const other = { ...client, ...more };
		const lists = openLists();
		void lists.follow({ clients: [client] });
		await changed(lists, client);
		lists.learn(client, 'a', { contextTokens: 8_192 });
		expect(lists.stateOf(other)).toEqual({ models: [] });
		expect(lists.learnedContext(other, 'a')).toBeUndefined();
		user.agreed = false;
		const again = openLists();
		await again.follow({ clients: [other] });
		expect(again.stateOf(other).models).toEqual([]);
	});
});

describe('given a provider that has named a limit in refusing a request', () => {
	test('then it is remembered, over windows, until a file is saved', async () => {
		const client = clientOf(await provider(says('a')));
		// Nobody asks for the list, which would write the file, too.
		user.agreed = false;
		const first = openLists();
		const isKnown = changed(first, client);
		first.learn(client, 'a', { contextTokens: 8_192 });
		await isKnown;
		expect(first.learnedContext(client, 'a')).toBe(8_192);
		const learnedNext = async () => {
			const next = openLists();
			await next.follow({ clients: [client] });
			return next;
		};
		// The first window may still be writing.
		await expect.poll(async () => (await learnedNext()).learnedContext(client, 'a')).toBe(8_192);
		const second = await learnedNext();
		second.fileSaved();
		expect(second.learnedContext(client, 'a')).toBeUndefined();
		await expect.poll(async () => (await learnedNext()).learnedContext(client, 'a')).toBeUndefined();
	});

	test('then what says nothing new changes nothing, and Ollama, whose context is as long as asked for, teaches nothing', () => {
		const lists = openLists();
		lists.learn(elsewhere, 'a', { contextTokens: 4_096 });
		let changes = 0;
		lists.onDidChange(() => changes++);
		lists.learn(elsewhere, 'a', { contextTokens: 4_096 });
		lists.learn(elsewhere, 'a', {});
		lists.learn({ ...elsewhere, provider: 'ollama' }, 'a', { contextTokens: 2_048 });
		expect(changes).toBe(0);
	});
});

describe('given what is kept on disk', () => {
	async function kept(text: string): Promise<ListState> {
		const client = clientOf(await provider(says('fresh')));
		const lists = openLists();
		void lists.follow({ clients: [client] });
		await changed(lists, client);
		const [file = ''] = readdirSync(folder);
		writeFileSync(path.join(folder, file), text);
		const another = openLists();
		await another.follow({ clients: [client] });
		return another.stateOf(client);
	}

	test.each([
		['no JSON', '{'],
		['of a newer version', sealed({ models: [{ model: 'a' }], listedAt: 1 }, { ...format, version: 2 }).text],
		['something else', sealed([1, 2], format).text],
		['too much', sealed({ listedAt: 1, models: [{ model: 'x'.repeat(3 * 1024 * 1024) }] }, format).text],
	])('when it is %s, then it counts as never listed', async (_, text) => {
		expect(await kept(text)).toEqual({ models: [] });
	});

	test('when others have written to it, then what makes no sense is left out', async () => {
		const models = [{ model: 'a', price: { input: -1, output: 2 }, images: 'yes' }, { model: 'b\u0007' }, 3];
		const state = await kept(sealed({ listedAt: now * 9, models }, format).text);
		expect(state).toEqual({ models: [{ model: 'a' }], listedAt: now });
	});

	test('when there are too many clients, then the oldest go', async () => {
		for (let i = 0; i < 40; i++) {
			const file = path.join(folder, `${i}`);
			writeFileSync(file, '{}');
			utimesSync(file, i, i);
		}
		const client = clientOf(await provider(says('a')));
		const lists = openLists();
		void lists.follow({ clients: [client] });
		await changed(lists, client);
		const names = readdirSync(folder);
		expect(names).toHaveLength(32);
		expect(names).not.toContain('0');
		expect(names).toContain('39');
	});
});

test('what was learned last is kept, however quickly one thing follows another', async () => {
	const names = ['__proto__', 'constructor', ...Array.from({ length: 60 }, (_, n) => `m${n}`)];
	const lists = openLists();
	for (const name of names) lists.learn(elsewhere, name, { contextTokens: 8_192 });
	const known = async () => {
		const again = openLists();
		await again.follow({ clients: [elsewhere] });
		return names.filter((name) => again.learnedContext(elsewhere, name) === 8_192);
	};
	await expect.poll(known, { timeout: 20_000 }).toEqual(names);
});

test.each([-1, 0.5, 1e308, '5'])(
	'a limit in a kept file that is none, such as %j, is not believed',
	async (odd) => {
		const first = openLists();
		first.learn(elsewhere, 'a', { contextTokens: 8_192 });
		const listed = () => readdirSync(folder).filter((name) => /^[0-9a-f]{32}$/.test(name));
		await expect.poll(listed).toHaveLength(1);
		const [name = ''] = listed();
		writeFileSync(
			path.join(folder, name),
			sealed({ listedAt: now, models: [], learned: [['a', odd]] }, format).text,
		);
		const again = openLists();
		await again.follow({ clients: [elsewhere] });
		expect(again.learnedContext(elsewhere, 'a')).toBeUndefined();
	},
);
