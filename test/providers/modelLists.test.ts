import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressOf, type ClientDefinition } from '../../src/config/models/clientDefinition.ts';
import { type ListState, ModelLists } from '../../src/vscode/models/modelLists.ts';
import { type Provider, provider } from './http/provider.ts';

const file = 'file:///app/config.json';
const hourMs = 60 * 60_000;

let folder: string;
let now: number;
/** What is known of the user: a key that may be sent, one that they would give if asked, and whether they know the address. */
let user: { known: string | undefined; given: string | undefined; knows: boolean; questions: number };

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'model-lists-'));
	now = Date.parse('2026-08-01');
	user = { known: undefined, given: undefined, knows: true, questions: 0 };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The lists of one window. */
function openLists(): ModelLists {
	const ask = async () => {
		user.questions++;
		return user.given;
	};
	return new ModelLists({
		folder,
		now: () => now,
		keys: {
			knownKeyFor: async () => user.known,
			keyFor: async () => user.known ?? (await ask()),
			keyAfterRefusal: async () => false,
			mayUse: async () => ask().then(() => true),
			mayUseUnasked: () => false,
			mayBeAskedForModels: async () => user.knows,
			signIn: ask,
		},
		log: { debug() {} },
	});
}

function clientOf({ endpoint }: Provider, name = 'router'): ClientDefinition {
	return { file, name, provider: 'openai', baseUrl: endpoint.baseUrl };
}

/** Follows a file with this one client, which names no models. */
function follow(lists: ModelLists, client: ClientDefinition, isNamed = false): Promise<void> {
	return lists.follow({
		clients: [client],
		clientsWithoutModels: isNamed ? [] : [client],
	});
}

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

describe('given a client that no model of the file names', () => {
	test('then its list is asked for, kept, and known in the next window without asking', async () => {
		const endpoint = await provider(says('a', 'b'));
		const client = clientOf(endpoint);
		const first = openLists();
		void follow(first, client);
		expect((await changed(first, client)).models.map(({ model }) => model)).toEqual(['a', 'b']);

		const second = openLists();
		await follow(second, clientOf(endpoint));
		expect(second.stateOf(client)).toEqual(first.stateOf(client));
		expect(endpoint.requests).toHaveLength(1);
		expect(second.factsOf(client, 'a')).toEqual({ contextTokens: 50_000 });
	});

	test('then a list that has grown old is asked for anew, and the old one serves meanwhile', async () => {
		let names = ['a'];
		const endpoint = await provider((request, response) => says(...names)(request, response));
		const client = clientOf(endpoint);
		const lists = openLists();
		void follow(lists, client);
		await changed(lists, client);
		names = ['b'];
		now += 4 * 60_000;
		lists.askWhereOld();
		expect(endpoint.requests).toHaveLength(1);

		now += 2 * 60_000;
		const anew = changed(lists, client);
		lists.askWhereOld();
		lists.askWhereOld();
		expect(lists.stateOf(client).models).toMatchObject([{ model: 'a' }]);
		expect((await anew).models).toMatchObject([{ model: 'b' }]);
		expect(endpoint.requests).toHaveLength(2);
	});

	test('when it cannot be asked, then the last list stays, with the reason, and it is left alone for a while', async () => {
		const endpoint = await provider(says('a'));
		const client = clientOf(endpoint);
		const lists = openLists();
		void follow(lists, client);
		await changed(lists, client);
		await endpoint.stop();
		now += hourMs;
		const failed = changed(lists, client);
		lists.askWhereOld();
		expect(await failed).toMatchObject({
			models: [{ model: 'a' }],
			failure: { kind: 'failed', wantsKey: false, message: expect.stringContaining('127.0.0.1') },
		});
		let changes = 0;
		lists.onDidChange(() => changes++);
		now += 30_000;
		lists.askWhereOld();
		expect(changes).toBe(0);
	});

	test('when its address is not known to the user, then nothing is sent there before they say so', async () => {
		const endpoint = await provider(says('a'));
		const client = clientOf(endpoint);
		user.knows = false;
		const lists = openLists();
		void follow(lists, client);
		expect((await changed(lists, client)).failure).toEqual({ kind: 'notAsked' });
		expect(endpoint.requests).toHaveLength(0);

		await lists.refresh([client]);
		expect(lists.stateOf(client)).toMatchObject({ models: [{ model: 'a' }] });
		expect(lists.stateOf(client)).not.toHaveProperty('failure');
	});
});

describe('given a client whose endpoint wants a key', () => {
	test('then it fails quietly, and says that a key is wanted; once one has come, it is asked again', async () => {
		const client = clientOf(await provider(wantsKey));
		user.given = 'sk-would-be-asked-for';
		const lists = openLists();
		void follow(lists, client);
		expect(await changed(lists, client)).toMatchObject({
			models: [],
			failure: { kind: 'failed', wantsKey: true, message: expect.stringContaining('requires an API key') },
		});
		expect(user.questions).toBe(0);

		user.known = 'sk-stored';
		const anew = changed(lists, client);
		lists.keyChanged('http://another.example/v1');
		lists.keyChanged(addressOf(client));
		expect(await anew).toMatchObject({ models: [{ model: 'a' }] });
	});

	test('then the user is asked for it when they have asked for the list', async () => {
		const client = clientOf(await provider(wantsKey));
		user.given = 'sk-given';
		const lists = openLists();
		await lists.refresh([client]);
		expect(user.questions).toBe(1);
		expect(lists.stateOf(client).models).toMatchObject([{ model: 'a' }]);
		const [file = ''] = readdirSync(folder);
		expect(readFileSync(path.join(folder, file), 'utf8')).not.toContain('sk-');
	});
});

describe('given two clients whose lists are known', () => {
	test('when the key of one changes, then only its list is asked for again, also if it had not failed', async () => {
		const [changing, other] = [await provider(says('a')), await provider(says('b'))];
		const clients = [clientOf(changing, 'changing'), clientOf(other, 'other')];
		const lists = openLists();
		await lists.follow({ clients, clientsWithoutModels: clients });
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
		void follow(lists, client);
		await expect.poll(() => endpoint.requests.length).toBe(1);
		user.known = 'sk-stored';
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
		await lists.refresh([client]);
		lists.learn(client, 'a', { contextTokens: 8_192 });
		expect(lists.stateOf(other)).toEqual({ models: [], leftOut: 0 });
		expect(lists.learnedContext(other, 'a')).toBeUndefined();
		const again = openLists();
		await follow(again, other, true);
		expect(again.stateOf(other)).toEqual({ models: [], leftOut: 0 });
	});
});

describe('given a client with headers of its own', () => {
	test('then those with secrets go along only once the user has agreed, and they are asked only if they want the list', async () => {
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
		void follow(lists, client);
		await changed(lists, client);
		expect(user.questions).toBe(0);
		expect(endpoint.requests[0]?.headers).toMatchObject({ 'x-team': 'blue', 'openai-organization': 'org-1' });
		expect(endpoint.requests[0]?.headers).not.toHaveProperty('x-token');

		await lists.refresh([client]);
		expect(user.questions).toBeGreaterThan(0);
		expect(endpoint.requests[1]?.headers).toMatchObject({ 'x-token': 'of-the-environment' });
	});

	test('when it is asked with an account at Microsoft, then nobody has to sign in before they want the list', async () => {
		const endpoint = await provider(says('a'));
		const client: ClientDefinition = { ...clientOf(endpoint), auth: 'microsoft' };
		user.given = 'a-token';
		const lists = openLists();
		void follow(lists, client);
		expect((await changed(lists, client)).failure).toEqual({ kind: 'notAsked' });
		expect(user.questions).toBe(0);
		await lists.refresh([client]);
		expect(endpoint.requests[0]?.headers.authorization).toBe('Bearer a-token');
		expect(lists.stateOf(client).models).toMatchObject([{ model: 'a' }]);
	});
});

describe('given a client whose models the file names', () => {
	test('then nothing is asked of it by itself; what the command has brought is known of its models', async () => {
		const endpoint = await provider(says('a'));
		const client = clientOf(endpoint);
		const lists = openLists();
		await follow(lists, client, true);
		lists.askWhereOld();
		expect(lists.factsOf(client, 'a')).toEqual({});
		await lists.refresh([client]);
		expect(endpoint.requests).toHaveLength(1);
		expect(lists.factsOf(client, 'a')).toEqual({ contextTokens: 50_000 });
	});
});

describe('given a provider that has named a limit in refusing a request', () => {
	test('then it is remembered, over windows, until the user asks for the list anew', async () => {
		const client = clientOf(await provider(says('a')));
		const first = openLists();
		const isKnown = changed(first, client);
		first.learn(client, 'a', { contextTokens: 8_192 });
		await isKnown;
		expect(first.learnedContext(client, 'a')).toBe(8_192);
		let second = openLists();
		// The first window may still be writing.
		await expect
			.poll(async () => {
				second = openLists();
				await follow(second, client, true);
				return second.learnedContext(client, 'a');
			})
			.toBe(8_192);
		await second.refresh([client]);
		expect(second.learnedContext(client, 'a')).toBeUndefined();
	});

	test('then what says nothing new changes nothing, and Ollama, whose context is as long as asked for, teaches nothing', () => {
		const client: ClientDefinition = {
			file,
			name: 'c',
			provider: 'openai',
			baseUrl: 'http://127.0.0.1:9/v1',
		};
		const lists = openLists();
		lists.learn(client, 'a', { contextTokens: 4_096 });
		let changes = 0;
		lists.onDidChange(() => changes++);
		lists.learn(client, 'a', { contextTokens: 4_096 });
		lists.learn(client, 'a', {});
		lists.learn({ ...client, provider: 'ollama' }, 'a', { contextTokens: 2_048 });
		expect(changes).toBe(0);
	});
});

describe('given what is kept on disk', () => {
	async function kept(text: string): Promise<ListState> {
		const client = clientOf(await provider(says('fresh')));
		const lists = openLists();
		await lists.refresh([client]);
		const [file = ''] = readdirSync(folder);
		writeFileSync(path.join(folder, file), text);
		const another = openLists();
		await follow(another, client, true);
		return another.stateOf(client);
	}

	test.each([
		['no JSON', '{'],
		['another format', '{"format":99,"models":[{"model":"a"}],"listedAt":1}'],
		['something else', '[1,2]'],
		['too much', `{"format":1,"listedAt":1,"models":[{"model":"${'x'.repeat(3 * 1024 * 1024)}"}]}`],
	])('when it is %s, then it counts as never listed', async (_, text) => {
		expect(await kept(text)).toEqual({ models: [], leftOut: 0 });
	});

	test('when others have written to it, then what makes no sense is left out', async () => {
		const models = [{ model: 'a', price: { input: -1, output: 2 }, images: 'yes' }, { model: 'b\u0007' }, 3];
		const state = await kept(JSON.stringify({ format: 1, listedAt: now * 9, leftOut: 'x', models }));
		expect(state).toEqual({ models: [{ model: 'a' }], leftOut: 0, listedAt: now });
	});

	test('when there are too many clients, then the oldest go', async () => {
		for (let i = 0; i < 40; i++) {
			const file = path.join(folder, `${i}.json`);
			writeFileSync(file, '{}');
			utimesSync(file, i, i);
		}
		await openLists().refresh([clientOf(await provider(says('a')))]);
		const names = readdirSync(folder);
		expect(names).toHaveLength(32);
		expect(names).not.toContain('0.json');
		expect(names).toContain('39.json');
	});
});

test('what was learned last is kept, however quickly one thing follows another', async () => {
	const client: ClientDefinition = { file, name: 'c', provider: 'openai', baseUrl: 'http://127.0.0.1:9/v1' };
	const names = ['__proto__', 'constructor', ...Array.from({ length: 60 }, (_, n) => `m${n}`)];
	const lists = openLists();
	for (const name of names) lists.learn(client, name, { contextTokens: 8_192 });
	const known = async () => {
		const again = openLists();
		await follow(again, client, true);
		return names.filter((name) => again.learnedContext(client, name) === 8_192);
	};
	await expect.poll(known).toEqual(names);
});

test.each([-1, 0.5, 1e308, '5'])(
	'counts of a kept file that are none, such as %j, are not believed',
	async (odd) => {
		const client: ClientDefinition = {
			file,
			name: 'c',
			provider: 'openai',
			baseUrl: 'http://127.0.0.1:9/v1',
		};
		const first = openLists();
		first.learn(client, 'a', { contextTokens: 8_192 });
		await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith('.json'))).toHaveLength(1);
		const [name = ''] = readdirSync(folder);
		const kept = { format: 1, listedAt: now, models: [], leftOut: odd, learned: { a: odd } };
		writeFileSync(path.join(folder, name), JSON.stringify(kept));
		const again = openLists();
		await follow(again, client, true);
		expect(again.learnedContext(client, 'a')).toBeUndefined();
		expect(again.stateOf(client).leftOut).toBe(0);
	},
);
