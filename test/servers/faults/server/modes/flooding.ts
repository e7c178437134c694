import { setTimeout as delay } from 'node:timers/promises';
import type { Mode, Modes, Wire } from '../exchange.ts';
import { type Json, text, tool } from '../messages.ts';
import { dense } from './calling.ts';

/** Answers the call, and from then on sends a burst of messages every `everyMs` milliseconds. */
function floods(burst: number, everyMs: number, message: (n: number, params: Json) => Json): Mode {
	let listings = 0;
	const run = async (wire: Wire, params: Json) => {
		for (let n = 0; ; ) {
			for (let i = 0; i < burst; i += 1) await wire.send(message(n++, params));
			await delay(everyMs);
		}
	};
	return {
		handlers: {
			'tools/list': () => {
				listings += 1;
				return { tools: [tool('work'), tool('fault')] };
			},
		},
		fault: (params, { wire }) => {
			void run(wire, params);
			return text(`flood begins after ${listings} lists`);
		},
	};
}

/** More of everything than a client can read. */
export const floodingModes: Modes = {
	/** Bursts of `list_changed`. */
	'list-changed': ([burst, everyMs]) =>
		floods(Number(burst), Number(everyMs), () => ({ method: 'notifications/tools/list_changed' })),
	/** Bursts of log messages of so many bytes. */
	'log-messages': ([burst, bytes]) => {
		const data = 'x'.repeat(Number(bytes));
		return floods(Number(burst), 1, () => ({
			method: 'notifications/message',
			params: { level: 'error', data },
		}));
	},
	'unknown-notifications': ([burst]) =>
		floods(Number(burst), 1, () => ({ method: 'notifications/nonsense', params: { why: 'not' } })),
	/** Bursts of requests to the client, whose answers are never read. */
	requests: ([burst, method = 'ping']) => {
		const flood = floods(Number(burst), 1, (n) => ({ id: n, method }));
		const { fault } = flood;
		return {
			...flood,
			fault: (params: Json, exchange: Parameters<NonNullable<typeof fault>>[1]) => {
				if (exchange.wire.kind === 'stdio') process.stdin.pause();
				return fault?.(params, exchange);
			},
		};
	},
	'stray-answers': ([burst]) =>
		floods(Number(burst), 1, (n) => ({ id: 1_000_000 + n, result: text('stray') })),
	'stray-progress': ([burst]) =>
		floods(Number(burst), 1, (n) => ({
			method: 'notifications/progress',
			params: { progressToken: 1_000_000 + n, progress: 1 },
		})),
	/** So many megabytes on stderr, in lines or in a single line. */
	stderr: ([megabytes, lines]): Mode => ({
		fault: async () => {
			const end = lines === 'lines' ? '\n' : '';
			const piece = `${'e'.repeat(1023)}${end || 'e'}`.repeat(64);
			for (let i = 0; i < Number(megabytes) * 16; i += 1)
				if (!process.stderr.write(piece))
					await new Promise((resolve) => process.stderr.once('drain', resolve));
			return text('said');
		},
	}),
	/** So many lines of 15 MB on stdout that are not messages: binary data, or the start of JSON. */
	'garbage-of': ([kind, lines]): Mode => ({
		fault: async () => {
			const megabyte = 1024 * 1024;
			const pieces: Readonly<Record<string, readonly [string, Buffer]>> = {
				bytes: ['', Buffer.alloc(megabyte, 0xff)],
				'bytes in an object': ['{"a":"', Buffer.alloc(megabyte, 0xff)],
				'numbers in an object': ['{"a":[', Buffer.alloc(megabyte, '1,')],
				'white space': ['{', Buffer.alloc(megabyte, ' ')],
			};
			const [head, piece] = pieces[kind ?? ''] ?? ['', Buffer.alloc(0)];
			const write = async (some: string | Buffer) => {
				if (!process.stdout.write(some))
					await new Promise((resolve) => process.stdout.once('drain', resolve));
			};
			for (let i = 0; i < Number(lines); i += 1) {
				await write(head);
				for (let n = 0; n < 15; n += 1) await write(piece);
				await write('\n');
			}
			return text('said');
		},
	}),
	/** Notifications of 15 MB of JSON that takes long to parse, one after the other. */
	'dense-notifications': ([kind = '', count]): Mode => ({
		fault: async (_params, { sendPieces }) => {
			for (let i = 0; i < Number(count); i += 1)
				await sendPieces([
					'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":',
					...dense(kind),
					'}}',
				]);
			return text('said');
		},
	}),
	/** So many lines on stdout that are not messages. */
	garbage: ([lines, line = 'garbage, and more of it']): Mode => ({
		fault: async () => {
			const piece = `${line}\n`.repeat(1000);
			for (let i = 0; i < Number(lines) / 1000; i += 1)
				if (!process.stdout.write(piece))
					await new Promise((resolve) => process.stdout.once('drain', resolve));
			return text('said');
		},
	}),
};
