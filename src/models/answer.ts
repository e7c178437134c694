import { randomInt } from 'node:crypto';
import type { AnswerPart } from '../discovery/catalog/message.ts';
import { ArrivingCall, ArrivingCalls, type CallPiece, type MayLack } from './arrivingCalls.ts';
import type { ChatModelEvent } from './chatModel.ts';
import type { Thinker } from './thinker.ts';

/** A piece of text or of a thought. */
export type SpokenPart = Exclude<AnswerPart, { readonly type: 'toolCall' }>;

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Nine letters and digits: some servers accept nothing else (Mistral's). */
function newCallId(): string {
	return `c${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`;
}

/**
 * One attempt at an answer, as far as it has come: its parts in the model's order. Each attempt has an `Answer` of its own, so what a torn one
 * left is never joined to the next. Text and thoughts are told as they come, calls only with the finished answer.
 */
export class Answer {
	/** Tells what does not wait for the end of the answer. */
	readonly emit: (event: ChatModelEvent) => void;
	readonly #thinker: Thinker | undefined;
	#parts: (AnswerPart | ArrivingCall)[] = [];
	readonly #calls = new ArrivingCalls();
	#isRead = false;

	/** `thinker`: the maker of the calls, which gets their ids back. */
	constructor(emit: (event: ChatModelEvent) => void, thinker?: Thinker) {
		this.emit = emit;
		this.#thinker = thinker;
	}

	/** Whether the user has read some of it. Another attempt would show that twice. */
	get isRead(): boolean {
		return this.#isRead;
	}

	get isEmpty(): boolean {
		return this.#parts.length === 0;
	}

	/** The parts of a finished answer. */
	get parts(): readonly AnswerPart[] {
		return this.#parts.filter((part): part is AnswerPart => !(part instanceof ArrivingCall));
	}

	/**
	 * Adds pieces. One continues the last part if that has the same type and is still open: an origin ends a part, except for pieces with the
	 * same origin object.
	 */
	say(...pieces: readonly SpokenPart[]): void {
		for (const piece of pieces) {
			const { type, text, origin } = piece;
			if (text === '' && !origin) continue;
			const last = this.#parts.at(-1);
			if (
				last &&
				!(last instanceof ArrivingCall) &&
				last.type === type &&
				[undefined, origin].includes(last.origin)
			)
				this.#parts[this.#parts.length - 1] = { ...piece, text: last.text + text };
			else this.#parts.push(piece);
			if (text === '') continue;
			this.#isRead ||= type === 'text';
			this.emit({ type, text });
		}
	}

	/** Adds a piece of a call. */
	call(piece: CallPiece): void {
		const begun = this.#calls.add(piece);
		if (begun) this.#parts.push(begun);
	}

	/** The endpoint says that the call at this index is complete. */
	closeCall(index: unknown): void {
		this.#calls.close(index);
	}

	/**
	 * Finishes the calls. They get our own ids: some providers restart their numbering with each answer, give several calls the same id, or none.
	 * Equal calls with the same id were sent twice, and count once. `counts`: whether a call is part of the answer.
	 */
	finish(mayLack: MayLack = () => false, counts: (call: ArrivingCall) => boolean = () => true): void {
		const sent = new Set<string>();
		this.#parts = this.#parts.flatMap((part): AnswerPart[] => {
			if (!(part instanceof ArrivingCall)) return [part];
			if (!counts(part)) return [];
			const call = part.finished(this.#calls.lackOf(part, mayLack));
			const { id, name, input, fault } = call;
			const item = JSON.stringify([id, name, input, fault]);
			if (id !== '' && sent.has(item)) return [];
			sent.add(item);
			const origin = this.#thinker?.origin({ id, ...part.extra });
			return [{ type: 'toolCall', call: { ...call, id: newCallId() }, ...(origin && { origin }) }];
		});
	}
}
