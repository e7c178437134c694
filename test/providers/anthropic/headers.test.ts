import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { answerOf, key } from '../loopback.ts';
import { claude } from './asking.ts';
import { messagesServer } from './messagesEndpoint.ts';

test('given a request, then its headers are the key, the version of the SDK’s types, and what HTTP needs', async () => {
	await using server = await messagesServer();
	await answerOf(claude(server));

	const { host, connection, ...headers } = server.received[0]?.headers ?? {};
	expect(headers).toEqual({
		'x-api-key': key,
		'anthropic-version': await versionOfTheSdk(),
		'content-type': 'application/json',
		'content-length': expect.any(String),
		accept: 'application/json',
		'accept-encoding': expect.any(String),
		'accept-language': '*',
		'sec-fetch-mode': 'cors',
		'user-agent': 'mcp-discovery',
	});
});

async function versionOfTheSdk(): Promise<string | null> {
	let version: string | null = null;
	const client = new Anthropic({
		apiKey: 'x',
		maxRetries: 0,
		fetch: async (_, init) => {
			version = new Headers(init?.headers).get('anthropic-version');
			return Response.json({});
		},
	});
	await client.messages.create({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] });
	return version;
}
