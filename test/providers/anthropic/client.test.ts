import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, expect, test, vi } from 'vitest';
import { anthropicClient } from '../../../src/models/anthropic/client.ts';
import { answerLimits } from '../../../src/models/http/limits.ts';
import { answerOf, endpointAt, key } from '../loopback.ts';
import { claude } from './asking.ts';
import { failsWith, messagesServer } from './messagesEndpoint.ts';

afterEach(() => {
	vi.unstubAllEnvs();
	vi.restoreAllMocks();
});

const secret = 'leaked-from-the-environment';

test('given everything that the SDK reads of its environment, then nothing of it is sent, asked or printed', async () => {
	await using elsewhere = await messagesServer();
	await using server = await messagesServer();
	const folder = await mkdtemp(join(tmpdir(), 'anthropic-'));
	const profile = {
		version: '1.0',
		authentication: { type: 'user_oauth', credentials_path: folder },
		base_url: secret,
	};
	await writeFile(join(folder, 'token'), secret);
	await writeFile(join(folder, 'config.json'), JSON.stringify(profile));
	const environment = {
		ANTHROPIC_API_KEY: secret,
		ANTHROPIC_AUTH_TOKEN: secret,
		ANTHROPIC_WEBHOOK_SIGNING_KEY: secret,
		ANTHROPIC_BASE_URL: elsewhere.url,
		ANTHROPIC_LOG: 'debug',
		ANTHROPIC_CUSTOM_HEADERS: `X-Leak: ${secret}\nanthropic-version: 1999-01-01\nContent-Type: text/plain\nx-api-key: ${secret}`,
		ANTHROPIC_PROFILE: 'leak',
		ANTHROPIC_CONFIG_DIR: folder,
		ANTHROPIC_IDENTITY_TOKEN: secret,
		ANTHROPIC_IDENTITY_TOKEN_FILE: join(folder, 'token'),
		ANTHROPIC_FEDERATION_RULE_ID: secret,
		ANTHROPIC_ORGANIZATION_ID: secret,
		ANTHROPIC_WORKSPACE_ID: secret,
		ANTHROPIC_SERVICE_ACCOUNT_ID: secret,
		ANTHROPIC_SCOPE: secret,
		ANTHROPIC_OPEN_TELEMETRY: 'true',
		ANTHROPIC_OPEN_TELEMETRY_PROPAGATION: 'true',
		ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE: 'content',
	};
	for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
	const printed = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
		vi.spyOn(console, level).mockImplementation(() => undefined),
	);

	const { error } = await answerOf(claude(server));

	expect(error).toBeUndefined();
	expect(await anthropicClient(endpointAt(server.url, 'anthropic'), answerLimits)).toMatchObject({
		webhookKey: null,
		authToken: null,
		openTelemetry: { traces: { enabled: false, contentMode: 'metadata_only' }, propagation: false },
	});
	expect(elsewhere.received).toEqual([]);
	expect(JSON.stringify(server.received)).not.toContain(secret);
	expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([]);
	await rm(folder, { recursive: true });
});

test('given a request, then its headers are the key, the version that the SDK is made for, and what HTTP needs', async () => {
	await using server = await messagesServer();
	await answerOf(claude(server));

	const { host, connection, ...headers } = server.received[0]?.headers ?? {};
	expect(headers).toEqual({
		'x-api-key': key,
		'anthropic-version': await versionOfTheSdk(),
		'content-type': 'application/json',
		'content-length': expect.any(String),
		accept: 'text/event-stream',
		'accept-encoding': expect.any(String),
		'accept-language': '*',
		'sec-fetch-mode': 'cors',
		'user-agent': 'mcp-discovery',
	});
});

test('given a failure that repeats the key, then the SDK’s placeholder is nowhere either', async () => {
	await using server = await messagesServer(failsWith(401, 'authentication_error', 'invalid x-api-key'));

	const { error } = await answerOf(claude(server));

	expect(String(error)).not.toContain(key);
	expect(String(error)).not.toContain('placeholder');
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
