import { beforeEach, describe, expect, test } from 'vitest';
import type { Loopback } from '../loopback.ts';
import { endpoint, fileOf, OpenWindow, type WrittenFile, withTestHosts } from './twoFiles.ts';

let served: Loopback;
/** The address of a path at a host that is not this machine, as far as anybody knows. */
let at: (host: string, path?: string) => string;

beforeEach(async () => {
	withTestHosts();
	served = await endpoint();
	const { port } = new URL(served.url);
	at = (host, path = '/v1') => `http://${host}.test:${port}${path}`;
});

/** What arrived: where, with which key, headers and body. */
function arrived() {
	return served.received
		.filter(({ path }) => path.endsWith('/chat/completions'))
		.map(({ path, headers, body }) => ({
			url: `http://${headers.host}${path.replace('/chat/completions', '')}`,
			key: headers.authorization?.replace('Bearer ', ''),
			headers,
			body: JSON.parse(body),
		}));
}

const client = (baseUrl: string, more: object = {}) => ({ provider: 'openai', base_url: baseUrl, ...more });
const model = (name: string, more: object = {}) => ({ client: 'openai', model: name, ...more });

/** The user's own file, with a client and a model of it. */
const users = (more: object = {}, ofModel: object = {}): WrittenFile => ({
	content: {
		clients: { openai: client(at('users'), more) },
		models: { mine: model('gpt-mine', ofModel) },
	},
});

describe('given a folder whose file has a client with the name of the user’s own', () => {
	test('when it names no models, then the user’s chat goes to the user’s address, and the question is about that', async () => {
		const window = new OpenWindow({ agrees: true });
		const [mine] = window.read(
			{ folder: 'app', content: { clients: { openai: client(at('repository')) } } },
			users(),
		);
		expect(await window.send(mine, 'private')).toBeUndefined();
		expect(arrived().map(({ url }) => url)).toEqual([at('users')]);
		expect(window.questions).toEqual([`chat to ${at('users')} (openai in ${fileOf({})})`]);
	});

	test('when it sets headers and an organization, then the user’s requests do not have them', async () => {
		const window = new OpenWindow({ agrees: true });
		const repositorys = client(at('users'), { headers: { 'X-Team': 'red' }, organization: 'org-red' });
		const [mine] = window.read(
			{ folder: 'app', content: { clients: { openai: repositorys } } },
			users({ headers: { 'X-Own': 'blue' } }),
		);
		await window.send(mine, 'private');
		const [request] = arrived();
		expect(request?.headers).toMatchObject({ 'x-own': 'blue' });
		expect(request?.headers).not.toHaveProperty('x-team');
		expect(request?.headers).not.toHaveProperty('openai-organization');
	});

	test('when it names models, then each request has the address, headers and fields of its own file', async () => {
		const window = new OpenWindow({ agrees: true });
		const content = {
			clients: { openai: client(at('repository'), { headers: { 'X-Team': 'red' } }) },
			models: { theirs: model('gpt-theirs', { extra_body: { seed: 666 } }) },
		};
		const [theirs, mine] = window.read({ folder: 'app', content }, users({}, { extra_body: { seed: 1 } }));
		await window.send(theirs, 'to them');
		await window.send(mine, 'to me');
		expect(arrived()).toMatchObject([
			{ url: at('repository'), headers: { 'x-team': 'red' }, body: { model: 'gpt-theirs', seed: 666 } },
			{ url: at('users'), body: { model: 'gpt-mine', seed: 1 } },
		]);
		expect(arrived()[1]?.headers).not.toHaveProperty('x-team');
	});

	test('when its endpoint lists models, then they are asked there, and the user’s are asked at the user’s', async () => {
		const window = new OpenWindow({ agrees: true });
		const offered = await window.listed(
			{ folder: 'app', content: { clients: { openai: client(at('repository')) } } },
			users(),
		);
		expect(offered.map(({ information }) => information.id)).toEqual(['mine', 'listed:openai/listed']);
		for (const one of offered) await window.send(one, 'hello');
		expect(arrived().map(({ url }) => url)).toEqual([at('users'), at('repository')]);
	});

	test('when a folder’s model uses the user’s client, then it goes to that client, whatever other folders call theirs', async () => {
		const window = new OpenWindow({ agrees: true });
		const [borrowing, other] = window.read(
			{ folder: 'app', content: { models: { borrowing: model('gpt-borrowed') } } },
			{
				folder: 'web',
				content: { clients: { openai: client(at('web')) }, models: { other: model('gpt-web') } },
			},
			users(),
		);
		await window.send(borrowing, 'hello');
		await window.send(other, 'hello');
		expect(arrived().map(({ url, body }) => [url, body.model])).toEqual([
			[at('users'), 'gpt-borrowed'],
			[at('web'), 'gpt-web'],
		]);
	});

	test('when the folder is opened while a chat goes on, then the loaded model stays with its own client', async () => {
		const window = new OpenWindow({ agrees: true });
		const [before] = window.read(users());
		const loaded = before?.load();
		const [after] = window.read(
			{ folder: 'app', content: { clients: { openai: client(at('repository')) } } },
			users(),
		);
		expect(after?.load).toBe(before?.load);
		await loaded;
		await window.send(after, 'private');
		expect(arrived().map(({ url }) => url)).toEqual([at('users')]);
	});
});

describe('given two clients at one gateway, in two files', () => {
	test('then the key and the agreement for the user’s path are not used for the folder’s path', async () => {
		const storedKeys = { [at('gateway', '/v1/A')]: 'sk-users' };
		const content = {
			clients: { openai: client(at('gateway', '/v1/B')) },
			models: { theirs: model('gpt-theirs') },
		};
		const ours: WrittenFile = {
			content: { clients: { openai: client(at('gateway', '/v1/A')) }, models: { mine: model('gpt-mine') } },
		};
		const window = new OpenWindow({ storedKeys });
		const [theirs, mine] = window.read({ folder: 'app', content }, ours);
		expect(await window.send(mine, 'private')).toBeUndefined();
		expect(window.questions).toEqual([]);
		expect(await window.send(theirs, 'private')).toMatchObject({ reason: 'refused' });
		expect(window.questions).toEqual([
			`chat to ${at('gateway', '/v1/B')} (openai in ${fileOf({ folder: 'app' })})`,
		]);
		expect(arrived().map(({ url, key }) => [url, key])).toEqual([[at('gateway', '/v1/A'), 'sk-users']]);

		const agreeing = new OpenWindow({ storedKeys, agrees: true });
		await agreeing.send(agreeing.read({ folder: 'app', content }, ours)[0], 'hello');
		expect(arrived().at(-1)).toMatchObject({ url: at('gateway', '/v1/B'), key: undefined });
	});

	test('then what a folder’s file sets as headers there needs consent of its own', async () => {
		const headers = { 'x-portkey-api-key': 'account-of-somebody' };
		const content = {
			clients: { openai: client(at('gateway'), { headers }) },
			models: { theirs: model('gpt-theirs') },
		};
		const window = new OpenWindow({ storedKeys: { [at('gateway')]: 'sk-users' } });
		const [theirs, mine] = window.read(
			{ folder: 'app', content },
			{ content: { clients: { openai: client(at('gateway')) }, models: { mine: model('gpt-mine') } } },
		);
		expect(await window.send(mine, 'private')).toBeUndefined();
		expect(await window.send(theirs, 'private')).toMatchObject({ reason: 'refused' });
		expect(window.questions).toEqual([
			`chat with x-portkey-api-key to ${at('gateway')} (openai in ${fileOf({ folder: 'app' })})`,
		]);
		expect(arrived().map(({ body }) => body.model)).toEqual(['gpt-mine']);
	});

	test('then the fields that a folder’s model adds to the user’s client need consent of their own', async () => {
		const content = {
			models: { theirs: model('gpt-theirs', { extra_body: { api_base: 'https://x.example' } }) },
		};
		const window = new OpenWindow({ storedKeys: { [at('gateway')]: 'sk-users' } });
		const [theirs, mine] = window.read(
			{ folder: 'app', content },
			{
				content: {
					clients: { openai: client(at('gateway'), { headers: { 'X-Own': 'blue' } }) },
					models: { mine: model('gpt-mine', { extra_body: { seed: 1 } }) },
				},
			},
		);
		expect(await window.send(mine, 'private')).toBeUndefined();
		expect(window.questions).toEqual([]);
		expect(await window.send(theirs, 'private')).toMatchObject({ reason: 'refused' });
		expect(window.questions).toEqual([`chat with api_base to ${at('gateway')} (openai in ${fileOf({})})`]);
		expect(arrived().map(({ body }) => body.model)).toEqual(['gpt-mine']);
	});
});

describe('given a key in the .env beside a folder’s file', () => {
	const files = (): readonly [WrittenFile, WrittenFile] => [
		{
			folder: 'app',
			content: { clients: { openai: client(at('gateway')) }, models: { theirs: model('gpt-theirs') } },
			dotenv: { OPENAI_API_KEY: 'sk-of-app' },
		},
		{ content: { clients: { openai: client(at('gateway')) }, models: { mine: model('gpt-mine') } } },
	];

	test('when the user declines to send a chat with it, then nothing is sent', async () => {
		const window = new OpenWindow();
		const [theirs] = window.read(...files());
		expect(await window.send(theirs, 'private')).toMatchObject({ reason: 'refused' });
		expect(window.questions).toEqual([
			`OPENAI_API_KEY of its .env as key to ${at('gateway')} (openai in ${fileOf({ folder: 'app' })})`,
		]);
		expect(arrived()).toEqual([]);
	});

	test('when the user agrees, then one question is enough, and their own model of that URL still has no key', async () => {
		const window = new OpenWindow({ agrees: true });
		const [theirs, mine] = window.read(...files());
		await window.send(theirs, 'hello');
		await window.send(theirs, 'hello again');
		expect(window.questions).toHaveLength(1);
		await window.send(mine, 'private');
		expect(arrived().map(({ key }) => key)).toEqual(['sk-of-app', 'sk-of-app', undefined]);
	});

	test('when the environment has the variable, then that key is sent, after the usual questions', async () => {
		const window = new OpenWindow({ agrees: true, environment: { OPENAI_API_KEY: 'sk-of-the-user' } });
		const [theirs] = window.read(...files());
		await window.send(theirs, 'hello');
		expect(arrived().map(({ key }) => key)).toEqual(['sk-of-the-user']);
		expect(window.questions.map((question) => question.split(' to ')[0])).toEqual([
			'chat',
			'OPENAI_API_KEY as key',
		]);
	});

	test('when it is beside the user’s own file, then it counts as the user’s', async () => {
		const [, users] = files();
		const window = new OpenWindow({ agrees: true });
		const [mine] = window.read({ ...users, dotenv: { OPENAI_API_KEY: 'sk-of-the-user' } });
		await window.send(mine, 'hello');
		expect(arrived().map(({ key }) => key)).toEqual(['sk-of-the-user']);
		expect(window.questions.join()).not.toContain('.env');
	});
});

describe('given two folders whose files name their clients alike', () => {
	test('then each model gets the key of the .env beside its own file', async () => {
		const window = new OpenWindow({ agrees: true });
		const file = (folder: string): WrittenFile => ({
			folder,
			content: { clients: { openai: client(at(folder)) }, models: { [folder]: model(folder) } },
			dotenv: { OPENAI_API_KEY: `sk-of-${folder}` },
		});
		const offered = window.read(file('app'), file('web'), users());
		for (const one of offered) await window.send(one, 'hello');
		expect(arrived().map(({ url, key }) => [url, key])).toEqual([
			[at('app'), 'sk-of-app'],
			[at('web'), 'sk-of-web'],
			[at('users'), undefined],
		]);
	});
});

describe('given two clients with the same name and URL in two files', () => {
	test('then each asks for its own list of models, with its own headers', async () => {
		const window = new OpenWindow({ agrees: true });
		const file = (folder: string, team: string): WrittenFile => ({
			folder,
			content: { clients: { [team]: client(at('gateway'), { headers: { 'X-Team': team } }) } },
		});
		await window.listed(file('app', 'red'), file('web', 'blue'));
		const lists = served.at('/v1/models').map(({ headers }) => headers['x-team']);
		expect(lists.toSorted()).toEqual(['blue', 'red']);
	});
});
