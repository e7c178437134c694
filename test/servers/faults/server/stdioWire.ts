import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Exchange, encode, oneAtATime, type Wire } from './exchange.ts';
import type { Json } from './messages.ts';

/** Serves on stdin and stdout. */
export function serveStdio(handle: (exchange: Exchange) => void, stays: boolean): void {
	const write = async (piece: string | Buffer) => {
		if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
	};
	const exclusively = oneAtATime();
	const send = (message: Json) => exclusively(() => write(`${encode(message)}\n`));
	const wire: Wire = { kind: 'stdio', send };
	createInterface({ input: process.stdin })
		.on('line', (line) => {
			const { id, method, params = {} } = JSON.parse(line);
			handle({
				id,
				method,
				params,
				wire,
				send,
				sendPieces: (pieces) =>
					exclusively(async () => {
						for (const piece of pieces) await write(piece);
						await write('\n');
					}),
				breakOff: () => process.exit(3),
				response: undefined,
			});
		})
		.on('close', () => {
			if (!stays) process.exit(0);
		});
}
