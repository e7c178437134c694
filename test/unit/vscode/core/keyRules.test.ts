import { describe, expect, test } from 'vitest';
import type { ClientDefinition } from '../../../../src/config/models/clientDefinition.ts';
import {
	additionsOf,
	type KeySituation,
	keyFault,
	keyVerdict,
	mayBeAskedForModels,
	mayGetChats,
} from '../../../../src/vscode/core/keyRules.ts';

const environment: Readonly<Record<string, string>> = {
	OPENAI_API_KEY: 'openai-key',
	ANTHROPIC_API_KEY: 'anthropic-key',
	OPENROUTER_API_KEY: 'router-key',
	GEMINI_API_KEY: 'gemini-key',
	GITHUB_TOKEN: 'github-key',
	AZURE_OPENAI_API_KEY: 'azure-key',
};

/** `dotenv`: what the `.env` beside a workspace's file sets. */
function verdict({
	env = environment,
	dotenv = {},
	...situation
}: Partial<KeySituation> & Partial<Record<'env' | 'dotenv', Readonly<Record<string, string>>>>) {
	const found = (name: string) => {
		const value = env[name] ?? dotenv[name];
		return value === undefined ? undefined : { value, isOfWorkspace: env[name] === undefined };
	};
	return keyVerdict({
		address: 'https://api.openai.com/v1',
		provider: 'openai',
		auth: undefined,
		stored: undefined,
		environment: found,
		agreed: [],
		declined: [],
		isRefused: false,
		...situation,
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
			expect(verdict({ address: `${origin}/v1`, provider })).toMatchObject({
				kind: 'variable',
				variable,
				value: environment[variable],
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
	])('then the user is asked before a key is sent to %s', (address) => {
		expect(verdict({ address })).toMatchObject({ kind: 'ask', variable: 'OPENAI_API_KEY' });
		expect(verdict({ address, provider: 'anthropic' })).toMatchObject({
			kind: 'ask',
			variable: 'ANTHROPIC_API_KEY',
		});
	});

	test("then an Azure resource gets Azure's key, after the user is asked", () => {
		expect(verdict({ address: 'https://acme.openai.azure.com' })).toMatchObject({
			kind: 'ask',
			variable: 'AZURE_OPENAI_API_KEY',
		});
	});

	test('when the user has agreed to one variable, then it is sent, but another variable is not', () => {
		const address = 'https://llm.example.com';
		const agreed = ['OPENAI_API_KEY'];
		expect(verdict({ address, agreed })).toMatchObject({ kind: 'variable', value: 'openai-key' });
		expect(verdict({ address, agreed, provider: 'anthropic' }).kind).toBe('ask');
	});

	test('when the user has declined, then they are not asked again', () => {
		const declined = ['OPENAI_API_KEY'];
		expect(verdict({ address: 'https://llm.example.com', declined })).toMatchObject({
			kind: 'declined',
			variable: 'OPENAI_API_KEY',
		});
	});

	test.each(['http://127.0.0.1:1234', 'http://localhost:8080', 'http://[::1]:1234', 'https://localhost'])(
		'then %s on this machine gets no key at first, and the user is asked only after it refuses',
		(address) => {
			expect(verdict({ address })).toEqual({ kind: 'none' });
			expect(verdict({ address, isRefused: true }).kind).toBe('ask');
			expect(verdict({ address, isRefused: true, declined: ['OPENAI_API_KEY'] }).kind).toBe('declined');
		},
	);

	test('then Ollama never gets a key', () => {
		expect(verdict({ address: 'https://ollama.example.com', provider: 'ollama', isRefused: true })).toEqual({
			kind: 'none',
		});
	});
});

describe('given a key in the .env of a workspace', () => {
	const providers = [
		['https://api.openai.com/v1', 'openai', 'OPENAI_API_KEY'],
		['https://api.anthropic.com', 'anthropic', 'ANTHROPIC_API_KEY'],
		['https://openrouter.ai/api/v1', 'openai', 'OPENROUTER_API_KEY'],
		['https://generativelanguage.googleapis.com/v1beta/openai', 'openai', 'GEMINI_API_KEY'],
		['https://models.github.ai/inference', 'openai', 'GITHUB_TOKEN'],
		['https://acme.openai.azure.com/openai/v1', 'openai', 'AZURE_OPENAI_API_KEY'],
		['https://llm.example.com/v1', 'openai', 'OPENAI_API_KEY'],
	] as const;

	test.each(providers)('then the user is asked before it is sent to %s', (address, provider, variable) => {
		const asked = { address, provider, env: {}, dotenv: { [variable]: 'their-key' } };
		expect(verdict(asked)).toMatchObject({ kind: 'ask', variable, isOfWorkspace: true });
	});

	test('when the client uses a sign-in, then no key is sent, and there is nothing to ask', () => {
		const asked = { address: 'https://acme.openai.azure.com/openai/v1', auth: 'microsoft' } as const;
		expect(verdict({ ...asked, env: {}, dotenv: environment })).toEqual({ kind: 'none' });
		expect(verdict(asked)).toEqual({ kind: 'none' });
	});

	test('when the user agreed to it, then it is sent, but another key needs another answer', () => {
		const asked = verdict({ env: {}, dotenv: { OPENAI_API_KEY: 'their-key' } });
		const agreed = asked.kind === 'ask' ? [asked.id] : [];
		expect(agreed.join()).not.toContain('their-key');
		expect(verdict({ env: {}, dotenv: { OPENAI_API_KEY: 'their-key' }, agreed }).kind).toBe('variable');
		expect(verdict({ env: {}, dotenv: { OPENAI_API_KEY: 'another-key' }, agreed }).kind).toBe('ask');
	});

	test('when the user agreed to send their own variable of that name, then it is not sent', () => {
		const address = 'https://llm.example.com/v1';
		const agreed = ['OPENAI_API_KEY'];
		expect(verdict({ address, agreed }).kind).toBe('variable');
		expect(verdict({ address, agreed, env: {}, dotenv: environment }).kind).toBe('ask');
	});

	test('when the environment or the user has a key of their own, then that is sent without a question', () => {
		const dotenv = { OPENAI_API_KEY: 'their-key' };
		expect(verdict({ dotenv })).toMatchObject({ kind: 'variable', value: 'openai-key' });
		expect(verdict({ dotenv, env: {}, stored: 'my-key' })).toEqual({ kind: 'stored', key: 'my-key' });
	});
});

describe('given what a file adds to the requests of a model', () => {
	const client: ClientDefinition = {
		file: 'file:///app/config.json',
		name: 'c',
		provider: 'openai',
		baseUrl: 'https://llm.example.com/v1',
	};
	const key = { kind: 'stored', key: 'my-key' } as const;
	const none = { kind: 'none' } as const;

	test('then everything that a workspace adds needs an agreement of its own, and nothing of the user’s does', () => {
		const header = (name: string, value: string) => ({ headers: [{ name, value, secrets: [] }] });
		const targets: readonly (readonly [Partial<ClientDefinition>, extraBody?: object])[] = [
			[{}],
			[header('x-portkey-api-key', 'a')],
			[header('x-portkey-api-key', 'b')],
			[header('Helicone-Auth', 'a')],
			[{ organization: 'a' }],
			[{ ...header('x-portkey-api-key', 'a'), organization: 'a' }],
			[{}, { 'x-portkey-api-key': 'a' }],
			[{}, { api_base: 'https://somebody.example' }],
			[{}, { api_base: 'https://somebody.else.example' }],
			[{}, { provider: { only: ['somebody'] } }],
		];
		const added = (ofUser: { ofUser?: true }) =>
			targets.map(([more, extraBody = {}]) => {
				const sender = { ...client, ...ofUser, ...more };
				return additionsOf(sender, { file: client.file, ...ofUser, extraBody: { ...extraBody } });
			});
		expect(new Set(added({}).map(({ id }) => id)).size).toBe(targets.length);
		expect(new Set(added({ ofUser: true }).map(({ id }) => id))).toEqual(new Set(['']));
		expect(added({}).map(({ names }) => names.join())).toContain('x-portkey-api-key,OpenAI-Organization');
	});

	test('then a workspace’s fields count with the user’s client, but not that client’s headers', () => {
		const users = { ...client, ofUser: true, headers: [{ name: 'X-Own', value: 'a', secrets: [] }] } as const;
		const { names } = additionsOf(users, { file: client.file, extraBody: { seed: 1 } });
		expect(names).toEqual(['seed']);
	});

	test.each([
		['an address that nobody knows', 'https://llm.example.com/v1', none, '', [], false],
		['an address that the user agreed to', 'https://llm.example.com/v1', none, '', [''], true],
		['an address with a key of the user', 'https://llm.example.com/v1', key, '', [], true],
		['a provider’s own address', 'https://api.openai.com/v1', none, '', [], true],
		['this machine', 'http://127.0.0.1:1234/v1', none, 'additions', [], true],
		[
			'additions at an address with a key of the user',
			'https://llm.example.com/v1',
			key,
			'additions',
			[],
			false,
		],
		[
			'additions at an address that the user agreed to',
			'https://llm.example.com/v1',
			key,
			'additions',
			[''],
			false,
		],
		['additions at a provider’s own address', 'https://openrouter.ai/api/v1', key, 'additions', [''], false],
		[
			'additions that the user agreed to',
			'https://llm.example.com/v1',
			none,
			'additions',
			['additions'],
			true,
		],
		[
			'other additions than those agreed to',
			'https://llm.example.com/v1',
			key,
			'other',
			['additions'],
			false,
		],
	] as const)('whether chats may go to %s', (_, address, itsKey, added, agreed, may) => {
		expect(mayGetChats({ address, key: itsKey, added, agreed })).toBe(may);
	});

	test('then the address is asked for its models only if the user knows it, whatever is added', () => {
		const address = 'https://llm.example.com/v1';
		expect(mayBeAskedForModels({ address, key: none, agreed: [] })).toBe(false);
		expect(mayBeAskedForModels({ address, key, agreed: [] })).toBe(true);
		expect(mayBeAskedForModels({ address, key: none, agreed: ['additions'] })).toBe(true);
		expect(mayBeAskedForModels({ address: 'https://api.openai.com/v1', key: none, agreed: [] })).toBe(true);
	});
});

describe('given no key, or an invalid one', () => {
	test.each([{}, { OPENAI_API_KEY: '' }, { OPENAI_API_KEY: 'two words' }, { OPENAI_API_KEY: 'a\nb' }])(
		'then no key is sent and the user is not asked: %j',
		(env) => {
			expect(verdict({ env })).toEqual({ kind: 'none' });
			expect(verdict({ env, address: 'https://llm.example.com' })).toEqual({ kind: 'none' });
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
