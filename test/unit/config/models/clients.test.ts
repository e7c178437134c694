import { describe, expect, test } from 'vitest';
import { load, problemsOf, scope, shown } from '../fixtures.ts';

/** A client `c`, its keys on the second line. */
function client(keys: string): string {
	return `{ "clients": { "c": {\n${keys} } } }`;
}

describe('a well-formed client', () => {
	test.each([
		['openai', 'https://api.openai.com/v1'],
		['anthropic', 'https://api.anthropic.com'],
		['ollama', 'http://localhost:11434'],
	])('of %s has the default URL of its provider', (provider, baseUrl) => {
		const { config, problems } = load(client(`"provider": "${provider}"`));
		expect(problems).toEqual([]);
		expect(config?.clients[0]).toEqual({ file: scope.file, name: 'c', provider, baseUrl });
	});

	test.each([
		['https://openrouter.ai/api/v1/', 'https://openrouter.ai/api/v1'],
		['http://localhost:1234/v1', 'http://localhost:1234/v1'],
		[`\${env:PROXY}/llm//`, 'https://proxy.test/llm'],
	])('can have its own URL: %s', (written, baseUrl) => {
		const text = client(`"provider": "openai", "base_url": "${written}"`);
		const { config, problems } = load(text, { PROXY: 'https://proxy.test' });
		expect(problems).toEqual([]);
		expect(config?.clients[0]?.baseUrl).toBe(baseUrl);
	});

	test('states which OpenAI API to use', () => {
		const { config } = load(client('"provider": "openai", "api": "responses"'));
		expect(config?.clients[0]?.api).toBe('responses');
	});
});

const faults = [
	['no address at all', '"provider": "openai", "base_url": "openrouter"'],
	['query in the address', '"provider": "openai", "base_url": "https://x.test/?v=1"'],
	// The last two are names of an object's members.
	...['NOPE', '__proto__', 'constructor'].map((name) => [
		`variable that is not set: ${name}`,
		`"provider": "openai", "base_url": "\${env:${name}}"`,
	]),
	...['OPENAI_API_KEY', 'GH_PAT', 'PGPASS', 'AWS_CREDENTIALS', 'PROXY_AUTH'].map((name) => [
		`variable with a secret: ${name}`,
		`"provider": "openai", "base_url": "https://x.test/\${env:${name}}"`,
	]),
];

describe('a malformed client gives an error with its place, and only this client is disabled', () => {
	test.each(faults)('%s', (_fault, keys) => {
		expect(problemsOf(client(keys))).toMatchSnapshot();
		const { config } = load(client(keys).replace('"c":', '"d": { "provider": "ollama" }, "c":'));
		expect(config?.clients.map(({ name }) => name)).toEqual(['d']);
	});

	test('even if only its name is malformed', () => {
		const { config, problems } = load('{ "clients": { "": { "provider": "openai" } } }');
		expect(problems.map(shown)).toMatchSnapshot();
		expect(config?.clients).toEqual([]);
	});
});

test('the address of Ollama’s other API gives a warning, and the client works', () => {
	const text = client('"provider": "ollama", "base_url": "http://localhost:11434/v1"');
	expect(problemsOf(text)).toEqual([
		'warning 2:35 clients.c.base_url: ends in "/v1", which is added automatically with "ollama"; leave it out',
	]);
	expect(load(text).config?.clients[0]?.baseUrl).toBe('http://localhost:11434');
});

describe('a key written into a client gives a warning, and the warning does not show it', () => {
	const key = `sk-${'a1'.repeat(16)}`;
	test.each([
		['under a name that is known', `"base_url": "https://x.test/${key}"`, 'base_url'],
		['under any name', `"extra": { "deep": ["${key}"] }`, 'extra.deep[0]'],
		['of a form of its own', '"api_key": "hunter2"', 'api_key'],
		['in a style of its own', '"apiKey": "hunter2"', 'apiKey'],
	])('%s', (_where, keys, place) => {
		const { problems } = load(client(`"provider": "openai", ${keys}`));
		const told = problems.filter(({ message }) => message.includes('looks like a key'));
		expect(told.map(({ severity, message }) => [severity, message.split(': ')[0]])).toEqual([
			['warning', `clients.c.${place}`],
		]);
		expect(JSON.stringify(problems)).not.toMatch(/hunter2|a1a1/);
	});
});

describe('the headers and the organization of a client', () => {
	const env = { GATEWAY_TOKEN: 'gw-secret-0123456789', TEAM: 'blue' };

	test('are sent with the values of variables, and the names of secret variables are known', () => {
		const headers = `"headers": { "X-Team": "\${env:TEAM}", "Helicone-Auth": "Bearer \${env:GATEWAY_TOKEN}" }`;
		const { config, problems } = load(client(`"provider": "anthropic", ${headers}`), env);
		expect(problems).toEqual([]);
		expect(config?.clients[0]?.headers).toEqual([
			{ name: 'X-Team', value: 'blue', secrets: [] },
			{ name: 'Helicone-Auth', value: 'Bearer gw-secret-0123456789', secrets: ['GATEWAY_TOKEN'] },
		]);
	});

	test('include the organization for OpenAI', () => {
		const { config, problems } = load(client('"provider": "openai", "organization": "org-1"'));
		expect(problems).toEqual([]);
		expect(config?.clients[0]?.organization).toBe('org-1');
	});

	const key = `sk-${'a1'.repeat(16)}`;
	test.each([
		...['Authorization', 'x-api-key', 'api-key', 'Proxy-Authorization'].map((name) => [
			`the header of a key: ${name}`,
			`"provider": "openai", "headers": { "${name}": "\${env:TEAM}", "a": "b" }`,
		]),
		['a header of HTTP itself', '"provider": "openai", "headers": { "Host": "x", "a": "b" }'],
		['a name that none can have', '"provider": "openai", "headers": { "a b": "x", "a": "b" }'],
		['a variable that is not set', `"provider": "openai", "headers": { "x": "\${env:NOPE}", "a": "b" }`],
		[
			'an organization of another provider',
			'"provider": "ollama", "organization": "org-1", "headers": { "a": "b" }',
		],
		[
			'an organization that would tell a secret',
			`"provider": "openai", "organization": "\${env:OPENAI_API_KEY}", "headers": { "a": "b" }`,
		],
		[
			'a secret that is written out',
			`"provider": "openai", "headers": { "x-gateway-key": "${key}", "a": "b" }`,
		],
	])('%s gives an error or warning with its place, and the client works', (_what, keys) => {
		expect(load(client(keys), env).problems.map(shown)).toMatchSnapshot();
		const headers = load(client(keys), env).config?.clients[0]?.headers ?? [];
		expect(headers.map(({ name }) => name)).toEqual(
			keys.includes('x-gateway-key') ? ['x-gateway-key', 'a'] : ['a'],
		);
	});
});

describe('Microsoft sign-in', () => {
	test.each(['https://acme.openai.azure.com/openai/v1', 'https://acme.services.ai.azure.com/openai/v1'])(
		'works with %s',
		(address) => {
			const keys = `"provider": "openai", "auth": "microsoft", "base_url": "${address}"`;
			expect(problemsOf(client(keys))).toEqual([]);
			expect(load(client(keys)).config?.clients[0]?.auth).toBe('microsoft');
		},
	);

	test.each([
		'"provider": "openai", "auth": "microsoft"',
		'"provider": "openai", "auth": "microsoft", "base_url": "https://openai.azure.com.evil.test/v1"',
		'"provider": "openai", "auth": "microsoft", "base_url": "http://acme.openai.azure.com/openai/v1"',
		'"provider": "anthropic", "auth": "microsoft", "base_url": "https://acme.openai.azure.com/openai/v1"',
	])('is rejected for %s', (keys) => {
		const { config, problems } = load(client(keys));
		expect(config?.clients).toEqual([]);
		expect(problems.map(({ message }) => message)).toContain(
			'clients.c.auth: Microsoft sign-in works only with Azure URLs, such as "https://NAME.openai.azure.com/openai/v1"',
		);
	});
});
