import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;
const streams = ['stdio', 'sse', 'streamable-http'] as const;
const everywhere = ['stdio', 'sse', 'streamable-http', 'json'] as const;

const lives = { start: 'ready', after: { text: 'work done' } } as const;

export const textFaults: readonly Fault[] = [
	{
		name: 'writes garbage, CRLF and split characters to stdout',
		mode: ['noisy'],
		transports: local,
		expected: { ...lives, fault: { text: 'Grüße 🙂' } },
	},
	{
		name: 'begins its answer with a byte order mark',
		mode: ['bytes', 'efbbbf'],
		transports: ['stdio', 'json'],
		expected: { ...lives, fault: { text: 'read' } },
	},
	{
		name: 'writes bytes that are not UTF-8',
		mode: ['bytes', '', 'fffec0af'],
		isOfTransport: true,
		transports: everywhere,
		expected: { ...lives, fault: { text: 'read\ufffd\ufffd\ufffd\ufffd' } },
	},
	{
		name: 'writes keys that mean to change every object',
		mode: ['prototype'],
		transports: everywhere,
		expected: { ...lives, tools: 2 },
	},
	{
		name: 'refuses with terminal escapes and invisible characters',
		mode: ['escapes'],
		transports: streams,
		expected: { ...lives, fault: { reason: 'request-refused', message: 'Server "faulty" refused: red' } },
	},
];
