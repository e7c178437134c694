import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;
const two = ['stdio', 'sse'] as const;
const streams = ['stdio', 'sse', 'streamable-http'] as const;

const lives = { start: 'ready', after: { text: 'work done' } } as const;
const listChanged = '{"method":"notifications/tools/list_changed"}';
const logMessage = '{"method":"notifications/message","params":{"level":"error","data":"$"}}';

/** Long enough for a flood to fill an unbounded buffer. */
const lookOnMs = 600;
const quick = { listChangedQuietMs: 50, listChangedMaxWaitMs: 200, listChangedIntervalMs: 300 };

export const floodingFaults: readonly Fault[] = [
	{
		name: 'says without a pause that its list has changed',
		mode: ['floods', '1000', '1', listChanged],
		transports: streams,
		limits: quick,
		lookOnMs,
		expected: lives,
	},
	...(
		[
			['the log with messages', streams, '1000', logMessage, '100'],
			[
				'with notifications that nobody knows',
				two,
				'1000',
				'{"method":"notifications/nonsense","params":{"why":"not"}}',
			],
			['with requests', ['sse', 'streamable-http'], '1000', '{"id":"%","method":"ping"}'],
			['the log with messages of a megabyte', streams, '1', logMessage, '1000000'],
			['with answers that nobody waits for', two, '1000', '{"id":"%","result":{"content":[]}}'],
			[
				'with progress of no call',
				two,
				'1000',
				'{"method":"notifications/progress","params":{"progressToken":"%","progress":1}}',
			],
			[
				'with requests that are not offered',
				['sse', 'streamable-http'],
				'1000',
				'{"id":"%","method":"sampling/createMessage"}',
			],
		] as const
	).map(
		([what, transports, burst, message, bytes = '0'], i): Fault => ({
			name: `floods ${what}`,
			...(i > 2 && { onlyNightly: true }),
			mode: ['floods', burst, '1', message, bytes],
			transports,
			lookOnMs,
			expected: lives,
		}),
	),
	{
		name: 'floods a call with progress',
		mode: ['progress-for-ever', '0'],
		transports: streams,
		limits: { callIdleMs: 1_500, callTotalMs: 2_000 },
		expected: { ...lives, fault: { reason: 'call-too-long' } },
	},
	{
		name: 'floods with requests, and reads no answer',
		mode: ['floods', '1000', '1', '{"id":"%","method":"ping"}', '0', 'reads nothing'],
		transports: local,
		limits: { callIdleMs: 1_500 },
		lookOnMs,
		expected: { start: 'ready', after: { reason: 'call-idle' } },
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
		mode: ['writes', 'stderr', '200', `${'e'.repeat(1023)}\n`],
		transports: local,
		expected: { ...lives, fault: { text: 'said' } },
	},
	{
		name: 'writes 200 MB to stderr, in one line',
		mode: ['writes', 'stderr', '200', 'e'],
		onlyNightly: true,
		transports: local,
		expected: { ...lives, fault: { text: 'said' } },
	},
	...(
		[
			['bytes', '', '\xff'],
			['bytes in an object', '{"a":"', '\xff'],
			['numbers in an object', '{"a":[', '1,'],
			['white space', '{', ' '],
		] as const
	).map(
		([kind, head, piece], i): Fault => ({
			name: `writes twelve lines of 15 MB to stdout that are ${kind}`,
			mode: ['writes', 'stdout', '15', piece, head, '12'],
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
		['empty lines', '\n', '1'],
		['lines of one character', 'x\n', '2'],
		['lines of one bracket', '{\n', '2'],
		['empty objects', '{}\n', '3'],
		['lines of garbage', 'garbage, and more of it\n', '24'],
	].map(
		([what = '', line = '', megabytes = ''], i): Fault => ({
			name: `writes a million ${what} to stdout`,
			mode: ['writes', 'stdout', megabytes, line],
			...(i > 0 && { onlyNightly: true }),
			transports: local,
			expected: { ...lives, fault: { text: 'said' } },
		}),
	),
	...[
		['events', 'data:x\n\n', ''],
		['lines that are no fields', 'x\n', ''],
		['ends of lines', '\r', '\n\n'],
	].map(
		([what = '', one = '', end = ''], i): Fault => ({
			name: `floods with the smallest of ${what}`,
			mode: ['streams', '500000', one, end],
			...(i > 1 && { onlyNightly: true }),
			transports: ['streamable-http'],
			expected: { ...lives, fault: { text: 'said' } },
		}),
	),
	{
		name: 'floods an event with empty lines of data',
		mode: ['streams', '10000000', 'data\n'],
		transports: ['streamable-http'],
		expected: { ...lives, fault: { reason: 'message-too-large' } },
	},
];
