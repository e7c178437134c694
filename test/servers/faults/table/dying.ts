import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;

export const dyingFaults: readonly Fault[] = [
	{
		name: 'crashes in mid-call',
		onlyNightly: true,
		mode: ['breaks-off', 'tools/call'],
		transports: local,
		limits: { restartDelaysMs: [50, 60_000] },
		expected: { start: 'ready', fault: { reason: 'crashed' } },
	},
	{
		name: 'breaks the connection off in mid-call',
		mode: ['breaks-off', 'tools/call'],
		isOfTransport: true,
		transports: ['sse', 'streamable-http', 'json'],
		limits: { restartDelaysMs: [50, 60_000] },
		expected: { start: 'ready', fault: { reason: 'unreachable' } },
	},
	{
		name: 'dies soon after every start',
		onlyNightly: true,
		mode: ['flaps'],
		transports: local,
		limits: { restartDelaysMs: [20, 20, 20] },
		lookOnMs: 500,
		expected: { start: 'ready' },
	},
	{
		name: 'loses the session',
		mode: ['status', '404', 'tools/call'],
		isOfTransport: true,
		transports: ['sse', 'streamable-http'],
		expected: { start: 'ready', fault: { reason: 'session-lost' } },
	},
	{
		name: 'dies while a child of its holds its pipes',
		mode: ['child-holds-pipes'],
		transports: local,
		expected: { start: 'ready', fault: { reason: 'crashed' } },
	},
];
