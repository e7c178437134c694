import { setTimeout as delay } from 'node:timers/promises';
import { encode, type Mode, type Modes, noAnswer } from '../exchange.ts';
import { text, tool } from '../messages.ts';

/** Unusual bytes and characters. */
export const textModes: Modes = {
	/** Banners, CRLF, and characters split between writes. */
	noisy: (): Mode => ({
		begin: () => {
			for (let line = 1; line <= 40; line += 1) process.stdout.write(`banner ${line}\r\n`);
		},
		fault: async (_params, { id }) => {
			for (const byte of Buffer.from(`${encode({ id, result: text('Grüße 🙂') })}\r\n`)) {
				process.stdout.write(Buffer.of(byte));
				if (byte >= 0x80) await delay(2);
			}
			return noAnswer;
		},
	}),
	/** These bytes (in hex) before an answer and at the end of its text. */
	bytes: ([before = '', within = '']): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			const [head = '', tail = ''] = encode({ id, result: text('read%') }).split('%');
			await sendPieces([Buffer.from(before, 'hex'), head, Buffer.from(within, 'hex'), tail]);
			return noAnswer;
		},
	}),
	/** JSON that tries to change the prototype of all objects. */
	prototype: (): Mode => ({
		handlers: {
			'tools/list': async (_params, { id, sendPieces }) => {
				const evil = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
				const tools = [tool('work'), tool('fault')]
					.map((one) =>
						JSON.stringify(one).replace(
							'"inputSchema":{',
							`${evil},"annotations":{${evil}},"inputSchema":{${evil},`,
						),
					)
					.join(',');
				await sendPieces([`{"jsonrpc":"2.0","id":${id},"result":{${evil},"tools":[${tools}]}}`]);
				return noAnswer;
			},
		},
		fault: () => text(String(JSON.stringify(({} as { polluted?: unknown }).polluted))),
	}),
	/** Terminal escapes around a word, on stderr and in an error. */
	escapes: (): Mode => ({
		fault: async (_params, { id, send }) => {
			const escaped = '\u001b]0;title\u0007\u001b[31mred\u001b[0m';
			console.error(escaped);
			await send({ id, error: { code: -32_000, message: `${escaped}\u202e\u200b` } });
			return noAnswer;
		},
	}),
};
