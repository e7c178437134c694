import { setTimeout as delay } from 'node:timers/promises';
import { encode, type Mode, type Modes, noAnswer } from '../exchange.ts';
import { type Json, text } from '../messages.ts';

const megabyte = 1024 * 1024;

export function* repeated(times: number, piece: Buffer): Generator<Buffer> {
	for (let i = 0; i < times; i += 1) yield piece;
}

/** Fifteen megabytes of JSON in pieces, of a kind that takes long to parse, or much memory. */
export function* dense(kind: string): Generator<string | Buffer> {
	const all = 15 * megabyte;
	const many = (piece: string) => repeated(15, Buffer.alloc(megabyte, piece));
	switch (kind) {
		case 'arrays':
			yield '[';
			yield* repeated(all / 3 / 1024, Buffer.from('[],'.repeat(1024)));
			yield '[]]';
			break;
		case 'objects':
			yield '[';
			yield* repeated(all / 8 / 1024, Buffer.from('{"a":1},'.repeat(1024)));
			yield '{}]';
			break;
		case 'numbers':
			yield '[';
			yield* many('1,');
			yield '1]';
			break;
		case 'keys':
			yield '{';
			for (let i = 0; i < 1_000; i += 1)
				yield Array.from({ length: 1_000 }, (_, k) => `"k${i}-${k}":0,`).join('');
			yield '"":0}';
			break;
		case 'depth':
			yield* repeated(7, Buffer.alloc(megabyte, '['));
			yield* repeated(7, Buffer.alloc(megabyte, ']'));
			break;
		case 'white space':
			yield '[';
			yield* repeated(15, Buffer.alloc(megabyte, ' \t'));
			yield '1]';
			break;
		case 'empty texts':
			yield '[';
			yield* repeated(all / 3 / 1024, Buffer.from('"",'.repeat(1024)));
			yield '""]';
			break;
		case 'escaped quotes':
			yield '"';
			yield* many('\\"');
			yield '"';
			break;
		default:
			throw new Error(`no kind "${kind}"`);
	}
}

/** Calls that do not end, end badly, or end with too much. */
export const callingModes: Modes = {
	'hangs-in-call': (): Mode => ({ fault: () => noAnswer }),
	/** Reports progress for ever, every so many milliseconds. */
	'progress-for-ever': ([everyMs]): Mode => ({
		fault: async (params, { send }) => {
			const { progressToken } = params._meta as Json;
			for (let progress = 1; ; progress += 1) {
				await send({ method: 'notifications/progress', params: { progressToken, progress } });
				await delay(Number(everyMs));
			}
		},
	}),
	/** Reports progress every 50 ms, so many times, and then answers. */
	'progress-for-a-while': ([steps]): Mode => ({
		fault: async (params, { send }) => {
			const { progressToken } = params._meta as Json;
			for (let progress = 1; progress <= Number(steps); progress += 1) {
				await delay(50);
				await send({ method: 'notifications/progress', params: { progressToken, progress } });
			}
			return text('done');
		},
	}),
	/** Answers with the JSON given in place of a result. */
	'answers-call': ([json = '']): Mode => ({ fault: () => JSON.parse(json) }),
	/** Refuses with a message of HTML, so many megabytes long, and the code given. */
	'refuses-call': ([megabytes, code = '-32000']): Mode => ({
		fault: async (_params, { id, send }) => {
			const message = `<html><b>${'no '.repeat((Number(megabytes) * megabyte) / 3)}</b></html>`;
			await send({ id, error: { code: Number(code), message } });
			return noAnswer;
		},
	}),
	/** A result of so many megabytes; `id` says whether the answer's id comes `first` or `last`. */
	'large-result': ([megabytes, id]): Mode => ({
		fault: async (_params, exchange) => {
			const about = `"jsonrpc":"2.0","id":${exchange.id}`;
			const [head, tail] = id === 'first' ? [`{${about},`, '}'] : ['{', `,${about}}`];
			const filling = repeated(Number(megabytes), Buffer.alloc(megabyte, 'x'));
			await exchange.sendPieces([
				...[head, '"result":{"content":[{"type":"text","text":"'],
				...filling,
				...['"}]}', tail],
			]);
			return noAnswer;
		},
	}),
	/** A result within the limit of a message that takes long to parse: see {@link dense}. */
	'dense-result': ([kind = '']): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			await sendPieces([`{"jsonrpc":"2.0","id":${id},"result":{"a":`, ...dense(kind), '}}']);
			return noAnswer;
		},
	}),
	/** The text given in the place of an answer, with the id of the request for `%`. */
	'answers-text': ([answer = '']): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			await sendPieces([answer.replace('%', String(id))]);
			return noAnswer;
		},
	}),
	/** A result of so many bytes, byte by byte. */
	dribbles: ([bytes]): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			const [head = '', tail = ''] = encode({ id, result: text('%') }).split('%');
			const rest = Buffer.from(`${'x'.repeat(Number(bytes))}${tail}`);
			await sendPieces(
				(function* () {
					yield head;
					for (const byte of rest) yield Buffer.of(byte);
				})(),
			);
			return noAnswer;
		},
	}),
	/** A line without an end. */
	'endless-line': (): Mode => ({
		stays: true,
		fault: async (_params, exchange) => {
			const piece = Buffer.alloc(megabyte, 'x');
			await exchange.sendPieces(
				(function* () {
					for (;;) yield piece;
				})(),
			);
		},
	}),
	/** Structured content nested so deep. */
	'deep-result': ([depth]): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			const deep = `${'['.repeat(Number(depth))}${']'.repeat(Number(depth))}`;
			await sendPieces([
				`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${deep}}}}`,
			]);
			return noAnswer;
		},
	}),
	/** Says the secret that its environment gives it, in its log and as an error. */
	'tells-secret': (): Mode => ({
		begin: () => console.error(`the key is ${process.env.API_KEY}`),
		fault: async (_params, { id, send }) => {
			await send({ id, error: { code: -32_000, message: `the key ${process.env.API_KEY} is not valid` } });
			return noAnswer;
		},
	}),
	/** Answers twice, and to requests that nobody made. */
	'answers-too-often': (): Mode => ({
		fault: async (_params, { id, send }) => {
			await send({ id: 4711, result: text('to nobody') });
			await send({ id, result: text('once') });
			await send({ id, result: text('twice') });
			return noAnswer;
		},
	}),
	/** Answers in the form of JSON-RPC, but for the result. */
	'answers-no-object': (): Mode => ({ fault: () => 42 }),
};
