import { isRecord, type JsonRecord, parsedJson } from '../../../common/json.ts';
import type { ToolCall } from '../../../discovery/catalog/message.ts';
import { NewCalls } from '../../callIds.ts';
import { callFrom, textOf } from '../../wireCalls.ts';

/** A call whose pieces are arriving. */
interface Piecemeal {
	id: string;
	name: string;
	json: string;
	/** Length of `json` when it was last found to be incomplete. */
	brokenLength: number;
	/** Arguments that came as one object. */
	whole?: JsonRecord;
	extra: unknown;
}

/** A complete call, and what the provider expects back with it. */
export interface ArrivedCall {
	readonly call: ToolCall;
	/** The provider's id; may be empty. */
	readonly id: string;
	/** Gemini's signature of the call. */
	readonly extra: unknown;
}

type Piece = ReturnType<typeof readPiece>;

/**
 * Assembles calls from the pieces of a stream. According to the protocol `index` says to which call a piece belongs. But some servers omit it,
 * use the same one for every call, repeat the id in each piece, send it empty, or send a call, or its arguments, as a whole.
 */
export class CallAssembly {
	readonly #calls: Piecemeal[] = [];
	readonly #byIndex = new Map<number, Piecemeal>();

	/** Adds `delta.tool_calls` of one chunk. */
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
			call.extra ??= piece.extra;
		}
	}

	/** The calls in the order in which they began. `isCut`: the answer ended too early, so the last call may be incomplete. */
	calls(isCut: boolean): ArrivedCall[] {
		const calls = new NewCalls();
		return this.#calls.flatMap((written, index) => {
			const call = calls.add(finished(written, isCut && index === this.#calls.length - 1));
			return call ? [{ call, id: written.id, extra: written.extra }] : [];
		});
	}

	#begin(): Piecemeal {
		const call = { id: '', name: '', json: '', brokenLength: 0, extra: undefined };
		this.#calls.push(call);
		return call;
	}

	/** The call that a piece continues; `undefined` if it begins a new one. */
	#continued(piece: Piece): Piecemeal | undefined {
		const call = piece.index === undefined ? this.#calls.at(-1) : this.#byIndex.get(piece.index);
		return call && !begins(piece, call) ? call : undefined;
	}
}

/** Whether a piece begins a new call in the place of `call`: it has a name, and it cannot belong to `call`. */
function begins({ id, name, json, whole }: Piece, call: Piecemeal): boolean {
	if (name === '') return false;
	if (id !== '' && call.id !== '' && id !== call.id) return true;
	const hasArguments = whole !== undefined || json.trim() !== '';
	return (call.name !== '' && name !== call.name) || (hasArguments && isWhole(call));
}

function readPiece({ index, id, function: called, extra_content: extra }: JsonRecord) {
	const { name, arguments: input } = isRecord(called) ? called : {};
	return {
		index: typeof index === 'number' ? index : undefined,
		id: textOf(id),
		name: textOf(name),
		json: textOf(input),
		whole: isRecord(input) ? input : undefined,
		extra: extra ?? undefined,
	};
}

function finished({ id, name, json, whole }: Piecemeal, isCut: boolean): ToolCall {
	if (name === '') return { id, name: 'unnamed', input: {}, fault: 'The call names no tool. Make it again.' };
	return callFrom(id, name, whole ?? json, isCut);
}

/** Whether the arguments of a call are complete. */
function isWhole(call: Piecemeal): boolean {
	const { json, whole, brokenLength } = call;
	if (whole !== undefined) return true;
	// Parsing again only after the text has doubled keeps this linear, however many pieces come.
	if (!json.endsWith('}') || json.length < 2 * brokenLength) return false;
	const isObject = isRecord(parsedJson(json));
	if (!isObject) call.brokenLength = json.length;
	return isObject;
}
