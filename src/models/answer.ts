import { randomInt } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { AnswerPart } from '../discovery/catalog/message.ts';
import type { TextOrThinking } from './answerParts.ts';
import { ArrivingCall, ArrivingCalls, type CallPiece, type MayLack } from './arrivingCalls.ts';
import type { ChatModelEvent } from './chatModel.ts';
import type { Thinker } from './thinker.ts';
import { ThinkTags } from './thinkTags.ts';
import { unbundled } from './wireCalls.ts';

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
	/** The calls that have begun. Pieces of them come by {@link call}. */
	calls = new ArrivingCalls();
	#tags: ThinkTags;
	#isRead = false;

	/** `thinker`: the maker of the calls, which gets their ids back. */
	constructor(emit: (event: ChatModelEvent) => void, thinker?: Thinker) {
		this.emit = emit;
		this.#thinker = thinker;
		this.#tags = new ThinkTags(thinker);
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
	say(...pieces: readonly TextOrThinking[]): void {
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

	/** Adds text in which the server may have left the model's thoughts. `isThought`: the server says that this text is one. */
	speak(text: string, isThought = false): void {
		this.say(...this.#tags.add(text, isThought));
	}

	/** The endpoint begins the answer again in the same stream: a gateway that lost its own connection may do that. */
	restart(): void {
		this.#parts = [];
		this.calls = new ArrivingCalls();
		this.#tags = new ThinkTags(this.#thinker);
		if (this.#isRead)
			this.emit({
				type: 'notice',
				text: l10n.t('The server began this answer again, so its beginning may appear twice.'),
			});
	}

	/** Adds a piece of a call. */
	call(piece: CallPiece): void {
		const newCall = this.calls.add(piece);
		if (newCall) this.#parts.push(newCall);
	}

	/**
	 * Finishes the text and the calls. These get our own ids: some providers restart their numbering with each answer, give several calls the same id, or none.
	 * Equal calls with the same id were sent twice, and count once. `counts`: whether a call is part of the answer.
	 */
	finish(mayLack: MayLack = () => false, isIncluded: (call: ArrivingCall) => boolean = () => true): void {
		this.say(...this.#tags.end());
		const seenCalls = new Set<string>();
		this.#parts = this.#parts.flatMap((part): AnswerPart[] => {
			if (!(part instanceof ArrivingCall)) return [part];
			if (!isIncluded(part)) return [];
			const finished = part.toToolCall(this.calls.lackOf(part, mayLack));
			return unbundled(finished).flatMap((call): AnswerPart[] => {
				const { id, name, input, fault } = call;
				const key = JSON.stringify([id, name, input, fault]);
				if (id !== '' && seenCalls.has(key)) return [];
				seenCalls.add(key);
				const origin = this.#thinker?.origin({ id, ...part.extra });
				return [{ type: 'toolCall', call: { ...call, id: newCallId() }, ...(origin && { origin }) }];
			});
		});
	}
}
