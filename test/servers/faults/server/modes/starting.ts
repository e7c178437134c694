import { type Mode, type Modes, noAnswer } from '../exchange.ts';
import { handshake } from '../messages.ts';

const megabyte = 1024 * 1024;

/** Servers that never become ready. */
export const startingModes: Modes = {
	/** Exits at once, with thirty lines on stderr. */
	'exits-at-once': (): Mode => ({
		begin: () => {
			for (let line = 1; line <= 30; line += 1) console.error(`usage line ${line}`);
			process.exit(2);
		},
	}),
	/** Never answers the given method, and writes what it receives meanwhile to stderr. */
	hangs: ([method = '']): Mode => ({
		handlers: {
			'notifications/cancelled': ({ requestId }) =>
				console.error(`told that request ${requestId} is cancelled`),
			[method]: () => {
				console.error(`${method} has come`);
				return noAnswer;
			},
		},
	}),
	/** Breaks the connection when a request with the given method comes. */
	'breaks-off': ([method = '']): Mode => ({
		handlers: {
			[method]: (_params, exchange) => {
				console.error('no database');
				exchange.breakOff();
				return noAnswer;
			},
		},
	}),
	/** Answers requests with this method with the given JSON. */
	answers: ([method = '', json = '']): Mode => ({ handlers: { [method]: () => JSON.parse(json) } }),
	'refuses-initialize': (): Mode => ({
		handlers: {
			initialize: async (_params, { id, send }) => {
				await send({ id, error: { code: -32_000, message: 'no licence' } });
				return noAnswer;
			},
		},
	}),
	/** Introduces itself with a title and a description of a megabyte each, and instructions of so many. */
	introduces: ([megabytes]): Mode => ({
		handlers: {
			initialize: (params) => ({
				...handshake(params),
				serverInfo: {
					name: 'long',
					version: '1',
					title: 't'.repeat(megabyte),
					description: 'd'.repeat(megabyte),
				},
				instructions: 'x'.repeat(Number(megabytes) * megabyte),
			}),
		},
	}),
	/** Closes its stdout and keeps running. */
	'closes-stdout': (): Mode => ({
		stays: true,
		handlers: {
			initialize: async () => {
				const { closeSync } = await import('node:fs');
				closeSync(1);
				setInterval(() => {}, 1000);
				return noAnswer;
			},
		},
	}),
	/** Over SSE, sends the given address to post to, or none. */
	endpoint: ([address]): Mode => ({ endpoint: () => address }),
};
