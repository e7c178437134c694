import type { Fault } from '../fault.ts';

const everywhere = ['stdio', 'sse', 'streamable-http', 'json'] as const;
const remote = ['sse', 'streamable-http'] as const;
const http = ['streamable-http'] as const;
const stdio = ['stdio'] as const;

/** Short limits for what hangs, long enough for a busy machine to start a process. */
const short = { connectMs: 4_000, exitedAtOnceMs: 10_000 };

export const startingFaults: readonly Fault[] = [
	{
		name: 'hangs in the handshake',
		mode: ['hangs', 'initialize'],
		isOfTransport: true,
		transports: everywhere,
		limits: short,
		expected: { start: 'connect-timeout' },
		expectedOver: { stdio: { start: 'never-answered' } },
	},
	{
		name: 'dies in the handshake',
		mode: ['breaks-off', 'initialize'],
		transports: stdio,
		limits: { exitedAtOnceMs: 0 },
		expected: { start: 'crashed', stderrLines: 1 },
	},
	{
		name: 'breaks the connection off in the handshake',
		mode: ['breaks-off', 'initialize'],
		isOfTransport: true,
		transports: remote,
		expected: { start: 'unreachable' },
	},
	{
		name: 'closes its stdout and lives on',
		mode: ['closes-stdout'],
		transports: stdio,
		limits: short,
		expected: { start: 'crashed' },
	},
	{
		name: 'answers the handshake with a number',
		mode: ['answers', 'initialize', '42'],
		transports: everywhere,
		limits: short,
		expected: { start: 'protocol' },
	},
	{
		name: 'answers the handshake with another object',
		onlyNightly: true,
		mode: ['answers', 'initialize', '{"hello":"world"}'],
		transports: ['stdio', 'sse'],
		expected: { start: 'protocol' },
	},
	{
		name: 'speaks a protocol of another age',
		mode: [
			'answers',
			'initialize',
			'{"protocolVersion":"1999-01-01","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"0"}}',
		],
		transports: ['stdio', 'sse'],
		expected: { start: 'ready' },
	},
	{
		name: 'refuses the handshake',
		mode: ['refuses-initialize'],
		transports: everywhere,
		expected: { start: 'request-refused' },
	},
	{
		name: 'introduces itself with more than a message may hold',
		mode: ['introduces', '20'],
		transports: everywhere,
		expected: { start: 'message-too-large' },
	},
	{
		name: 'introduces itself at length',
		mode: ['introduces', '5'],
		transports: ['stdio', 'streamable-http'],
		expected: { start: 'ready', after: { text: 'work done' } },
	},
	{
		name: 'never says where to post to',
		mode: ['endpoint'],
		transports: ['sse'],
		limits: short,
		expected: { start: 'connect-timeout' },
	},
	{
		name: 'has one post to another origin',
		mode: ['endpoint', 'http://127.0.0.2:9/steal'],
		transports: ['sse'],
		limits: short,
		expected: { start: 'protocol' },
	},
	...(
		[
			['401', 'unauthorized'],
			['500', 'http-error'],
			['404', 'session-lost'],
		] as const
	).map(
		([status, start], i): Fault => ({
			name: `answers with HTTP ${status}`,
			mode: ['status', status, 'any'],
			...(i > 1 && { isOfTransport: true }),
			transports: remote,
			expected: { start },
		}),
	),
	...(
		[
			['a page of HTML', 'text/html', '<html><b>sign in</b></html>'],
			['half of an object', 'application/json', '{"jsonrpc":'],
		] as const
	).map(
		([what, type, body], i): Fault => ({
			name: `answers the handshake with ${what}`,
			...(i > 0 && { onlyNightly: true }),
			mode: ['body', type, body, 'initialize'],
			transports: http,
			limits: short,
			expected: { start: 'protocol' },
		}),
	),
];
