import { parsedJson } from '../common/json.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import { callFrom } from './wireCalls.ts';

/** What one event of a stream says about a call. */
export interface CallPiece {
	/** The endpoint's id of the call; empty if the piece has none. */
	readonly id?: string;
	/** Another id, by which later pieces refer to the call. */
	readonly alias?: string;
	/** The place of the call in the answer. Some endpoints write it as text, and some leave it out. */
	readonly index?: unknown;
	/** The tool; empty in pieces that continue a call. */
	readonly name?: string;
	/** More of the arguments, as JSON text. */
	readonly json?: string;
	/** All of the arguments, as JSON text or as a value. */
	readonly input?: unknown;
	/** `begins`: a new call, whatever came before. `ends`: `input` replaces the arguments that came in pieces. */
	readonly step?: 'begins' | 'ends';
	/** What the provider expects back with the call, except its id. */
	readonly extra?: object | undefined;
}

/** A call, as far as it has come. */
export class ArrivingCall {
	id = '';
	name = '';
	index: string | undefined;
	extra: object | undefined;
	/** The endpoint said that the call is complete. */
	isClosed = false;
	#input: unknown;
	#json = new ObjectText();
	/**
	 * The last piece, if each began with the one before: some endpoints repeat all that has come so far. The end tells, because only the right one is
	 * JSON. Of a text nothing tells, and who guesses loses digits (https://github.com/Quorinex/Kiro-Go/pull/138).
	 */
	#snapshot: string | undefined = '';

	/** Whether all arguments have come. Where there are none, more may come. */
	get isWhole(): boolean {
		return this.#input !== undefined || this.#json.isWhole;
	}

	get hasArguments(): boolean {
		return this.#input !== undefined || this.#json.text !== '';
	}

	addPiece({ id, name, json, input, extra, step }: CallPiece): void {
		// The id that comes with the name counts.
		if (this.name === '' && name) this.id = id || this.id;
		this.id ||= id ?? '';
		if (this.name !== name) this.name += name ?? '';
		this.extra ??= extra;
		if (isPresent(input)) {
			this.#input = input;
			this.#json = new ObjectText();
			this.#snapshot = undefined;
		}
		if (json)
			this.#snapshot = this.#snapshot !== undefined && json.startsWith(this.#snapshot) ? json : undefined;
		this.#json.add(json ?? '');
		this.isClosed ||= step === 'ends';
	}

	/** `lack`: what is wrong if there are no arguments. */
	toToolCall(lack: string | undefined): ToolCall {
		const { id, name } = this;
		const isRepeated = this.#snapshot !== undefined && parsedJson(this.#json.text) === undefined;
		const text = isRepeated ? (this.#snapshot ?? '') : this.#json.text;
		const call = callFrom(id, name, text.trim() === '' ? this.#input : text, lack);
		return call.name === ''
			? { id, name: 'unnamed', input: {}, fault: 'The call names no tool. Make it again.' }
			: call;
	}
}

/** Whether the answer ended so early that the arguments of a call may be missing. `isLast`: no other call followed. */
export type MayLack = (call: ArrivingCall, isLast: boolean) => boolean;

const cutOff = 'The answer was cut off before the arguments. Say less, and make the call again.';
const mayBeLost = 'The arguments may have been lost on the way. Make the call again.';

/**
 * The calls of one answer, assembled from the pieces of a stream. Endpoints disagree about how a piece says which call it continues. Its id
 * decides; then its index, if the call there still lacks something; then the order. A piece without a name continues a call if there is one for it.
 * A call runs only with arguments that are one complete object, so that a wrong guess here becomes a fault.
 */
export class ArrivingCalls {
	readonly #all: ArrivingCall[] = [];
	readonly #byId = new Map<string, ArrivingCall>();
	readonly #byIndex = new Map<string, ArrivingCall>();
	/** Whether a piece came whose id and index belong to no call, or to two. */
	#isMixedUp = false;

	/** Adds a piece; returns its call if it is a new one. */
	add(piece: CallPiece): ArrivingCall | undefined {
		const index = indexOf(piece.index);
		const owner = this.#owner(piece, index);
		if (owner === 'none') return undefined;
		const call = owner ?? new ArrivingCall();
		if (!owner) this.#all.push(call);
		call.addPiece(piece);
		const { id = '', alias = '', name = '' } = piece;
		// Some endpoints give each piece another id. Only the one with the name is the call's.
		if (id !== '' && (name !== '' || call.id === id)) this.#byId.set(id, call);
		if (alias !== '') this.#byId.set(alias, call);
		if (index !== undefined && (!owner || (!this.#byIndex.has(index) && hasArguments(piece)))) {
			call.index ??= index;
			this.#byIndex.set(index, call);
		}
		return owner ? undefined : call;
	}

	/** Whether the arguments of a call have begun. */
	hasArguments(id: string): boolean {
		return this.#byId.get(id)?.hasArguments ?? false;
	}

	/** The endpoint says that the call at this index is complete. */
	close(index: unknown): void {
		const call = this.#byIndex.get(indexOf(index) ?? '');
		if (call) call.isClosed = true;
	}

	/** Which arguments a call without any may lack, once the answer has ended; `undefined`: its tool takes none. */
	lackOf(call: ArrivingCall, mayLack: MayLack): string | undefined {
		if (mayLack(call, call === this.#all.at(-1))) return cutOff;
		return this.#isMixedUp ? mayBeLost : undefined;
	}

	/** The call that a piece belongs to; `undefined` for a new one, `none` if the piece says nothing. */
	#owner(piece: CallPiece, index: string | undefined): ArrivingCall | 'none' | undefined {
		const { id = '', name = '', step } = piece;
		if (step === 'begins') return undefined;
		const callWithId = this.#byId.get(id);
		const callAtIndex = index === undefined ? undefined : this.#byIndex.get(index);
		const last = this.#all.at(-1);
		const hasMore = hasArguments(piece);
		if (hasMore && callWithId && callAtIndex && callWithId !== callAtIndex) this.#isMixedUp = true;
		if (name !== '') {
			const call = callWithId ?? (index === undefined ? last : callAtIndex);
			return call && !this.#isAnother(piece, call, call === callWithId, index) ? call : undefined;
		}
		if (callWithId) return callWithId;
		const open = [callAtIndex, last].find((call) => call && !call.isWhole);
		const saysOther = id !== '' || index !== undefined;
		if (hasMore && saysOther && (!open || open !== callAtIndex)) this.#isMixedUp = true;
		if (open) return open;
		if (!hasMore) return callAtIndex ?? last ?? (id === '' ? 'none' : undefined);
		// With all calls complete, more arguments make the call a fault that they seem to be meant for.
		return id === '' || callAtIndex ? (callAtIndex ?? last) : undefined;
	}

	/** Whether a piece with a name begins another call than the one that its id, its index or the order point to. */
	#isAnother(piece: CallPiece, call: ArrivingCall, isKnown: boolean, index: string | undefined): boolean {
		const { id = '', name = '', step } = piece;
		const isMore = hasArguments(piece);
		if (isMore && call.isWhole && (step !== 'ends' || call.isClosed)) return true;
		if (call.name === '' || this.#continuesName(piece, call, index)) return false;
		// Some endpoints repeat the name with each piece, and give each another id.
		const isOpen = call.hasArguments && !call.isWhole && !call.isClosed;
		if (isMore && isOpen && name === call.name && index !== undefined && index === call.index) return false;
		if (name !== call.name || (!isKnown && id !== '' && call.id !== '')) return true;
		// Some endpoints give all calls the same id.
		return !isMore && index !== undefined && call.index !== undefined && !this.#byIndex.has(index);
	}

	/** Some endpoints send a name in pieces, before the arguments. Only the first piece has the id. */
	#continuesName({ id = '', step }: CallPiece, call: ArrivingCall, index: string | undefined): boolean {
		return id === '' && call.id !== '' && step === undefined && index !== undefined && !call.hasArguments;
	}
}

function hasArguments({ json = '', input }: CallPiece): boolean {
	return json.trim() !== '' || isPresent(input);
}

function isPresent(input: unknown): boolean {
	return typeof input === 'string' ? input.trim() !== '' : (input ?? undefined) !== undefined;
}

function indexOf(value: unknown): string | undefined {
	return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

/** The text of a JSON object that arrives in pieces, and whether it has ended. Each character is looked at once. */
class ObjectText {
	text = '';
	isWhole = false;
	#depth = 0;
	#isInString = false;
	#isEscaped = false;

	add(piece: string): void {
		this.text += piece;
		for (const character of piece) {
			if (this.#isInString) {
				if (this.#isEscaped) this.#isEscaped = false;
				else if (character === '\\') this.#isEscaped = true;
				else if (character === '"') this.#isInString = false;
			} else if (character === '"') this.#isInString = true;
			else if (character === '{' || character === '[') this.#depth++;
			else if (character === '}' || character === ']') {
				this.#depth--;
				this.isWhole ||= this.#depth === 0;
			}
		}
	}
}
