import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import type { ToolCall } from '../../chatModel.ts';
import { callFromJson, callFromValue } from '../../toolArguments.ts';

/** A call as far as it has come. */
interface Piecemeal {
	id: string;
	name: string;
	json: string;
	/** Arguments that came as an object, all at once. */
	whole?: JsonRecord;
}

/** A piece of a call, its fields as loose as servers send them. */
interface Piece {
	readonly index: number | undefined;
	readonly id: string;
	readonly name: string;
	readonly json: string;
	readonly whole: JsonRecord | undefined;
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
			if (piece.whole) call.whole = piece.whole;
		}
	}

	/**
	 * The calls, in the order in which they began. An id that is missing, or in `taken`, is replaced. `isCut`: the answer ended
	 * before its time, and so maybe the last call.
	 */
	calls(taken: ReadonlySet<string>, isCut: boolean): ToolCall[] {
		const used = new Set(taken);
		return this.#calls.map((call, index) => {
			const id = used.has(call.id) || call.id === '' ? freeId(used) : call.id;
			used.add(id);
			return finished({ ...call, id }, isCut && index === this.#calls.length - 1);
		});
	}

	#begin(): Piecemeal {
		const call = { id: '', name: '', json: '' };
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

function readPiece({ index, id, function: called }: JsonRecord): Piece {
	const { name, arguments: input } = isRecord(called) ? called : {};
	return {
		index: typeof index === 'number' ? index : undefined,
		id: typeof id === 'string' ? id : '',
		name: typeof name === 'string' ? name : '',
		json: typeof input === 'string' ? input : '',
		whole: isRecord(input) ? input : undefined,
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

/** Nine letters and digits, which is all that some servers take for an id. */
function freeId(used: ReadonlySet<string>): string {
	for (let number = used.size + 1; ; number++) {
		const id = `call${String(number).padStart(5, '0')}`;
		if (!used.has(id)) return id;
	}
}

/** Whether nothing can be added to a call's arguments. */
function isWhole({ json, whole }: Piecemeal): boolean {
	if (whole !== undefined) return true;
	if (!json.endsWith('}')) return false;
	try {
		return isRecord(JSON.parse(json));
	} catch {
		return false;
	}
}
