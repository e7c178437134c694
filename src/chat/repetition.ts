import { callToolName, unwrappedCall } from '../discovery/callTool.ts';
import { fingerprintOf } from '../discovery/fingerprint.ts';
import { resultText, type ToolResult } from '../discovery/toolResult.ts';
import type { ToolCall } from '../models/chatModel.ts';

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
			return { call: as, key: fingerprintOf([as.name, as.input]), text, failed: result?.isError === true };
		});
		if (made.some(({ key, failed }) => !failed && !this.#answers.has(key))) this.#times.clear();
		// What one answer asks for several times is meant so, and once in a circle.
		const once = new Map(made.map((one) => [one.key, one]));
		for (const { key, text } of once.values()) {
			const isSame = this.#answers.get(key) === text;
			this.#times.set(key, isSame ? (this.#times.get(key) ?? 0) + 1 : 1);
			this.#answers.set(key, text);
		}
		return made.find(({ key }) => (this.#times.get(key) ?? 0) >= maxIdenticalCalls)?.call;
	}
}

/** The call that a model means, where it goes through the synthetic tool that calls others. */
function meant(call: ToolCall): ToolCall {
	const inner = call.name === callToolName ? unwrappedCall(call.input) : undefined;
	return inner?.ok ? { ...call, name: inner.name, input: inner.input } : call;
}
