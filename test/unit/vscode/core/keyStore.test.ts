import { beforeEach, describe, expect, test } from 'vitest';
import { addressOf } from '../../../../src/config/models/clientDefinition.ts';
import type { KeyClient } from '../../../../src/vscode/core/keyRules.ts';
import { KeyStore, type SecretAnswer } from '../../../../src/vscode/core/keyStore.ts';

const file = 'file:///app/config.json';
const gateway: KeyClient = {
	file,
	baseUrl: 'https://llm.example.com/v1',
	provider: 'openai',
	name: 'gateway',
};
const local: KeyClient = {
	file,
	baseUrl: 'http://127.0.0.1:1234/v1',
	provider: 'openai',
	name: 'lmstudio',
};
const openai: KeyClient = {
	file,
	baseUrl: 'https://api.openai.com/v1',
	provider: 'openai',
	name: 'openai',
};

let secrets: Map<string, string>;
let globalState: Map<string, unknown>;
let asked: string[];
/** What the `.env` beside a file sets. */
let dotenv: Map<string, Readonly<Record<string, string>>>;
let changed: (change: { readonly key: string }) => void;
let answer: () => Promise<SecretAnswer>;

/** A window of its own over what outlives it. */
function openWindow(): KeyStore {
	return new KeyStore({
		secrets: {
			get: async (name) => secrets.get(name),
			store: async (name, key) => void secrets.set(name, key),
			delete: async (name) => void secrets.delete(name),
			onDidChange: (listener) => {
				changed = listener;
				return { dispose() {} };
			},
		},
		agreements: {
			get: <T>(name: string) => globalState.get(name) as T,
			update: async (name: string, value: unknown) => void globalState.set(name, value),
		},
		environment: (name, { file }) => {
			const theirs = dotenv.get(file)?.[name];
			if (theirs !== undefined) return { value: theirs, isOfWorkspace: true };
			return name === 'OPENAI_API_KEY' ? { value: 'environment-key', isOfWorkspace: false } : undefined;
		},
		askForSecret: (client, { variable, as, isOfWorkspace }) => {
			const from = isOfWorkspace ? ` of ${client.file}` : '';
			asked.push(`${client.name}: ${variable}${from} to ${addressOf(client)} as ${as}`);
			return answer();
		},
		askForChat: async (client) => {
			asked.push(`chat to ${addressOf(client)}`);
			return (await answer()).kind === 'send';
		},
		signIn: async () => undefined,
	});
}

beforeEach(() => {
	secrets = new Map();
	globalState = new Map();
	asked = [];
	dotenv = new Map();
	answer = async () => ({ kind: 'declined' });
});

describe('given an environment variable whose key belongs to another address', () => {
	test('when the user agrees, then the key is sent to this address, and they are not asked again', async () => {
		answer = async () => ({ kind: 'send' });
		expect(await openWindow().keyFor(gateway)).toBe('environment-key');
		expect(await openWindow().keyFor(gateway)).toBe('environment-key');
		expect(asked).toEqual(['gateway: OPENAI_API_KEY to https://llm.example.com/v1 as key']);
	});

	test('when several requests need the key at once, then the user is asked once', async () => {
		const reply = Promise.withResolvers<SecretAnswer>();
		answer = () => reply.promise;
		const keys = openWindow();
		const wanted = [keys.keyFor(gateway), keys.keyFor(gateway), keys.keyFor({ ...gateway, name: 'other' })];
		reply.resolve({ kind: 'send' });
		expect(await Promise.all(wanted)).toEqual(['environment-key', 'environment-key', 'environment-key']);
		expect(asked).toHaveLength(1);
	});

	test('when the user declines, then nothing is sent until the window is reloaded', async () => {
		const keys = openWindow();
		expect(await keys.keyFor(gateway)).toBeUndefined();
		expect(await keys.keyFor(gateway)).toBeUndefined();
		expect(asked).toHaveLength(1);
		await openWindow().keyFor(gateway);
		expect(asked).toHaveLength(2);
	});

	test('when the user has declined by mistake, then they can see that and revoke it', async () => {
		const keys = openWindow();
		await keys.keyFor(gateway);
		expect(await keys.sourceFor(gateway)).toEqual({ kind: 'declined', variable: 'OPENAI_API_KEY' });
		answer = async () => ({ kind: 'send' });
		await keys.forgetAnswers(gateway);
		expect(await keys.keyFor(gateway)).toBe('environment-key');
	});

	test('when the user enters another key, then it is sent and stored for this URL only', async () => {
		answer = async () => ({ kind: 'replace', key: 'gateway-key' });
		expect(await openWindow().keyFor(gateway)).toBe('gateway-key');
		expect(await openWindow().keyFor(gateway)).toBe('gateway-key');
		expect(await openWindow().keyFor(openai)).toBe('environment-key');
		expect([...secrets]).toEqual([['apiKey:https://llm.example.com/v1', 'gateway-key']]);
		expect(asked).toHaveLength(1);
	});

	test('when the user clears their answer, then they are asked again', async () => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		await keys.keyFor(gateway);
		expect(keys.agreedVariables(gateway)).toEqual(['OPENAI_API_KEY']);
		await keys.forgetAnswers(gateway);
		expect(keys.agreedVariables(gateway)).toEqual([]);
		await keys.keyFor(gateway);
		expect(asked).toHaveLength(2);
	});
});

describe('given a model server on this machine', () => {
	test('when it accepts requests without a key, then the user is not asked', async () => {
		expect(await openWindow().keyFor(local)).toBeUndefined();
		expect(asked).toEqual([]);
	});

	test('when it refuses a request, then the user is asked, and the key they agree to is sent', async () => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		expect(await keys.keyAfterRefusal(local)).toBe(true);
		expect(await keys.keyFor(local)).toBe('environment-key');
		expect(asked).toEqual(['lmstudio: OPENAI_API_KEY to http://127.0.0.1:1234/v1 as key']);
	});

	test('when the user declines, then the request is not retried, and they are asked only once', async () => {
		const keys = openWindow();
		expect(await keys.keyAfterRefusal(local)).toBe(false);
		expect(await keys.keyAfterRefusal(local)).toBe(false);
		expect(asked).toHaveLength(1);
	});
});

describe('given a stored key', () => {
	test('when it is refused, then the user is not asked about the key in the environment', async () => {
		const keys = openWindow();
		await keys.store(gateway, 'gateway-key');
		expect(await keys.keyAfterRefusal(gateway)).toBe(false);
		expect(asked).toEqual([]);
	});

	test('when it is replaced and that is taken back, then it is stored again', async () => {
		const keys = openWindow();
		await keys.store(gateway, 'mine');
		const back = await keys.changing(gateway, 'other').take();
		expect(await keys.keyFor(gateway)).toBe('other');
		const again = await back.take();
		expect(await keys.keyFor(gateway)).toBe('mine');
		await (await again.take()).take();
		expect(await keys.keyFor(gateway)).toBe('mine');
	});

	test('when it is removed, then the key in the environment is used for its own provider', async () => {
		const keys = openWindow();
		await keys.store(openai, 'my-key\n');
		expect(await keys.keyFor(openai)).toBe('my-key');
		expect(await keys.sourceFor(openai)).toEqual({ kind: 'stored' });
		await keys.remove(openai);
		expect(await keys.keyFor(openai)).toBe('environment-key');
		expect(await keys.sourceFor(openai)).toEqual({ kind: 'variable', variable: 'OPENAI_API_KEY' });
	});
});

describe('given a secret in a configured header', () => {
	test('when the user agrees, then it may be sent to this address from then on, but to no other', async () => {
		answer = async () => ({ kind: 'send' });
		expect(await openWindow().mayUse(gateway, 'GATEWAY_TOKEN')).toBe(true);
		expect(await openWindow().mayUse(gateway, 'GATEWAY_TOKEN')).toBe(true);
		expect(asked).toEqual(['gateway: GATEWAY_TOKEN to https://llm.example.com/v1 as header']);
		answer = async () => ({ kind: 'declined' });
		expect(await openWindow().mayUse(local, 'GATEWAY_TOKEN')).toBe(false);
	});

	test('when several requests need it at once, or the user declined, then the user is asked once', async () => {
		const keys = openWindow();
		const wanted = [keys.mayUse(gateway, 'GATEWAY_TOKEN'), keys.mayUse(gateway, 'GATEWAY_TOKEN')];
		expect(await Promise.all(wanted)).toEqual([false, false]);
		expect(await keys.mayUse(gateway, 'GATEWAY_TOKEN')).toBe(false);
		expect(asked).toHaveLength(1);
		await keys.forgetAnswers(gateway);
		await keys.mayUse(gateway, 'GATEWAY_TOKEN');
		expect(asked).toHaveLength(2);
	});

	test('then a provider’s key can go to that provider without asking the user', async () => {
		expect(await openWindow().mayUse(openai, 'OPENAI_API_KEY')).toBe(true);
		expect(await openWindow().mayUse(gateway, 'OPENAI_API_KEY')).toBe(false);
		expect(asked).toEqual(['gateway: OPENAI_API_KEY to https://llm.example.com/v1 as header']);
	});
});

describe('given a chat with a model of a configured client', () => {
	const keyless: KeyClient = { ...gateway, provider: 'ollama' };

	test('when only the configuration names its address, then nothing is sent there before the user agrees', async () => {
		expect(await openWindow().mayReceiveChats(keyless)).toBe(false);
		answer = async () => ({ kind: 'send' });
		expect(await openWindow().mayReceiveChats(keyless)).toBe(true);
		expect(await openWindow().mayReceiveChats(keyless)).toBe(true);
		expect(asked).toEqual(['chat to https://llm.example.com/v1', 'chat to https://llm.example.com/v1']);
	});

	test('when the user agrees to an address, then the same host without encryption still needs consent', async () => {
		answer = async () => ({ kind: 'send' });
		await openWindow().mayReceiveChats(keyless);
		await openWindow().mayReceiveChats({ ...keyless, baseUrl: 'http://llm.example.com/v1' });
		expect(asked).toEqual(['chat to https://llm.example.com/v1', 'chat to http://llm.example.com/v1']);
	});

	test('when the user forgets their answer, then they are asked again', async () => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		expect(keys.hasAgreedToChats(keyless)).toBe(false);
		await keys.mayReceiveChats(keyless);
		expect(keys.hasAgreedToChats(keyless)).toBe(true);
		await keys.forgetAnswers(keyless);
		await keys.mayReceiveChats(keyless);
		expect(asked).toHaveLength(2);
	});

	test('when several requests need consent at once, then the user is asked once', async () => {
		const keys = openWindow();
		await Promise.all([keys.mayReceiveChats(keyless), keys.mayReceiveChats(keyless)]);
		expect(asked).toHaveLength(1);
	});

	test('when the user has stored a key for the address, or sends a variable’s key there, then they are not asked', async () => {
		const keys = openWindow();
		await keys.store(keyless, 'gateway-key');
		expect(await keys.mayReceiveChats(keyless)).toBe(true);
		await keys.remove(keyless);
		answer = async () => ({ kind: 'send' });
		await keys.keyFor(gateway);
		expect(await keys.mayReceiveChats(gateway)).toBe(true);
		expect(asked).toEqual(['gateway: OPENAI_API_KEY to https://llm.example.com/v1 as key']);
	});

	test('when a variable’s key may not be sent to the address, then the user is asked', async () => {
		const keys = openWindow();
		expect(await keys.mayReceiveChats(gateway)).toBe(false);
		await keys.keyFor(gateway);
		expect(await keys.mayReceiveChats(gateway)).toBe(false);
		expect(asked.filter((question) => question.startsWith('chat'))).toHaveLength(2);
	});

	test.each([
		'https://api.openai.com',
		'https://api.anthropic.com',
		'http://127.0.0.1:1234',
		'http://localhost:11434',
	])('when the address is the well-known %s, then the user is not asked', async (origin) => {
		expect(await openWindow().mayReceiveChats({ ...keyless, baseUrl: `${origin}/v1` })).toBe(true);
		expect(asked).toEqual([]);
	});
});

describe('given two clients at one host', () => {
	const ours: KeyClient = { ...gateway, baseUrl: 'https://gateway.example.com/v1/A' };
	const others = [
		'https://gateway.example.com/v1/B',
		'https://gateway.example.com/v1',
		'https://gateway.example.com/v1/A/B',
		'https://gateway.example.com/v1/A/../B',
		'https://gateway.example.com/v1/A/%2e%2e/B',
		'https://gateway.example.com/v1/a',
		'http://gateway.example.com/v1/A',
		'https://gateway.example.com:8443/v1/A',
	];

	test.each(others)('then the key of one never goes to %s', async (baseUrl) => {
		const keys = openWindow();
		await keys.store(ours, 'key-of-A');
		expect(await keys.keyFor({ ...ours, baseUrl, provider: 'ollama' })).toBeUndefined();
		expect(await keys.knownKeyFor({ ...ours, baseUrl })).toBeUndefined();
	});

	test.each(others)('then consent to send it chats and secrets does not count for %s', async (baseUrl) => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		await keys.keyFor(ours);
		await keys.mayUse(ours, 'GATEWAY_TOKEN');
		await keys.mayReceiveChats({ ...ours, provider: 'ollama' });
		asked = [];
		answer = async () => ({ kind: 'declined' });
		const other = { ...ours, baseUrl };
		expect(await keys.mayReceiveChats({ ...other, provider: 'ollama' })).toBe(false);
		expect(await keys.mayUse(other, 'GATEWAY_TOKEN')).toBe(false);
		expect(await keys.keyFor(other)).toBeUndefined();
		expect(asked).toHaveLength(3);
	});

	test.each([
		'https://gateway.example.com/v1/A/',
		'https://GATEWAY.example.com:443/v1/A',
		'https://gateway.example.com/v1/B/../A',
	])('then %s is the same as the first', async (baseUrl) => {
		const keys = openWindow();
		await keys.store(ours, 'key-of-A');
		expect(await keys.keyFor({ ...ours, baseUrl })).toBe('key-of-A');
	});
});

describe('given a key in the .env of a workspace', () => {
	const ofApp: KeyClient = { ...openai, file: 'file:///app/config.json' };
	const ofWeb: KeyClient = { ...openai, file: 'file:///web/config.json' };

	beforeEach(() => {
		dotenv.set(ofApp.file, { OPENAI_API_KEY: 'key-of-app' });
		dotenv.set(ofWeb.file, { OPENAI_API_KEY: 'key-of-web' });
	});

	test('when a chat is to be sent with it, then the user is asked once, and the file is named', async () => {
		answer = async () => ({ kind: 'send' });
		expect(await openWindow().mayReceiveChats(ofApp)).toBe(true);
		expect(await openWindow().mayReceiveChats(ofApp)).toBe(true);
		expect(await openWindow().keyFor(ofApp)).toBe('key-of-app');
		expect(asked).toEqual([
			'openai: OPENAI_API_KEY of file:///app/config.json to https://api.openai.com/v1 as key',
		]);
		expect(JSON.stringify([...globalState])).not.toContain('key-of-app');
	});

	test('when the user declines, then nothing is sent', async () => {
		expect(await openWindow().mayReceiveChats(ofApp)).toBe(false);
		expect(asked).toHaveLength(1);
	});

	test('when the user enters a key of their own, then that is sent to both, without another question', async () => {
		answer = async () => ({ kind: 'replace', key: 'my-key' });
		const keys = openWindow();
		expect(await keys.mayReceiveChats(ofApp)).toBe(true);
		expect([await keys.keyFor(ofApp), await keys.keyFor(ofWeb)]).toEqual(['my-key', 'my-key']);
		expect(asked).toHaveLength(1);
	});

	test('when the key changes after the user agreed, even in the middle of a chat, then they are asked again', async () => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		await keys.mayReceiveChats(ofApp);
		dotenv.set(ofApp.file, { OPENAI_API_KEY: 'key-of-another-account' });
		answer = async () => ({ kind: 'declined' });
		expect(await keys.keyFor(ofApp)).toBeUndefined();
		expect(asked).toHaveLength(2);
	});

	test('when two workspaces have different keys for one URL, then each has its own question and its own key', async () => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		expect(await Promise.all([keys.keyFor(ofApp), keys.keyFor(ofWeb)])).toEqual(['key-of-app', 'key-of-web']);
		expect(asked).toHaveLength(2);
	});

	test('when the user agreed to send the variable of their environment, then a workspace’s value of it is not sent', async () => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		await keys.keyFor({ ...gateway, file: 'file:///user/config.json' });
		answer = async () => ({ kind: 'declined' });
		expect(await keys.keyFor(gateway)).toBeUndefined();
		expect(asked[1]).toContain('OPENAI_API_KEY of file:///app/config.json');
	});

	test('when its models are listed, then it goes to its own provider without a question, but to no other address', async () => {
		const keys = openWindow();
		expect(await keys.knownKeyFor(ofApp)).toBe('key-of-app');
		expect(await keys.knownKeyFor({ ...gateway, file: ofApp.file })).toBeUndefined();
		expect(asked).toEqual([]);
	});
});

describe('given a workspace’s client with headers, at an address with a key of the user', () => {
	const theirs: KeyClient = {
		...gateway,
		headers: [{ name: 'x-portkey-api-key', value: 'account-of-somebody', secrets: [] }],
	};

	test('then the user is asked once whether chats go there with these headers', async () => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		await keys.store(gateway, 'my-key');
		expect(await keys.mayReceiveChats(gateway)).toBe(true);
		expect(asked).toEqual([]);
		expect(await keys.mayReceiveChats(theirs)).toBe(true);
		expect(await keys.mayReceiveChats(theirs)).toBe(true);
		expect(asked).toEqual(['chat to https://llm.example.com/v1']);
	});

	test('when the headers change, then the user is asked again', async () => {
		answer = async () => ({ kind: 'send' });
		const keys = openWindow();
		await keys.mayReceiveChats(theirs);
		const headers = [{ name: 'x-portkey-api-key', value: 'another-account', secrets: [] }];
		await keys.mayReceiveChats({ ...theirs, headers });
		expect(asked).toHaveLength(2);
	});
});

test('when a secret changes, then only the change of a key is reported, with its address', async () => {
	const keys = openWindow();
	const addresses: string[] = [];
	keys.onDidChange((address) => addresses.push(address));
	for (const key of ['variable:file:///app:TOKEN', 'signIn.grant.1', 'apiKey:https://llm.example.com/v1'])
		changed({ key });
	expect(addresses).toEqual(['https://llm.example.com/v1']);
});
