import { randomInt } from 'node:crypto';
import type { ChatMessage, ToolCall, ToolCallResult } from '../discovery/catalog/message.ts';
import { errorResult } from '../discovery/catalog/tool.ts';
import { callsOf } from './answerParts.ts';

/** Characters of an id, at most: OpenAI's Chat Completions refuse longer ones (“Expected a string with maximum length 40”). */
const longestId = 40;
/** What all providers take; Anthropic's refuses any other. */
const legal = /^[A-Za-z0-9_-]+$/;

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Nine letters and digits, which is all that some servers take for an id (Mistral's). */
function newCallId(): string {
	return `c${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`;
}

/**
 * Gives the calls of one answer ids of our own: providers number theirs anew in each answer, give one id to several calls, or none. The
 * same call under the same id has been sent twice, and counts once.
 */
export class NewCalls {
	readonly #given = new Set<string>();

	/** A call that has arrived, under its new id; `undefined` where this very call has arrived before. `call.id`: the provider's. */
	add(call: ToolCall): ToolCall | undefined {
		const { id, name, input, fault } = call;
		const item = JSON.stringify([id, name, input, fault]);
		if (id !== '' && this.#given.has(item)) return undefined;
		this.#given.add(item);
		return { ...call, id: newCallId() };
	}
}

/**
 * Ids of calls as they go to a provider: at most 40 legal characters, and each once in a conversation. Given out in the order of the
 * conversation, they stay what they are while it grows.
 */
export class WireIds {
	readonly #given = new Set<string>();
	/** For each id that was wanted several times, the number that was added last, so that counting does not begin anew each time. */
	readonly #numbers = new Map<string, number>();

	/**
	 * The id on the wire of the next call, whose own id is `id`. `provider`: the id that this provider gave it; it is used again where
	 * possible, since models are trained on the form of their provider's ids. `isNamed`: something else that is sent back names the call by
	 * that id, so it is kept whatever its length.
	 */
	next(id: string, provider?: string, isNamed = false): string {
		const fits = provider && (isNamed || provider.length <= longestId) && !this.#given.has(provider);
		const free = fits ? provider : this.#free(id);
		this.#given.add(free);
		return free;
	}

	/** An id that no other call has: calls that other extensions made may have any id. */
	#free(id: string): string {
		const wanted = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longestId) || '_';
		let free = wanted;
		let n = this.#numbers.get(wanted) ?? 1;
		while (this.#given.has(free)) {
			const mark = `_${++n}`;
			free = wanted.slice(0, longestId - mark.length) + mark;
		}
		if (n > 1) this.#numbers.set(wanted, n);
		return free;
	}
}

/** Whether every provider takes an id as it is. */
export function isLegalId(id: string): boolean {
	return id.length <= longestId && legal.test(id);
}

/** A call with what it came to; `undefined`: there is no result. */
export interface AnsweredCall {
	readonly call: ToolCall;
	readonly result: ToolCallResult | undefined;
}

/**
 * The calls of the answer at `index`, each with its result among those that follow before anybody else speaks. Of two calls under one id,
 * which only another extension can have made, the second has the second result.
 */
export function answeredCalls(messages: readonly ChatMessage[], index: number): AnsweredCall[] {
	const message = messages[index];
	if (message?.role !== 'assistant') return [];
	const left = new Map<string, ToolCallResult[]>();
	for (let at = index + 1; ; at++) {
		const next = messages[at];
		if (next?.role !== 'tool') break;
		for (const result of next.results) {
			const same = left.get(result.callId);
			if (same) same.push(result);
			else left.set(result.callId, [result]);
		}
	}
	for (const same of left.values()) same.reverse();
	return callsOf(message.parts).map((call) => ({ call, result: left.get(call.id)?.pop() }));
}

/** Stands in for the result of a call that has none: providers refuse a conversation in which one is missing. */
export function missingResult({ id }: ToolCall): ToolCallResult {
	return { callId: id, result: errorResult('There is no result: the call was not made, or was stopped.') };
}
