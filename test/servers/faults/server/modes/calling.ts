import { setTimeout as delay } from 'node:timers/promises';
import { encode, type Mode, type Modes, noAnswer } from '../exchange.ts';
import { type Json, text } from '../messages.ts';

const megabyte = 1024 * 1024;

export function* repeated(times: number, piece: Buffer): Generator<Buffer> {
	for (let i = 0; i < times; i += 1) yield piece;
}

/** 15 MB of JSON in pieces, of a kind that takes long to parse or needs much memory. */
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

/** Calls that do not end, end badly, or have too large a result. */
export const callingModes: Modes = {
	'hangs-in-call': (): Mode => ({ fault: () => noAnswer }),
	/** Reports progress for ever, every `everyMs` milliseconds. */
	'progress-for-ever': ([everyMs]): Mode => ({
		fault: async (params, { send }) => {
			const { progressToken } = params._meta as Json;
			for (let progress = 1; ; progress += 1) {
				await send({ method: 'notifications/progress', params: { progressToken, progress } });
				await delay(Number(everyMs));
			}
		},
	}),
	/** Answers with the given JSON instead of a result. */
	'answers-call': ([json = '']): Mode => ({ fault: () => JSON.parse(json) }),
	/** Answers with the given error code and a message of so many megabytes of HTML. */
	'refuses-call': ([megabytes, code = '-32000']): Mode => ({
		fault: async (_params, { id, send }) => {
			const message = `<html><b>${'no '.repeat((Number(megabytes) * megabyte) / 3)}</b></html>`;
			await send({ id, error: { code: Number(code), message } });
			return noAnswer;
		},
	}),
	/** A result of so many megabytes. `id` says whether the answer's id comes `first` or `last`. */
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
	/** A result within the size limit that takes long to parse: see {@link dense}. */
	'dense-result': ([kind = '']): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			await sendPieces([`{"jsonrpc":"2.0","id":${id},"result":{"a":`, ...dense(kind), '}}']);
			return noAnswer;
		},
	}),
	/** The given text instead of an answer, with the request's id in the place of `%`. */
	'answers-text': ([answer = '']): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			await sendPieces([answer.replace('%', String(id))]);
			return noAnswer;
		},
	}),
	/** A result of so many bytes, sent byte by byte. */
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
	/** A line that never ends. */
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
	/** Structured content of the given depth. */
	'deep-result': ([depth]): Mode => ({
		fault: async (_params, { id, sendPieces }) => {
			const deep = `${'['.repeat(Number(depth))}${']'.repeat(Number(depth))}`;
			await sendPieces([
				`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${deep}}}}`,
			]);
			return noAnswer;
		},
	}),
	/** Writes the secret of its environment to its log and to an error. */
	'tells-secret': (): Mode => ({
		begin: () => console.error(`the key is ${process.env.API_KEY}`),
		fault: async (_params, { id, send }) => {
			await send({ id, error: { code: -32_000, message: `the key ${process.env.API_KEY} is not valid` } });
			return noAnswer;
		},
	}),
	/** Answers twice, and answers requests that nobody made. */
	'answers-too-often': (): Mode => ({
		fault: async (_params, { id, send }) => {
			await send({ id: 4711, result: text('to nobody') });
			await send({ id, result: text('once') });
			await send({ id, result: text('twice') });
			return noAnswer;
		},
	}),
};
