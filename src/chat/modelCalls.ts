import { shortHash } from '../common/json.ts';
import { cut } from '../common/text.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import { callToolName, unwrappedCall } from '../discovery/catalog/syntheticTool.ts';
import { errorResult, resultText, type ToolResult } from '../discovery/catalog/tool.ts';
import { inputFault } from '../models/wireCalls.ts';
import type { CallAnswer } from './loopOptions.ts';

/** Maximum characters of a tool's name that providers accept in later requests. */
const maxNameCharacters = 128;

/**
 * Makes the calls of one answer safe to run, keep and show: each gets a unique id, a name and an object of arguments. A call without one of these
 * gets a fault: it is answered but not run, and later code need not check for it. Of several calls with the same id only the first is run:
 * the others may be intended, or may have been sent twice.
 */
export function validCalls(calls: readonly ToolCall[]): ToolCall[] {
	const usedIds = new Set<string>();
	const givenIds = new Set(calls.map(({ id }) => id));
	const free = freeIds((id) => usedIds.has(id) || givenIds.has(id));
	return calls.map((call, index) => {
		const {
			id: written,
			name: called,
			input,
		}: Readonly<Record<keyof ToolCall, unknown>> = { fault: '', ...call };
		const isNamed = typeof called === 'string' && called.length <= maxNameCharacters;
		const name = isNamed
			? called
			: cut(typeof called === 'object' ? 'unnamed' : String(called), maxNameCharacters);
		const isDoubled = typeof written === 'string' && usedIds.has(written);
		const id = typeof written === 'string' && written !== '' && !isDoubled ? written : free(written, index);
		usedIds.add(id);
		const fault =
			call.fault ?? (isDoubled && written !== '' ? doubled : isNamed ? inputFault(input) : nameless);
		return fault === undefined ? { id, name, input: call.input } : { id, name, input: {}, fault };
	});
}

const doubled =
	'This call had the same id as another call in this answer, so it was not run. If you need it, call it again.';
const nameless = `A tool name has at most ${maxNameCharacters} characters.`;

/** Makes unused ids, such as `call-2`. It continues from the last number, because an answer may have any number of calls. */
function freeIds(isTaken: (id: string) => boolean): (id: unknown, index: number) => string {
	const numbers = new Map<string, number>();
	return (written, index) => {
		const base = typeof written === 'string' && written !== '' ? written : 'call';
		for (let number = Math.max(index + 1, numbers.get(base) ?? 0); ; number++) {
			const id = `${base}-${number}`;
			if (isTaken(id)) continue;
			numbers.set(base, number + 1);
			return id;
		}
	};
}

/**
 * Most calls of one answer that run. Users may ask for something with each of dozens of files or issues, and 100 calls fill an answer of 4,000
 * tokens. Models that run away make thousands: 3,451 in https://github.com/tya5/reyn/issues/1666. The first calls run, because a model that is
 * refused all of them makes them again and again (https://github.com/XiaomiMiMo/MiMo-Code/issues/2475).
 */
export const maxCalls = 100;

/** Results for the calls of an answer that do not run because there are too many. Short, since the model reads them with each request. */
export function resultsOverLimit(calls: readonly ToolCall[]): Map<ToolCall, CallAnswer> {
	const text = `Error: Not run: over the limit of ${maxCalls} calls`;
	return new Map(
		calls.slice(maxCalls).map((call, index) => {
			const advice = ` in one answer, which made ${calls.length}. Make the others in your next answers, if they are still needed.`;
			return [call, { result: errorResult(index === 0 ? text + advice : `${text}.`) }];
		}),
	);
}

/** This many calls of one tool with the same input and the same result end a turn that makes no other progress. */
export const maxIdenticalCalls = 3;

/**
 * Detects a model that goes in circles. A repeated call is not a loop if the turn made progress in between: another, new call succeeded, or the
 * same call had a different result, e.g. while it waits for something.
 */
export class Repetition {
	readonly #answers = new Map<string, string>();
	readonly #times = new Map<string, number>();

	/** Adds the calls of one round with their results, in the same order; returns the call that was repeated too often. */
	after(calls: readonly ToolCall[], results: readonly ToolResult[]): ToolCall | undefined {
		const answered = calls.map((call, i) => {
			const as = innerCall(call);
			const result = results[i];
			const text = result ? resultText(result) : '';
			return { call: as, key: shortHash([as.name, as.input]), text, failed: result?.isError === true };
		});
		if (answered.some(({ key, failed }) => !failed && !this.#answers.has(key))) this.#times.clear();
		// If one answer makes the same call several times, that is intended, and counts once.
		const once = new Map(answered.map((entry) => [entry.key, entry]));
		for (const { key, text } of once.values()) {
			const isSame = this.#answers.get(key) === text;
			this.#times.set(key, isSame ? (this.#times.get(key) ?? 0) + 1 : 1);
			this.#answers.set(key, text);
		}
		return answered.find(({ key }) => (this.#times.get(key) ?? 0) >= maxIdenticalCalls)?.call;
	}
}

/** The call that a model means: the inner one, if it uses the synthetic tool that calls others. */
function innerCall(call: ToolCall): ToolCall {
	const inner = call.name === callToolName ? unwrappedCall(call.input) : undefined;
	return inner?.ok ? { ...call, name: inner.name, input: inner.input } : call;
}
