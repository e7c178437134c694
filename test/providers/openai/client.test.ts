import { afterEach, expect, test, vi } from 'vitest';
import { answerOf, key, Loopback } from '../loopback.ts';
import { chunk, events, modelAt } from './chatCompletions/server.ts';

const environment = {
	OPENAI_BASE_URL: 'http://127.0.0.1:1/elsewhere',
	OPENAI_API_KEY: 'env-api-key',
	OPENAI_ADMIN_KEY: 'env-admin-key',
	OPENAI_ORG_ID: 'env-organisation',
	OPENAI_PROJECT_ID: 'env-project',
	OPENAI_WEBHOOK_SECRET: 'env-webhook',
	OPENAI_LOG: 'debug',
	OPENAI_CUSTOM_HEADERS: 'X-Env: env-custom\nUser-Agent: env-agent\nAuthorization: Bearer env-custom-key',
};

afterEach(() => {
	vi.unstubAllEnvs();
	vi.restoreAllMocks();
});

test('nothing of the environment or the machine gets into a request, and nothing is logged', async () => {
	for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
	const logs = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level));
	await using server = await Loopback.start(events([chunk({ content: 'hello' }, 'stop')]));

	const { events: said } = await answerOf(modelAt(server.url));

	expect(said).toEqual([{ type: 'text', text: 'hello' }]);
	const [request] = server.received;
	expect(request?.path).toBe('/v1/chat/completions');
	expect(JSON.stringify(request)).not.toContain('env-');
	expect(request?.headers).toMatchObject({
		authorization: `Bearer ${key}`,
		'content-type': 'application/json',
		'user-agent': 'mcp-discovery',
	});
	expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([]);
	for (const log of logs) expect(log).not.toHaveBeenCalled();
});
