/** The least that makes a stdio MCP server, with every answer in the hands of the program that uses it. */
import { createInterface } from 'node:readline';
import { handshake, type Json } from './messages.ts';

export type Handler = (params: Json, id: number) => unknown;

/** Returned by a handler that does not answer. */
export const noAnswer = Symbol('no answer');

export function send(message: Json): void {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** Answers each method by its handler; `initialize` has one already. Ends with its stdin, as a good server does. */
export function serve(handlers: Record<string, Handler>): void {
	const all: Record<string, Handler> = { initialize: (params) => handshake(params), ...handlers };
	const lines = createInterface({ input: process.stdin });
	lines.on('line', async (line) => {
		const { id, method, params = {} } = JSON.parse(line) as { id?: number; method: string; params?: Json };
		const handler = all[method];
		if (id === undefined) {
			handler?.(params, -1);
			return;
		}
		if (!handler) {
			send({ id, error: { code: -32_601, message: `Method not found: ${method}` } });
			return;
		}
		const result = await handler(params, id);
		if (result !== noAnswer) send({ id, result });
	});
	lines.on('close', () => process.exit(0));
}
