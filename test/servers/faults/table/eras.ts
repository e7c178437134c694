import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;
const http = ['streamable-http', 'json'] as const;
const everywhere = ['stdio', ...http] as const;

const lives = { start: 'ready', after: { text: 'work done' } } as const;
const leaves = { ...lives, fault: { reason: 'question-refused' } } as const;
const probe = 'server/discover';

/** Faults between a client of both eras of the protocol and a server of one. */
export const eraFaults: readonly Fault[] = [
	{
		name: 'exits or resets the connection when it is asked which protocol it speaks',
		mode: ['breaks-off', probe],
		isOfTransport: true,
		transports: everywhere,
		expected: lives,
	},
	{
		name: 'is silent when it is asked',
		mode: ['hangs', probe],
		isOfTransport: true,
		transports: everywhere,
		limits: { probeMs: 200 },
		expected: lives,
	},
	...(['404', '400', '405', '500', '503', '401', '403'] as const).map(
		(status, i): Fault => ({
			name: `answers the question with HTTP ${status}`,
			mode: ['status', status, probe, ''],
			...(i > 0 && status !== '401' && { onlyNightly: true }),
			transports: http,
			expected: lives,
		}),
	),
	...(
		[
			['nothing', '', '', '200'],
			['HTTP 202', '', '', '202'],
			['HTTP 204', '', '', '204'],
			['a page', 'text/html', '<html></html>', '200'],
			['half of an object', 'application/json', '{"jsonrpc":', '200'],
			['an answer without a result', 'application/json', '{"jsonrpc":"2.0","id":1}', '200'],
		] as const
	).map(
		([what, type, body, status], i): Fault => ({
			name: `answers the question with ${what}`,
			mode: ['body', type, body, probe, status],
			...(i > 0 && { onlyNightly: true }),
			transports: http,
			expected: lives,
		}),
	),
	{ name: 'speaks the newer protocol only', mode: ['modern'], transports: everywhere, expected: lives },
	{
		name: 'asks the user for more without end',
		mode: ['asks-again'],
		transports: everywhere,
		expected: leaves,
	},
	{
		name: 'asks for 500 fields',
		onlyNightly: true,
		mode: ['asks-again', '500'],
		transports: everywhere,
		expected: leaves,
	},
	{
		name: 'asks for a model that it was not offered',
		mode: ['asks-again', '1', 'sampling/createMessage'],
		transports: local,
		expected: leaves,
	},
	{
		name: 'asks for patience without end',
		mode: ['asks-patience'],
		transports: everywhere,
		expected: leaves,
	},
	{
		name: 'lists a tool that is none, and answers with what nobody knows',
		mode: ['loose-results'],
		transports: everywhere,
		expected: {
			...lives,
			tools: 2,
			dropped: 1,
			fault: { text: '[content of unknown type "hologram"]\nseen' },
		},
	},
	{
		name: 'ends each stream of changes at once',
		mode: ['ends-listening'],
		transports: everywhere,
		lookOnMs: 500,
		expected: lives,
	},
	{
		name: 'asks the user by itself, without end',
		mode: ['asks-by-itself'],
		transports: ['stdio', 'sse', 'streamable-http'],
		lookOnMs: 500,
		expected: lives,
	},
];
