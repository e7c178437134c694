import { describe, expect, test } from 'vitest';
import { type KeySituation, keyFault, keyVerdict } from '../../../../src/vscode/secrets/keyRules.ts';

const environment: Readonly<Record<string, string>> = {
	OPENAI_API_KEY: 'openai-key',
	ANTHROPIC_API_KEY: 'anthropic-key',
	OPENROUTER_API_KEY: 'router-key',
	GEMINI_API_KEY: 'gemini-key',
	GITHUB_TOKEN: 'github-key',
	AZURE_OPENAI_API_KEY: 'azure-key',
};

function verdict(situation: Partial<KeySituation> & { env?: Readonly<Record<string, string>> }) {
	const { env = environment, ...given } = situation;
	return keyVerdict({
		origin: 'https://api.openai.com',
		provider: 'openai',
		stored: undefined,
		environment: (name) => env[name],
		agreed: [],
		declined: false,
		refused: false,
		...given,
	});
}

describe('given API keys in the environment', () => {
	test.each([
		['https://api.openai.com', 'openai', 'OPENAI_API_KEY'],
		['https://api.anthropic.com', 'anthropic', 'ANTHROPIC_API_KEY'],
		['https://openrouter.ai', 'openai', 'OPENROUTER_API_KEY'],
		['https://generativelanguage.googleapis.com', 'openai', 'GEMINI_API_KEY'],
		['https://models.github.ai', 'openai', 'GITHUB_TOKEN'],
		// Its address decides, not the protocol that is spoken there.
		['https://api.anthropic.com', 'openai', 'ANTHROPIC_API_KEY'],
	] as const)(
		'then the provider at %s, used with the %s protocol, gets its own key: %s',
		(origin, provider, variable) => {
			expect(verdict({ origin, provider })).toEqual({
				kind: 'variable',
				variable,
				key: environment[variable],
			});
		},
	);

	test('when a key is stored, then it takes precedence', () => {
		expect(verdict({ stored: ' stored-key ' })).toEqual({ kind: 'stored', key: 'stored-key' });
	});

	test.each([
		'https://llm.example.com',
		'http://10.0.0.7:8080',
		'http://api.openai.com',
		'https://api.openai.com:8443',
		'https://api.openai.com.example.com',
	])('then the user is asked before a key is sent to %s', (origin) => {
		expect(verdict({ origin })).toMatchObject({ kind: 'ask', variable: 'OPENAI_API_KEY' });
		expect(verdict({ origin, provider: 'anthropic' })).toMatchObject({
			kind: 'ask',
			variable: 'ANTHROPIC_API_KEY',
		});
	});

	test("then an Azure resource gets Azure's key, after the user is asked", () => {
		expect(verdict({ origin: 'https://acme.openai.azure.com' })).toMatchObject({
			kind: 'ask',
			variable: 'AZURE_OPENAI_API_KEY',
		});
	});

	test('when the user has agreed to one variable, then it is sent, but another variable is not', () => {
		const origin = 'https://llm.example.com';
		const agreed = ['OPENAI_API_KEY'];
		expect(verdict({ origin, agreed })).toMatchObject({ kind: 'variable', key: 'openai-key' });
		expect(verdict({ origin, agreed, provider: 'anthropic' }).kind).toBe('ask');
	});

	test('when the user has declined, then they are not asked again', () => {
		expect(verdict({ origin: 'https://llm.example.com', declined: true })).toEqual({
			kind: 'declined',
			variable: 'OPENAI_API_KEY',
		});
	});

	test.each(['http://127.0.0.1:1234', 'http://localhost:8080', 'http://[::1]:1234', 'https://localhost'])(
		'then %s on this machine gets no key at first, and the user is asked only after it refuses',
		(origin) => {
			expect(verdict({ origin })).toEqual({ kind: 'none' });
			expect(verdict({ origin, refused: true }).kind).toBe('ask');
			expect(verdict({ origin, refused: true, declined: true }).kind).toBe('declined');
		},
	);

	test('then Ollama never gets a key', () => {
		expect(verdict({ origin: 'https://ollama.example.com', provider: 'ollama', refused: true })).toEqual({
			kind: 'none',
		});
	});
});

describe('given no key, or an invalid one', () => {
	test.each([{}, { OPENAI_API_KEY: '' }, { OPENAI_API_KEY: 'two words' }, { OPENAI_API_KEY: 'a\nb' }])(
		'then no key is sent and the user is not asked: %j',
		(env) => {
			expect(verdict({ env })).toEqual({ kind: 'none' });
			expect(verdict({ env, origin: 'https://llm.example.com' })).toEqual({ kind: 'none' });
		},
	);

	test.each(['', '  ', 'sk-1 sk-2', 'sk-1\nsk-2', 'sk-1\tx', 'schlüssel', 'a\u200bb', 'a\0b'])(
		'when the user enters an invalid key, then the input says what is wrong: %j',
		(text) => {
			expect(keyFault(text)).toMatch(/key/i);
		},
	);

	test('when the user enters spaces around a key, then the key is accepted', () => {
		expect(keyFault('  sk-proj_1.2-3\n')).toBeUndefined();
	});
});
