import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;
const two = ['stdio', 'sse'] as const;
const streams = ['stdio', 'sse', 'streamable-http'] as const;

const lives = { start: 'ready', after: { text: 'work done' } } as const;
/** Long enough for a flood to fill an unbounded buffer. */
const lookOnMs = 600;
const quick = { listChangedQuietMs: 50, listChangedMaxWaitMs: 200, listChangedIntervalMs: 300 };

export const floodingFaults: readonly Fault[] = [
	{
		name: 'says every 100 ms that its list has changed',
		onlyNightly: true,
		mode: ['list-changed', '1', '100'],
		transports: streams,
		limits: quick,
		lookOnMs,
		expected: lives,
	},
	{
		name: 'says without a pause that its list has changed',
		mode: ['list-changed', '1000', '1'],
		transports: streams,
		limits: quick,
		lookOnMs,
		expected: lives,
	},
	{
		name: 'floods the log with messages',
		mode: ['log-messages', '1000', '100'],
		transports: streams,
		lookOnMs,
		expected: lives,
	},
	{
		name: 'floods the log with messages of a megabyte',
		onlyNightly: true,
		mode: ['log-messages', '1', '1000000'],
		transports: streams,
		lookOnMs,
		expected: lives,
	},
	{
		name: 'floods with notifications that nobody knows',
		mode: ['unknown-notifications', '1000'],
		transports: two,
		lookOnMs,
		expected: lives,
	},
	{
		name: 'floods with answers that nobody waits for',
		onlyNightly: true,
		mode: ['stray-answers', '1000'],
		transports: two,
		lookOnMs,
		expected: lives,
	},
	{
		name: 'floods with progress of no call',
		onlyNightly: true,
		mode: ['stray-progress', '1000'],
		transports: two,
		lookOnMs,
		expected: lives,
	},
	{
		name: 'floods a call with progress',
		mode: ['progress-for-ever', '0'],
		transports: streams,
		limits: { callTotalMs: 2_000 },
		expected: { ...lives, fault: { reason: 'call-too-long' } },
	},
	{
		name: 'floods with requests, and reads no answer',
		mode: ['requests', '1000'],
		transports: local,
		limits: { callIdleMs: 1_500 },
		lookOnMs,
		expected: { start: 'ready', after: { reason: 'call-idle' } },
	},
	{
		name: 'floods with requests',
		mode: ['requests', '1000'],
		transports: ['sse', 'streamable-http'],
		lookOnMs,
		expected: lives,
	},
	{
		name: 'floods with requests that are not offered',
		onlyNightly: true,
		mode: ['requests', '1000', 'sampling/createMessage'],
		transports: ['sse', 'streamable-http'],
		lookOnMs,
		expected: lives,
	},
	{
		name: 'answers with a batch of a hundred messages',
		onlyNightly: true,
		mode: ['batch', '100'],
		transports: ['json'],
		expected: { ...lives, fault: { text: 'at last' } },
	},
	{
		name: 'answers with a batch of 150,000 messages',
		mode: ['batch', '150000'],
		transports: ['json'],
		expected: { ...lives, fault: { reason: 'message-too-large' } },
	},
	{
		name: 'writes 200 MB to stderr, in lines',
		mode: ['stderr', '200', 'lines'],
		transports: local,
		expected: { ...lives, fault: { text: 'said' } },
	},
	{
		name: 'writes 200 MB to stderr, in one line',
		mode: ['stderr', '200', 'line'],
		onlyNightly: true,
		transports: local,
		expected: { ...lives, fault: { text: 'said' } },
	},
	...['bytes', 'bytes in an object', 'numbers in an object', 'white space'].map(
		(kind, i): Fault => ({
			name: `writes twelve lines of 15 MB to stdout that are ${kind}`,
			mode: ['garbage-of', kind, '12'],
			...(i > 0 && { onlyNightly: true }),
			transports: local,
			expected: { ...lives, fault: { text: 'said' } },
		}),
	),
	...['arrays', 'keys'].map(
		(kind, i): Fault => ({
			name: `notifies of 15 MB of ${kind}, five times`,
			mode: ['dense-notifications', kind, '5'],
			...(i > 0 && { onlyNightly: true }),
			transports: two,
			expected: { ...lives, fault: { text: 'said' } },
		}),
	),
	...[
		['empty lines', ''],
		['lines of one character', 'x'],
		['lines of one bracket', '{'],
		['empty objects', '{}'],
	].map(
		([what = '', line = ''], i): Fault => ({
			name: `writes a million ${what} to stdout`,
			mode: ['garbage', '1000000', line],
			...(i > 0 && { onlyNightly: true }),
			transports: local,
			expected: { ...lives, fault: { text: 'said' } },
		}),
	),
	{
		name: 'floods with the smallest of events',
		mode: ['smallest-events', '500000'],
		transports: ['streamable-http'],
		expected: { ...lives, fault: { text: 'said' } },
	},
	{
		name: 'writes a million lines of garbage to stdout',
		onlyNightly: true,
		mode: ['garbage', '1000000'],
		transports: local,
		expected: { ...lives, fault: { text: 'said' } },
	},
];
