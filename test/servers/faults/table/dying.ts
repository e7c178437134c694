import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;

export const dyingFaults: readonly Fault[] = [
	{
		name: 'breaks the connection off in mid-call',
		mode: ['breaks-off', 'tools/call'],
		isOfTransport: true,
		transports: ['sse', 'streamable-http', 'json'],
		limits: { restartDelaysMs: [50, 60_000] },
		expected: { start: 'ready', fault: { reason: 'unreachable' } },
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
