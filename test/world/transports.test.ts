import { expect, test } from 'vitest';
import type { RemoteLaunch } from '../../src/config/servers/launch.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { startedPool, statusOf } from '../servers/poolFixture.ts';
import { handshake, loopbackServer, type Received, tool } from './loopbackServer.ts';

/** How servers write an event with an answer. `staysOpen`: the stream does not end with it. `from`: where it was seen. */
interface Row {
	readonly what: string;
	readonly event: (json: string) => string;
	/** What comes after a pause. */
	readonly rest?: (json: string) => string;
	readonly staysOpen?: boolean;
	readonly from: string;
}

const rows: readonly Row[] = [
	{ what: 'without the blank line', event: (json) => `data: ${json}\n`, from: 'a2aproject/a2a-python#1213' },
	{ what: 'without any end of a line', event: (json) => `data: ${json}`, from: 'a2aproject/a2a-python#1213' },
	{
		what: 'without the blank line, in a stream that stays open',
		event: (json) => `data: ${json}\n`,
		staysOpen: true,
		from: 'vercel/ai#16865',
	},
	{
		what: 'ended by carriage returns',
		event: (json) => `id: 1\revent: message\rdata: ${json}\r\r`,
		staysOpen: true,
		from: 'zhu1090093659/deepseek-pp#471',
	},
	{
		what: 'over several lines',
		event: (json) => `data: ${json.replace(',', ',\ndata: ')}\n`,
		staysOpen: true,
		from: 'profullstack/sh1pt#705',
	},
	{
		what: 'over several lines, torn within a line break',
		event: (json) => `data: ${json.slice(0, json.indexOf(',') + 1)}\r`,
		rest: (json) => `\ndata: ${json.slice(json.indexOf(',') + 1)}\r\n\r\n`,
		staysOpen: true,
		from: 'profullstack/sh1pt#705',
	},
];

/** Longer than the pause after which an unfinished event is looked at. */
const pauseMs = 400;

test.each(rows)('an event $what ($from)', async ({ event, rest, staysOpen }) => {
	const launch = await loopbackServer(({ id, response, method }) => {
		if (method !== 'tools/call') return false;
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		const result = { content: [{ type: 'text', text: 'worked' }] };
		const json = JSON.stringify({ jsonrpc: '2.0', id, result });
		response.write(event(json));
		if (rest) setTimeout(() => response.write(rest(json)), pauseMs);
		if (!staysOpen) response.end();
		return true;
	});
	const pool = await startedPool({ odd: launch });
	expect(resultText(await pool.callTool('odd', 'work', {}))).toBe('worked');
});

test.each([
	['at once', true],
	['with the first event', false],
])(
	'answers that come in the stream for what is said unasked, which begins %s (modelcontextprotocol/ruby-sdk#323)',
	async (_, beginsAtOnce) => {
		const stream = Promise.withResolvers<Received['response']>();
		const launch = await loopbackServer((received) => {
			const { request, response, method, id } = received;
			const answer = results(received);
			if (request.method === 'GET') {
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				if (beginsAtOnce) response.flushHeaders();
				stream.resolve(response);
			} else if (answer && method !== 'initialize') {
				response.writeHead(202).end();
				const json = JSON.stringify({ jsonrpc: '2.0', id, result: answer });
				stream.promise.then((open) => open.write(`data: ${json}\n\n`));
			} else return false;
			return true;
		});
		const pool = await startedPool({ odd: launch });
		expect(resultText(await pool.callTool('odd', 'work', {}))).toBe('worked');
	},
);

/** Servers whose URL is entered with the other transport. `refuses`: how they answer it. */
const others: readonly (readonly [what: string, refuses: number, from: string])[] = [
	['takes GET only', 405, 'PrefectHQ/fastmcp#853'],
	['knows no such route', 404, 'koala73/worldmonitor#1848'],
	['finds no session', 400, 'devoxx/DevoxxGenieIDEAPlugin#1157'],
	['begins its stream whatever the method', 200, 'microsoft/vscode#249914'],
];

function results({ method }: Received): object | undefined {
	switch (method) {
		case 'initialize':
			return handshake;
		case 'tools/list':
			return { tools: [tool('work')] };
		case 'tools/call':
			return { content: [{ type: 'text', text: 'worked' }] };
		default:
			return undefined;
	}
}

/** A server of the older HTTP transport. */
async function olderServer(refusal: number): Promise<RemoteLaunch> {
	let stream: Received['response'] | undefined;
	return loopbackServer((received) => {
		const { request, response, id } = received;
		const isBeginning = request.url === '/mcp';
		if (isBeginning && request.method === 'POST' && refusal !== 200) {
			response.writeHead(refusal).end();
		} else if (isBeginning) {
			stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
			stream.write('event: endpoint\ndata: /messages?session=1\n\n');
		} else {
			response.writeHead(202).end('Accepted');
			const result = results(received);
			const answer = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
			if (id !== undefined) stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n\n`);
		}
		return true;
	});
}

test.each(others)('a server of the older transport that %s (%d, %s)', async (_what, refusal) => {
	const pool = await startedPool({ odd: await olderServer(refusal) });
	expect(resultText(await pool.callTool('odd', 'work', {}))).toBe('worked');
});

test('a server of the newer transport that is entered as "sse" (labring/FastGPT#7047)', async () => {
	const launch = await loopbackServer(() => false);
	const pool = await startedPool({ odd: { ...launch, transport: 'sse' } });
	expect(resultText(await pool.callTool('odd', 'work', {}))).toBe('worked');
});

test('what refuses both transports is described as it refused the configured one (nicobailon/pi-mcp-adapter#204)', async () => {
	const launch = await loopbackServer(({ request, response }) => {
		response.writeHead(request.method === 'POST' ? 405 : 404).end();
		return true;
	});
	const pool = await startedPool({ odd: launch });
	expect(statusOf(pool, 'odd')).toMatchObject({
		state: {
			kind: 'failed',
			error: {
				message: expect.stringContaining(
					'answered with HTTP 405: the URL takes no such request. Check "url" and "transport".',
				),
			},
		},
	});
});
