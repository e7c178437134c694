import { beforeEach, describe, expect, test } from 'vitest';
import { type KeyClient, originOf } from '../../../../src/vscode/secrets/keyRules.ts';
import { type KeyAnswer, KeyStore } from '../../../../src/vscode/secrets/keyStore.ts';

const file = 'file:///app/config.json';
const gateway: KeyClient = {
	file,
	baseUrl: 'https://llm.example.com/v1',
	provider: 'openai',
	name: 'gateway',
};
const local: KeyClient = { file, baseUrl: 'http://127.0.0.1:1234/v1', provider: 'openai', name: 'lmstudio' };
const openai: KeyClient = { file, baseUrl: 'https://api.openai.com/v1', provider: 'openai', name: 'openai' };

let secrets: Map<string, string>;
let globalState: Map<string, unknown>;
let asked: string[];
let answer: () => Promise<KeyAnswer>;

/** A window of its own over what outlives it. */
function openWindow(): KeyStore {
	return new KeyStore({
		secrets: {
			get: async (name) => secrets.get(name),
			store: async (name, key) => void secrets.set(name, key),
			delete: async (name) => void secrets.delete(name),
			onDidChange: () => ({ dispose() {} }),
		},
		agreements: {
			get: <T>(name: string) => globalState.get(name) as T,
			update: async (name: string, value: unknown) => void globalState.set(name, value),
		},
		environment: (name) => (name === 'OPENAI_API_KEY' ? 'environment-key' : undefined),
		ask: (client, variable) => {
			asked.push(`${client.name}: ${variable} to ${originOf(client)}`);
			return answer();
		},
		askForHeader: async (client, variable) => {
			asked.push(`${client.name}: ${variable} to ${originOf(client)} in a header`);
			return (await answer()).kind === 'send';
		},
		askForChat: async (client) => {
			asked.push(`chat to ${originOf(client)}`);
			return (await answer()).kind === 'send';
		},
		signIn: async () => undefined,
	});
}

beforeEach(() => {
	secrets = new Map();
	globalState = new Map();
	asked = [];
	answer = async () => ({ kind: 'declined' });
});

describe('given an environment variable whose key belongs to another address', () => {
	test('when the user agrees, then the key is sent to this address, and they are not asked again', async () => {
		answer = async () => ({ kind: 'send' });
		expect(await openWindow().keyFor(gateway)).toBe('environment-key');
		expect(await openWindow().keyFor(gateway)).toBe('environment-key');
		expect(asked).toEqual(['gateway: OPENAI_API_KEY to https://llm.example.com']);
	});

	test('when several requests need the key at once, then the user is asked once', async () => {
		const reply = Promise.withResolvers<KeyAnswer>();
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

	test('when the user enters another key, then it is sent and stored for this origin only', async () => {
		answer = async () => ({ kind: 'replace', key: 'gateway-key' });
		expect(await openWindow().keyFor(gateway)).toBe('gateway-key');
		expect(await openWindow().keyFor(gateway)).toBe('gateway-key');
		expect(await openWindow().keyFor(openai)).toBe('environment-key');
		expect([...secrets]).toEqual([['apiKey:https://llm.example.com', 'gateway-key']]);
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
		expect(asked).toEqual(['lmstudio: OPENAI_API_KEY to http://127.0.0.1:1234']);
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
		expect(asked).toEqual(['gateway: GATEWAY_TOKEN to https://llm.example.com in a header']);
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
		expect(asked).toEqual(['gateway: OPENAI_API_KEY to https://llm.example.com in a header']);
	});
});

describe('given a chat with a model of a configured client', () => {
	const keyless: KeyClient = { ...gateway, provider: 'ollama' };

	test('when only the configuration names its address, then nothing is sent there before the user agrees', async () => {
		expect(await openWindow().mayReceiveChats(keyless)).toBe(false);
		answer = async () => ({ kind: 'send' });
		expect(await openWindow().mayReceiveChats(keyless)).toBe(true);
		expect(await openWindow().mayReceiveChats(keyless)).toBe(true);
		expect(asked).toEqual(['chat to https://llm.example.com', 'chat to https://llm.example.com']);
	});

	test('when the user agrees to an address, then the same host without encryption still needs consent', async () => {
		answer = async () => ({ kind: 'send' });
		await openWindow().mayReceiveChats(keyless);
		await openWindow().mayReceiveChats({ ...keyless, baseUrl: 'http://llm.example.com/v1' });
		expect(asked).toEqual(['chat to https://llm.example.com', 'chat to http://llm.example.com']);
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
		expect(asked).toEqual(['gateway: OPENAI_API_KEY to https://llm.example.com']);
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
