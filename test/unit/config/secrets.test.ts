import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { scope } from './fixtures.ts';

const text = JSON.stringify({
	servers: { a: { command: 'x', env: { K: `\${env:STORED}`, T: `\${env:TOKEN}` } } },
	clients: { c: { provider: 'openai', base_url: `https://\${env:STORED}.example.com` } },
});
const { config, problems } = loadConfig(text, {
	...scope,
	secrets: { STORED: 'kept', TOKEN: 'stored too', LOG_LEVEL: 'error' },
});

describe('given stored secrets', () => {
	test('then servers read them, where the environment says nothing, and it is known which are stored', () => {
		expect(config?.launches.get('a')).toMatchObject({
			env: { K: 'kept', T: 'hush-hush' },
			reads: { STORED: { value: 'kept', isStored: true }, TOKEN: { value: 'hush-hush', isStored: false } },
		});
	});

	test('then addresses of models do not, and no setting is one', () => {
		expect(config?.clients.size).toBe(0);
		expect(problems.map(({ message }) => message)).toEqual([
			expect.stringContaining('clients.c.base_url: the environment variable "STORED" is not set'),
		]);
		expect(config?.logLevel).toBeUndefined();
	});
});
