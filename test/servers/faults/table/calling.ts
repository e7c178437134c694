import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;
const remote = ['sse', 'streamable-http'] as const;
const http = ['streamable-http'] as const;
const streams = ['stdio', 'sse', 'streamable-http'] as const;
const everywhere = ['stdio', 'sse', 'streamable-http', 'json'] as const;

const lives = { start: 'ready', after: { text: 'work done' } } as const;
/** Long enough for the calls that work, even on a busy machine. */
const short = { callIdleMs: 1_500 };

export const callingFaults: readonly Fault[] = [
	{
		name: 'hangs in a call',
		mode: ['hangs-in-call'],
		isOfTransport: true,
		transports: everywhere,
		limits: short,
		expected: { ...lives, fault: { reason: 'call-idle' } },
	},
	{
		name: 'reports progress for ever',
		mode: ['progress-for-ever', '50'],
		transports: streams,
		limits: { callIdleMs: 1_500, callTotalMs: 2_000 },
		expected: { ...lives, fault: { reason: 'call-too-long' } },
	},
	{
		name: 'answers with a number',
		mode: ['answers-call', '42'],
		transports: everywhere,
		expected: { ...lives, fault: { text: '42' } },
	},
	{
		name: 'refuses with two megabytes of HTML',
		mode: ['refuses-call', '2'],
		transports: ['stdio', 'streamable-http'],
		expected: { ...lives, fault: { reason: 'request-refused' } },
	},
	...['last', 'first'].map(
		(id, i): Fault => ({
			name: `answers with 100 MB, its id ${id}`,
			mode: ['large-result', '100', id],
			isOfTransport: true,
			...(i > 0 && { onlyNightly: true }),
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
		isOfTransport: true,
		transports: everywhere,
		limits: short,
		expected: { start: 'ready' },
	},
	...(['arrays', 'objects', 'numbers', 'keys', 'depth', 'empty texts'] as const).map(
		(kind, i): Fault => ({
			name: `answers with 15 MB of ${kind}`,
			mode: ['dense-result', kind],
			...(i > 0 && { onlyNightly: true }),
			transports: everywhere,
			expected: { ...lives, fault: { reason: 'message-too-large' } },
		}),
	),
	...(['escaped quotes', 'white space'] as const).map(
		(kind, i): Fault => ({
			name: `answers with 15 MB of ${kind}`,
			mode: ['dense-result', kind],
			...(i > 0 && { onlyNightly: true }),
			transports: everywhere,
			expected: lives,
		}),
	),
	{
		name: 'answers byte by byte',
		mode: ['dribbles', '30000'],
		isOfTransport: true,
		transports: everywhere,
		expected: lives,
	},
	...(
		[
			['half of an answer', '{"jsonrpc":"2.0","id":%,"result":{"content":['],
			['a result that is null', '{"jsonrpc":"2.0","id":%,"result":null}'],
			['a member of a wrong name', '{"jsonrpc":"2.0","id":%,"reslt":{}}'],
			['a result that is a list', '{"jsonrpc":"2.0","id":%,"result":[]}'],
			['metadata that is a number', '{"jsonrpc":"2.0","id":%,"result":{"_meta":5}}'],
			['an error without a message', '{"jsonrpc":"2.0","id":%,"error":{"code":1}}'],
			['another version of JSON-RPC', '{"jsonrpc":"1.0","id":%,"result":{}}'],
		] as const
	).map(
		([what, answer], i): Fault => ({
			name: `answers with ${what}`,
			mode: ['answers-text', answer],
			...(i > 1 && { onlyNightly: true }),
			isOfTransport: true,
			transports: everywhere,
			expected: { ...lives, fault: { reason: 'protocol' } },
		}),
	),
	...[100_000, 700].map(
		(depth, i): Fault => ({
			name: `answers with what is nested ${depth} times`,
			mode: ['deep-result', String(depth)],
			...(i > 0 && { onlyNightly: true }),
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
	...(['plain', 'packed'] as const).flatMap((how): readonly Fault[] => [
		{
			name: `answers with HTTP 500 and a body without an end, ${how}`,
			mode: ['endless-body', '500', 'text/plain', how],
			...(how === 'packed' && { onlyNightly: true }),
			isOfTransport: true,
			transports: remote,
			expected: { start: 'ready', fault: { reason: 'http-error' } },
		},
		{
			name: `answers with JSON without an end, ${how}`,
			mode: ['endless-body', '200', 'application/json', how],
			...(how === 'packed' && { onlyNightly: true }),
			transports: ['json'],
			expected: { start: 'ready', fault: { reason: 'message-too-large' } },
		},
		{
			name: `answers with an event without an end, ${how}`,
			mode: ['endless-body', '200', 'text/event-stream', how],
			...(how === 'packed' && { onlyNightly: true }),
			transports: http,
			expected: { start: 'ready', fault: { reason: 'message-too-large' } },
		},
	]),
	{
		name: 'ends its stream again and again, and wants to be asked at once',
		mode: ['ends-streams'],
		transports: http,
		limits: { callIdleMs: 3_000 },
		expected: { start: 'ready', fault: { reason: 'call-idle' }, after: { text: 'work done' } },
	},
	...(['cleanly', 'with a reset'] as const).map(
		(how): Fault => ({
			name: `ends its stream ${how}, before the answer`,
			mode: ['cuts-off', 'text/event-stream', how],
			transports: http,
			expected: { ...lives, fault: { reason: 'stream-cut' } },
		}),
	),
	{
		name: 'breaks a body off',
		mode: ['cuts-off', 'application/json', 'with a reset'],
		transports: ['json'],
		expected: { start: 'ready', fault: { reason: 'unreachable' } },
	},
	...['application/json', 'text/event-stream'].map(
		(type, i): Fault => ({
			name: `answers byte by byte for ever, as ${type}`,
			mode: ['slow-body', type],
			...(i > 0 && { onlyNightly: true }),
			transports: http,
			limits: short,
			expected: { ...lives, fault: { reason: 'call-idle' } },
		}),
	),
	{
		name: 'answers a call with HTTP 401',
		mode: ['status', '401', 'tools/call'],
		transports: remote,
		expected: { start: 'ready', fault: { reason: 'unauthorized' } },
	},
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
				faultMessageEnds: `too many requests. Try again ${when}`,
			},
		}),
	),
	{
		name: 'answers a call with HTTP 500',
		mode: ['status', '500', 'tools/call'],
		transports: remote,
		expected: { start: 'ready', fault: { reason: 'http-error' } },
	},
	...([404, -1, 1] as const).map(
		(code, i): Fault => ({
			name: `refuses with a code of its own: ${code}`,
			mode: ['refuses-call', '0', String(code)],
			...(i > 0 && { onlyNightly: true }),
			transports: ['stdio', 'streamable-http'],
			expected: { ...lives, fault: { reason: 'request-refused' } },
		}),
	),
];
