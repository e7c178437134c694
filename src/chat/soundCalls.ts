import { deepestInput, isNestedDeeper, isRecord } from '../discovery/record.ts';
import { cut } from '../discovery/text.ts';
import type { ToolCall } from '../models/chatModel.ts';

/** Characters of a tool's name: providers take no more back than this. */
const longestName = 128;

/**
 * The calls of one answer as they can be run, kept in the conversation and told of: each with an id of its own, a name and an object of
 * arguments. What is none of that gets a fault, so that it is answered and not run; models and providers err, and nothing behind this has
 * to expect it. Of calls with one id only the first is run: nobody can tell whether the others are meant, or came twice.
 */
export function soundCalls(calls: readonly ToolCall[]): ToolCall[] {
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

function inputFault(input: unknown): string | undefined {
	if (!isRecord(input))
		return 'The arguments must be an object, as the input schema of the tool asks for it.';
	return isNestedDeeper(input, deepestInput)
		? `The arguments are nested deeper than ${deepestInput} levels. Write them flatter.`
		: undefined;
}

/** Gives ids that nobody has. What was looked at once is not looked at again: an answer may have any number of calls. */
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
