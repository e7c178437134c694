import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;
const remote = ['sse', 'streamable-http'] as const;
const http = ['streamable-http'] as const;
const streams = ['stdio', 'sse', 'streamable-http'] as const;
const everywhere = ['stdio', 'sse', 'streamable-http', 'json'] as const;

const lives = { start: 'ready', after: { text: 'work done' } } as const;
/** The calls that work keep within it too, on a machine with other work as well. */
const short = { callIdleMs: 1_500 };

export const callingFaults: readonly Fault[] = [
	{
		name: 'hangs in a call',
		mode: ['hangs-in-call'],
		transports: everywhere,
		limits: short,
		expected: { ...lives, fault: { reason: 'call-idle' } },
	},
	{
		name: 'reports progress for ever',
		mode: ['progress-for-ever', '50'],
		transports: streams,
		limits: { callIdleMs: 2_000, callTotalMs: 3_000 },
		expected: { ...lives, fault: { reason: 'call-too-long' } },
	},
	{
		name: 'answers with a number',
		mode: ['answers-call', '42'],
		transports: everywhere,
		limits: { callIdleMs: 2_000 },
		expected: { ...lives, fault: { reason: 'protocol' } },
	},
	{
		name: 'answers with an object that is no result',
		mode: ['answers-call', '{"hello":"world"}'],
		transports: ['stdio', 'json'],
		expected: lives,
	},
	{
		name: 'answers with content of the wrong types',
		mode: [
			'answers-call',
			'{"content":[null,7,{"type":"image"},{"type":"text","text":9},{"type":"resource","resource":null},{"type":{}}],"isError":"yes"}',
		],
		transports: ['stdio', 'sse'],
		expected: lives,
	},
	{
		name: 'refuses with two megabytes of HTML',
		mode: ['refuses-call', '2'],
		transports: ['stdio', 'streamable-http'],
		expected: { ...lives, fault: { reason: 'request-refused' } },
	},
	...['first', 'last'].map(
		(id): Fault => ({
			name: `answers with 100 MB, its id ${id}`,
			mode: ['large-result', '100', id],
			transports: id === 'first' ? ['stdio', 'sse'] : everywhere,
			expected: { ...lives, fault: { reason: 'message-too-large' } },
		}),
	),
	{
		name: 'answers with as much as a message may hold',
		mode: ['large-result', '15', 'last'],
		transports: ['stdio', 'sse', 'json'],
		expected: lives,
	},
	{
		name: 'answers with a line without an end',
		mode: ['endless-line'],
		transports: everywhere,
		limits: { callIdleMs: 2_000 },
		expected: { start: 'ready' },
	},
	...[700, 100_000].map(
		(depth): Fault => ({
			name: `answers with what is nested ${depth} times`,
			mode: ['deep-result', String(depth)],
			transports: ['stdio', 'streamable-http'],
			expected: lives,
		}),
	),
	{
		name: 'tells a secret that was given to it',
		mode: ['tells-secret'],
		env: { API_KEY: 'sk-0123456789' },
		transports: local,
		expected: {
			...lives,
			fault: { reason: 'request-refused', message: 'Server "faulty" refused: the key *** is not valid' },
		},
	},
	{
		name: 'answers twice, and what nobody asked',
		mode: ['answers-too-often'],
		transports: streams,
		expected: { ...lives, fault: { text: 'once' } },
	},
	...(['cleanly', 'with a reset'] as const).map(
		(how): Fault => ({
			name: `ends its stream ${how}, before the answer`,
			mode: ['cut-stream', how],
			transports: http,
			expected: { ...lives, fault: { reason: 'stream-cut' } },
		}),
	),
	{
		name: 'breaks a body off',
		mode: ['cut-body'],
		transports: ['json'],
		expected: { start: 'ready', fault: { reason: 'unreachable' } },
	},
	...['application/json', 'text/event-stream'].map(
		(type): Fault => ({
			name: `answers byte by byte for ever, as ${type}`,
			mode: ['slow-body', type],
			transports: http,
			limits: short,
			expected: { ...lives, fault: { reason: 'call-idle' } },
		}),
	),
	...([401, 403] as const).map(
		(status): Fault => ({
			name: `answers a call with HTTP ${status}`,
			mode: ['status', String(status), 'tools/call'],
			transports: status === 401 ? remote : http,
			expected: { start: 'ready', fault: { reason: 'unauthorized' } },
		}),
	),
	...(
		[
			['says when to come again', '7', 'in 7 s.'],
			['does not say when to come again', '', 'later.'],
		] as const
	).map(
		([how, retryAfter, when]): Fault => ({
			name: `answers a call with HTTP 429, and ${how}`,
			mode: ['status', '429', 'tools/call', retryAfter],
			transports: remote,
			expected: {
				start: 'ready',
				fault: { reason: 'http-error' },
				faultMessageEnds: `it has had too many requests. Try again ${when}`,
			},
		}),
	),
	...([500, 502] as const).map(
		(status): Fault => ({
			name: `answers a call with HTTP ${status}`,
			mode: ['status', String(status), 'tools/call'],
			transports: status === 500 ? remote : http,
			expected: { start: 'ready', fault: { reason: 'http-error' } },
		}),
	),
	...([404, -1, 1] as const).map(
		(code): Fault => ({
			name: `refuses with a code of its own: ${code}`,
			mode: ['refuses-call', '0', String(code)],
			transports: ['stdio', 'streamable-http'],
			expected: { ...lives, fault: { reason: 'request-refused' } },
		}),
	),
];
