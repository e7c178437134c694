import { beforeEach, expect, test } from 'vitest';
import { ChatConsents } from '../../../../src/vscode/secrets/chatConsents.ts';
import { type KeyClient, originOf } from '../../../../src/vscode/secrets/keyRules.ts';
import type { KeySource } from '../../../../src/vscode/secrets/keyStore.ts';

const foreign: KeyClient = { baseUrl: 'https://llm.example.com/v1', provider: 'openai', name: 'gateway' };
const { origin: foreignOrigin } = new URL(foreign.baseUrl);

let globalState: Map<string, unknown>;
let asked: string[];
let answer: () => Promise<boolean>;

/** A window of its own over what outlives it. */
function openWindow(key: KeySource['kind'] = 'none'): ChatConsents {
	return new ChatConsents({
		keys: { sourceFor: async () => ({ kind: key }) },
		agreements: {
			get: <T>(name: string) => globalState.get(name) as T,
			update: async (name: string, value: unknown) => void globalState.set(name, value),
		},
		ask: (client) => {
			asked.push(originOf(client));
			return answer();
		},
	});
}

beforeEach(() => {
	globalState = new Map();
	asked = [];
	answer = async () => false;
});

test('when only the repository configures an address, then nothing is sent there before the user agrees', async () => {
	expect(await openWindow().mayReceive(foreign)).toBe(false);
	answer = async () => true;
	expect(await openWindow().mayReceive(foreign)).toBe(true);
	expect(await openWindow().mayReceive(foreign)).toBe(true);
	expect(asked).toEqual([foreignOrigin, foreignOrigin]);
});

test('when the user agrees to an address, then the same host without encryption still needs consent', async () => {
	answer = async () => true;
	await openWindow().mayReceive(foreign);
	await openWindow().mayReceive({ ...foreign, baseUrl: 'http://llm.example.com/v1' });
	expect(asked).toEqual([foreignOrigin, 'http://llm.example.com']);
});

test('when several requests need consent at once, then the user is asked once', async () => {
	const window = openWindow();
	await Promise.all([window.mayReceive(foreign), window.mayReceive(foreign)]);
	expect(asked).toHaveLength(1);
});

test.each(['stored', 'variable'] as const)(
	'when there is a key for the address (%s), then the user is not asked',
	async (key) => {
		expect(await openWindow(key).mayReceive(foreign)).toBe(true);
		expect(asked).toEqual([]);
	},
);

test.each(['ask', 'declined'] as const)(
	'when the key may not be sent to the address (%s), then the user is asked',
	async (key) => {
		expect(await openWindow(key).mayReceive(foreign)).toBe(false);
		expect(asked).toHaveLength(1);
	},
);

test.each([
	'https://api.openai.com',
	'https://api.anthropic.com',
	'http://127.0.0.1:1234',
	'http://localhost:11434',
])('when the address is the well-known %s, then the user is not asked', async (origin) => {
	expect(await openWindow().mayReceive({ ...foreign, baseUrl: `${origin}/v1` })).toBe(true);
	expect(asked).toEqual([]);
});
