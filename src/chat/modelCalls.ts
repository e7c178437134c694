import { shortHash } from '../common/json.ts';
import { cut } from '../common/text.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import { callToolName, unwrappedCall } from '../discovery/catalog/syntheticTool.ts';
import { resultText, type ToolResult } from '../discovery/catalog/tool.ts';
import { inputFault } from '../models/wireCalls.ts';

/** Characters of a tool's name: providers take no more back than this. */
const longestName = 128;

/**
 * The calls of one answer as they can be run, kept in the conversation and told of: each with an id of its own, a name and an object of
 * arguments. A call that lacks one of these, as models and providers make mistakes, gets a fault: it is answered and not run, and no later
 * code has to check for it. Of calls with one id only the first is run: nobody can tell whether the others are meant, or came twice.
 */
export function validCalls(calls: readonly ToolCall[]): ToolCall[] {
	const taken = new Set<string>();
	const given = new Set(calls.map(({ id }) => id));
	const free = freeIds((one) => taken.has(one) || given.has(one));
	return calls.map((call, index) => {
		const {
			id: written,
			name: called,
			input,
		}: Readonly<Record<keyof ToolCall, unknown>> = { fault: '', ...call };
		const isNamed = typeof called === 'string' && called.length <= longestName;
		const name = isNamed ? called : cut(typeof called === 'object' ? 'unnamed' : String(called), longestName);
		const isDoubled = typeof written === 'string' && taken.has(written);
		const id = typeof written === 'string' && written !== '' && !isDoubled ? written : free(written, index);
		taken.add(id);
		const fault =
			call.fault ?? (isDoubled && written !== '' ? doubled : isNamed ? inputFault(input) : nameless);
		return fault === undefined ? { id, name, input: call.input } : { id, name, input: {}, fault };
	});
}

const doubled =
	'This call had the id of another one in the same answer, so it was not run. If it is meant, make it again by itself.';
const nameless = `A tool's name is a text of at most ${longestName} characters.`;

/** Gives ids that no call has, such as `call-2`. It goes on from the number that it gave last, since an answer may have any number of calls. */
function freeIds(isTaken: (id: string) => boolean): (written: unknown, index: number) => string {
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

/** So many calls of one tool with the same input and the same result, while nothing else comes of the turn, end it. */
export const maxIdenticalCalls = 3;

/**
 * Sees whether a model goes in circles. To call something again is no circle where the turn gets on in between: where another call, not
 * made before, succeeds, or where the same call has another answer than before, as when something is waited for.
 */
export class Repetition {
	readonly #answers = new Map<string, string>();
	readonly #times = new Map<string, number>();

	/** Takes the calls of one round with their results, in the same order; returns the call that goes in circles, as it is meant. */
	after(calls: readonly ToolCall[], results: readonly ToolResult[]): ToolCall | undefined {
		const made = calls.map((call, i) => {
			const as = meant(call);
			const result = results[i];
			const text = result ? resultText(result) : '';
			return { call: as, key: shortHash([as.name, as.input]), text, failed: result?.isError === true };
		});
		if (made.some(({ key, failed }) => !failed && !this.#answers.has(key))) this.#times.clear();
		// A call that one answer makes several times is meant several times, so it counts as one step of a circle.
		const once = new Map(made.map((one) => [one.key, one]));
		for (const { key, text } of once.values()) {
			const isSame = this.#answers.get(key) === text;
			this.#times.set(key, isSame ? (this.#times.get(key) ?? 0) + 1 : 1);
			this.#answers.set(key, text);
		}
		return made.find(({ key }) => (this.#times.get(key) ?? 0) >= maxIdenticalCalls)?.call;
	}
}

/** The call that a model means: the one inside, where it uses the synthetic tool that calls others. */
function meant(call: ToolCall): ToolCall {
	const inner = call.name === callToolName ? unwrappedCall(call.input) : undefined;
	return inner?.ok ? { ...call, name: inner.name, input: inner.input } : call;
}
