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
	return calls.map((call, index) => {
		const {
			id: written,
			name: called,
			input,
		}: Readonly<Record<keyof ToolCall, unknown>> = { fault: '', ...call };
		const isNamed = typeof called === 'string' && called.length <= longestName;
		const name = isNamed ? called : cut(String(called), longestName);
		const isDoubled = typeof written === 'string' && taken.has(written);
		const id =
			typeof written === 'string' && written !== '' && !isDoubled
				? written
				: freeId(written, index, (one) => taken.has(one) || given.has(one));
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

function freeId(written: unknown, index: number, isTaken: (id: string) => boolean): string {
	const base = typeof written === 'string' && written !== '' ? written : 'call';
	for (let number = index + 1; ; number++) {
		const id = `${base}-${number}`;
		if (!isTaken(id)) return id;
	}
}
