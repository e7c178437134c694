import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RemoteLaunch } from '../../src/config/servers/launch.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import type { AskedQuestion, AskUser } from '../../src/mcp/connection/questions.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { node, program, publishedServer } from './launches.ts';
import { bodyOf, listen } from './loopback.ts';
import { openPool } from './openPool.ts';
import { eventually, startedPool, statusOf, toolNames } from './poolFixture.ts';
import { modernServer } from './programs/modernServer.ts';

/** The modern server over HTTP, and the requests it received. The caller ends it. */
async function modernOverHttp(): Promise<{
	readonly launch: RemoteLaunch;
	readonly handler: McpHttpHandler;
	readonly end: () => Promise<void>;
	/** Their methods. */
	readonly seen: readonly string[];
}> {
	const handler = createMcpHandler(modernServer, { legacy: 'reject' });
	const seen: string[] = [];
	const server = createServer(async (request, response) => {
		const body = await bodyOf(request);
		if (body !== '') seen.push(JSON.parse(body).method);
		const gone = new AbortController();
		response.on('close', () => gone.abort());
		const answer = await handler.fetch(
			new Request(`http://127.0.0.1${request.url}`, {
				method: request.method ?? 'GET',
				headers: request.headers as Record<string, string>,
				signal: gone.signal,
				...(body === '' ? {} : { body }),
			}),
		);
		response.writeHead(answer.status, Object.fromEntries(answer.headers));
		response.flushHeaders();
		try {
			for await (const chunk of answer.body ?? []) response.write(chunk);
		} catch {
			// The client has closed the connection.
		}
		response.end();
	});
	const end = async () => {
		server.closeAllConnections();
		server.close();
		await handler.close();
	};
	const url = `${await listen(server)}/mcp`;
	const launch: RemoteLaunch = { kind: 'remote', url, transport: 'streamable-http', headers: {} };
	return { launch, handler, seen, end };
}

/** A user who gives these answers in turn, and the questions that were asked. */
function userWith(...answers: readonly Awaited<ReturnType<AskUser>>[]) {
	const asked: AskedQuestion[] = [];
	const left = [...answers];
	const ask: AskUser = async (question) => {
		asked.push(question);
		return left.shift() ?? { action: 'cancel' };
	};
	return { ask, asked };
}

const errorOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

describe.each(['stdio', 'streamable-http'] as const)(
	'a server of the newer protocol over %s',
	(transport) => {
		/** All tests of a transport share a server. */
		let pool: ServerPool;
		let user: ReturnType<typeof userWith> = userWith();
		const ends: (() => Promise<void> | void)[] = [];

		beforeAll(async () => {
			const folder = mkdtempSync(join(tmpdir(), 'mcp-modern-'));
			ends.push(() => rmSync(folder, { recursive: true, force: true }));
			const remote = transport === 'stdio' ? undefined : await modernOverHttp();
			if (remote) ends.push(remote.end);
			pool = await openPool(folder, { limits: { inputRounds: 2 }, ask: (...asked) => user.ask(...asked) });
			ends.push(() => pool.dispose());
			pool.setLaunches(new Map([['modern', remote?.launch ?? node(program('modernServer'), 'reject')]]));
			await pool.whenReady(['modern'], { timeoutMs: 30_000 });
		});
		afterAll(async () => {
			for (const end of ends.toReversed()) await end();
		});

		test('is listed, introduces itself, and its tools answer', async () => {
			expect(statusOf(pool, 'modern')).toMatchObject({
				state: { kind: 'ready' },
				title: 'Modern',
				instructions: 'Ask before you add.',
				offers: { resources: true, prompts: true, completions: true },
				dropped: [],
			});
			expect(toolNames(pool, 'modern')).toContain('add');
			expect(resultText(await pool.callTool('modern', 'add', { a: 2, b: 3, region: 'eu' }))).toBe('5');
		});

		test('that asks gets the answer, with the defaults of what was left as it is', async () => {
			user = userWith({ action: 'accept', content: { stage: 'live', other: 'x' } });
			const call = pool.callTool('modern', 'deploy', {}, { agent: 'releaser' });
			const answer = JSON.parse(resultText(await call));
			expect(answer).toMatchObject({ action: 'accept', content: { stage: 'live', copies: 2 } });
			expect(answer.content).not.toHaveProperty('other');
			expect(user.asked).toMatchObject([
				{
					server: 'modern',
					call: 'Tool "deploy"',
					agent: 'releaser',
					question: {
						kind: 'form',
						fields: [
							{ name: 'stage', required: true, input: { kind: 'choice', options: [{ title: 'Test' }, {}] } },
							{ name: 'copies', default: 2, input: { kind: 'number', isInteger: true, maximum: 9 } },
							{ name: 'mail', input: { kind: 'text', format: 'email' } },
							{ name: 'sure', input: { kind: 'boolean' } },
						],
					},
				},
			]);
		});

		test.each(['decline', 'cancel'] as const)('hears that the user said: %s', async (action) => {
			user = userWith({ action });
			expect(resultText(await pool.callTool('modern', 'pay', {}))).toBe(action);
			expect(user.asked[0]?.question).toMatchObject({ kind: 'address', url: 'https://pay.example/1' });
		});

		test('that never has enough is left', async () => {
			const error = await errorOf(pool.callTool('modern', 'insatiable', {}));
			expect(error).toMatchObject({ reason: 'question-refused', message: /come back for more 2 times/ });
		});

		test('lets its resources be read that it lists, has templates for, or has linked to', async () => {
			const read = (uri: string) =>
				pool.withClient('modern', (offered, its) => offered.readResource(uri, its));
			expect(await pool.withClient('modern', (offered, its) => offered.resources(its.signal))).toMatchObject({
				resources: [{ uri: 'chart://week', mimeType: 'image/png' }],
				templates: [{ uriTemplate: 'note:///{id}' }],
			});
			expect(await read('note:///one')).toMatchObject([{ text: 'first note' }]);
			expect(await read('chart://week')).toMatchObject([{ blob: 'iVBORw0KGgo=' }]);
			const unlinked = await errorOf(read('hidden://linked'));
			expect(unlinked).toMatchObject({ reason: 'address-unknown' });
			await pool.callTool('modern', 'link', {});
			const linked = await errorOf(read('hidden://linked'));
			expect(linked).toMatchObject({ reason: 'request-refused' });
		});

		test('completes the arguments of its prompts and gives their messages', async () => {
			const { prompts } = await pool.withClient('modern', (offered, its) => offered.prompts(its.signal));
			expect(prompts).toMatchObject([{ name: 'review', arguments: [{ name: 'language', required: true }] }]);
			const typed = { of: { prompt: 'review' }, argument: 'language', value: 'ru', others: {} };
			expect(await pool.withClient('modern', (offered, its) => offered.complete(typed, its))).toEqual([
				'rust',
			]);
			const args = { language: 'rust' };
			expect(
				await pool.withClient('modern', (offered, its) => offered.getPrompt('review', args, its)),
			).toEqual({
				messages: [{ role: 'user', content: [{ type: 'text', text: 'Review rust' }] }],
			});
		});
	},
);

test('a server that asks where nobody can be asked has its call refused, and goes on to work', async () => {
	const { launch, end } = await modernOverHttp();
	onTestFinished(end);
	const pool = await startedPool({ modern: launch });
	expect(await errorOf(pool.callTool('modern', 'deploy', {}))).toMatchObject({ reason: 'request-refused' });
	expect(resultText(await pool.callTool('modern', 'add', { a: 1, b: 1 }))).toBe('2');
});

test('over HTTP, changes are listened for', async () => {
	const { launch, handler, seen, end } = await modernOverHttp();
	onTestFinished(end);
	await startedPool({ modern: launch }, { limits: { listChangedIntervalMs: 1 } });
	await eventually(() => seen.includes('subscriptions/listen'));
	const lists = () => seen.filter((rpc) => rpc === 'tools/list').length;
	const before = lists();
	// The answer to the question comes later.
	const announce = setInterval(() => {
		handler.notify.toolsChanged();
	}, 50);
	await eventually(() => lists() > before).finally(() => clearInterval(announce));
});

test('a server of the older protocol asks by a request of its own, and the call waits for the answer', async () => {
	const { ask, asked } = userWith({ action: 'accept', content: { name: 'Ada' } });
	const limits = { callIdleMs: 10_000 };
	const pool = await startedPool({ everything: node(publishedServer('everything')) }, { ask, limits });
	const asking = toolNames(pool, 'everything').find((name) => /elicitation/i.test(name)) ?? '';
	expect(resultText(await pool.callTool('everything', asking, {}))).toContain('Ada');
	expect(asked).toMatchObject([{ server: 'everything', question: { kind: 'form' } }]);
});
