import { isRecord, type JsonRecord } from '../../../common/json.ts';
import type { ToolCall } from '../../../discovery/catalog/message.ts';
import { NewCalls } from '../../callIds.ts';
import { callFromJson, callFromValue } from '../../wireCalls.ts';

/** A call of which pieces have arrived. */
interface Piecemeal {
	id: string;
	name: string;
	json: string;
	/** Where `json` stands. */
	readonly reading: JsonReading;
	/** Arguments that came as an object, all at once. */
	whole?: JsonRecord;
	extra: unknown;
}

/** A call that has come whole, and what the provider wants back with it. */
export interface ArrivedCall {
	readonly call: ToolCall;
	/** The provider's own; empty where it gave none. */
	readonly id: string;
	/** Gemini's signature, as it stood with the call. */
	readonly extra: unknown;
}

/** A piece of a call, its fields as loose as servers send them. */
interface Piece {
	readonly index: number | undefined;
	readonly id: string;
	readonly name: string;
	readonly json: string;
	readonly whole: JsonRecord | undefined;
	readonly extra: unknown;
}

/**
 * Puts calls together from the pieces of a stream. By the protocol a piece names its call by `index`; but there are servers that leave
 * it out, give it to every call alike, repeat the id in each piece, send it empty, or send a call, or its arguments, as a whole.
 */
export class CallAssembly {
	readonly #calls: Piecemeal[] = [];
	readonly #byIndex = new Map<number, Piecemeal>();

	/** Takes `delta.tool_calls` of one chunk. */
	add(pieces: unknown): void {
		if (!Array.isArray(pieces)) return;
		for (const written of pieces.filter(isRecord)) {
			const piece = readPiece(written);
			const call = this.#continued(piece) ?? this.#begin();
			if (piece.index !== undefined) this.#byIndex.set(piece.index, call);
			call.id ||= piece.id;
			call.name ||= piece.name;
			call.json += piece.json;
			call.reading.add(piece.json);
			if (piece.whole) call.whole = piece.whole;
			call.extra ??= piece.extra;
		}
	}

	/** The calls, in the order in which they began. `isCut`: the answer ended before its time, and so maybe the last call. */
	calls(isCut: boolean): ArrivedCall[] {
		const calls = new NewCalls();
		return this.#calls.flatMap((written, index) => {
			const call = calls.add(finished(written, isCut && index === this.#calls.length - 1));
			return call ? [{ call, id: written.id, extra: written.extra }] : [];
		});
	}

	#begin(): Piecemeal {
		const call = { id: '', name: '', json: '', reading: new JsonReading(), extra: undefined };
		this.#calls.push(call);
		return call;
	}

	/** The call that a piece goes on with, if it begins none. */
	#continued(piece: Piece): Piecemeal | undefined {
		const call = piece.index === undefined ? this.#calls.at(-1) : this.#byIndex.get(piece.index);
		return call && !begins(piece, call) ? call : undefined;
	}
}

/** Whether a piece is a call of its own though it stands where `call` was: it is named, and `call` is known to be another one. */
function begins({ id, name, json, whole }: Piece, call: Piecemeal): boolean {
	if (name === '') return false;
	if (id !== '' && call.id !== '' && id !== call.id) return true;
	const hasArguments = whole !== undefined || json.trim() !== '';
	return (call.name !== '' && name !== call.name) || (hasArguments && isWhole(call));
}

function readPiece({ index, id, function: called, extra_content: extra }: JsonRecord): Piece {
	const { name, arguments: input } = isRecord(called) ? called : {};
	return {
		index: typeof index === 'number' ? index : undefined,
		id: typeof id === 'string' ? id : '',
		name: typeof name === 'string' ? name : '',
		json: typeof input === 'string' ? input : '',
		whole: isRecord(input) ? input : undefined,
		extra: extra ?? undefined,
	};
}

function finished({ id, name, json, whole }: Piecemeal, isCut: boolean): ToolCall {
	if (name === '') return { id, name: 'unnamed', input: {}, fault: 'The call names no tool. Make it again.' };
	if (whole !== undefined) return callFromValue(id, name, whole);
	if (isCut && json.trim() === '') {
		return {
			id,
			name,
			input: {},
			fault: 'The answer was cut off before the arguments. Make the call again.',
		};
	}
	return callFromJson(id, name, json);
}

/** Whether nothing can be added to a call's arguments. */
function isWhole({ json, reading, whole }: Piecemeal): boolean {
	if (whole !== undefined) return true;
	if (reading.isOpen || reading.isBroken || !json.endsWith('}')) return false;
	try {
		return isRecord(JSON.parse(json));
	} catch {
		reading.isBroken = true;
		return false;
	}
}

/** Follows a JSON text that grows, to know when it is complete: parsing all of it with each of a hundred thousand pieces would take for ever. */
class JsonReading {
	/** All brackets are closed, and yet it is no JSON; more text will not change that. */
	isBroken = false;
	#depth = 0;
	#isText = false;
	#isEscaped = false;

	get isOpen(): boolean {
		return this.#depth > 0 || this.#isText;
	}

	add(piece: string): void {
		for (const char of piece) {
			if (this.#isEscaped) this.#isEscaped = false;
			else if (char === '"') this.#isText = !this.#isText;
			else if (this.#isText) this.#isEscaped = char === '\\';
			else if (char === '{' || char === '[') this.#depth++;
			else if (char === '}' || char === ']') this.#depth--;
		}
	}
}
