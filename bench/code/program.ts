import { parsedJson, type RecordedCall, type Recording, type Round } from './recording.ts';

/**
 * How much a program is trusted to do without the model.
 *
 * `conservative`: a program makes a call only if the model knew the arguments when it wrote the program, or if the program can take
 * them from an earlier result without a choice and without guessing the form of that result, and if the model did not say that it
 * reacted to what it had read. Whatever the model used later, the program returns.
 *
 * `optimistic`: a program makes every call whose arguments are no long text written from results, tools are searched for before it,
 * and it returns just the lines that the model used later.
 */
export type Bound = 'conservative' | 'optimistic';

/** What joins calls: a program, which passes results on, or several calls in one answer, which need no code mode. */
export type Way = 'program' | 'parallel';

/** Calls in consecutive rounds that one answer of the model can make. */
export interface JoinedRound {
	readonly kind: 'joined';
	readonly text: string;
	readonly calls: readonly RecordedCall[];
	/** What the model gets to read of each call's result. */
	readonly returned: readonly string[];
	/** Source of the program; absent for parallel calls. */
	readonly script?: string;
}

export type PlannedRound = { readonly kind: 'recorded'; readonly round: Round } | JoinedRound;

/** Where the value of an argument comes from, as far as words tell. */
type Origin =
	/** The model had seen every word of it before it would write the program. */
	| { readonly kind: 'given' }
	/** It occurs letter for letter in the result of an earlier call of the program. `isChoice`: not in its first element or line. */
	| { readonly kind: 'copied'; readonly from: number; readonly isChoice: boolean }
	/** Short, with words of such a result: tomorrow's date, from today's. */
	| { readonly kind: 'derived' }
	/** Long, with words of such a result: a report on what the model has read. */
	| { readonly kind: 'judged' }
	/** With words that occurred nowhere before. */
	| { readonly kind: 'invented' };

/** Longest value that a program may compute from a result, in characters. */
const derivedLength = 40;
/** Longest result that only confirms, in characters: the model does not need it to choose its next words. */
const confirmationLength = 200;

/** How calls are joined. */
export interface Joining {
	readonly bound: Bound;
	readonly way: Way;
	/** What programs return, if not by the same bound. */
	readonly returns?: Bound;
}

/** A recorded conversation with its calls joined where one answer could have made them. */
export function planned(recording: Recording, { bound, way, returns = bound }: Joining): PlannedRound[] {
	const plan: PlannedRound[] = [];
	const known = new Terms(recording.system, recording.question);
	const seenTools = new Set<string>();
	const { rounds } = recording;
	for (let start = 0; start < rounds.length; ) {
		const { steps, searches, next } = joinable(rounds, start, { known, seenTools, bound, way });
		const taken = rounds.slice(start, next);
		const kept = steps.length > 1 ? searches : taken;
		plan.push(...kept.map((round) => ({ kind: 'recorded', round }) as const));
		if (steps.length > 1)
			plan.push(joined(steps, known, laterWords(recording, next), { bound, way, returns }));
		for (const { text, calls } of taken) {
			known.add(text, ...calls.flatMap(({ args, result }) => [JSON.stringify(args), result]));
			for (const call of calls) if (!call.isError) seenTools.add(toolOf(call));
		}
		start = next;
	}
	return plan;
}

interface Context {
	/** What the model has read and written before the program. */
	readonly known: Terms;
	/** Tools whose results the model has seen by then. */
	readonly seenTools: ReadonlySet<string>;
	readonly bound: Bound;
	readonly way: Way;
}

interface Step {
	readonly round: Round;
	readonly call: RecordedCall;
	readonly values: readonly { readonly value: string; readonly origin: Origin }[];
}

/** The longest run of rounds from `start` on that one answer could have made; `searches` are the searches among them. */
function joinable(rounds: readonly Round[], start: number, context: Context) {
	const steps: Step[] = [];
	const searches: Round[] = [];
	let waiting: Round[] = [];
	let next = start + 1;
	for (let i = start; i < rounds.length && !steps.some(({ call }) => hasFailed(call)); i++) {
		const round = rounds[i] as Round;
		if (round.calls.some(({ kind }) => kind === 'search')) {
			if (steps.length === 0 || context.bound === 'conservative') break;
			waiting.push(round);
			continue;
		}
		const further = furtherSteps(round, steps, waiting, context);
		if (!further) break;
		steps.push(...further);
		searches.push(...waiting);
		waiting = [];
		next = i + 1;
	}
	return { steps, searches, next };
}

/** A call that did not do what it should: the model must see the result to think of something else. Many servers do not set `isError`. */
function hasFailed({ isError, result }: RecordedCall): boolean {
	return isError || result.trim() === '' || failure.test(result);
}

const failure =
	/^\W*(error|failed|no matches|no results)\b|^search results:\s*$|: url error$|<error>page failed|"(success|found)": ?false|"(error|result)": ?"[^"]*(error|fail|invalid|not found|no )|"count": ?0\b|"results": ?\[\]/i;

/**
 * Words with which a model says that it reacts to what it has just read. They come from reading all programs that the other rules
 * allow: many of their calls were second attempts.
 */
const reaction =
	/\b(try|trying|instead|different|again|broader|more specific|however|but|not|\w+n't|seems?|i (can )?see|notice|truncated|issue|problem|fix|fail(ed)?|errors?)\b/i;

/** A round's calls as the next steps of a program; `undefined` where the model must first read a result. */
function furtherSteps(
	round: Round,
	steps: readonly Step[],
	searches: readonly Round[],
	context: Context,
): Step[] | undefined {
	if (steps.length > 0 && context.bound === 'conservative' && reaction.test(round.text)) return undefined;
	const results = searches.flatMap(({ calls }) => calls.map(({ result }) => result));
	const known = context.known.with(...results, ...steps.map(({ call }) => JSON.stringify(call.args)));
	const further = round.calls.map((call) => ({
		round,
		call,
		values: leavesOf(call.args).map((value) => ({ value, origin: originOf(value, known, steps) })),
	}));
	const values = further.flatMap((step) => step.values);
	const isFirst = steps.length === 0;
	return isFirst || values.every(({ origin }) => isMechanical(origin, steps, context)) ? further : undefined;
}

function originOf(value: string, known: Terms, steps: readonly Step[]): Origin {
	const unknown = termsOf(value).filter((term) => !known.has(term));
	if (unknown.length === 0) return { kind: 'given' };
	const results = steps.map(({ call }) => call.result);
	const from = results.findLastIndex((result) => result.includes(value.trim()));
	if (from >= 0) return { kind: 'copied', from, isChoice: isChoice(results[from] ?? '', value.trim()) };
	const read = new Terms(...results);
	if (!unknown.some((term) => read.has(term))) return { kind: 'invented' };
	return { kind: value.length <= derivedLength ? 'derived' : 'judged' };
}

function isMechanical(origin: Origin, steps: readonly Step[], { seenTools, bound, way }: Context): boolean {
	switch (origin.kind) {
		case 'given':
			return true;
		case 'copied': {
			if (way === 'parallel' || bound === 'optimistic') return way === 'program';
			const { call } = steps[origin.from] as Step;
			return !origin.isChoice && (jsonOf(call.result) !== undefined || seenTools.has(toolOf(call)));
		}
		case 'derived':
			return way === 'program' && bound === 'optimistic';
		case 'judged':
			return false;
		case 'invented':
			return bound === 'optimistic' || steps.every(({ call }) => call.result.length <= confirmationLength);
	}
}

function isChoice(result: string, value: string): boolean {
	const isInFirst = (node: unknown): boolean => {
		if (Array.isArray(node)) return node.length > 0 && isInFirst(node[0]);
		if (typeof node === 'object' && node !== null) return Object.values(node).some(isInFirst);
		return String(node).includes(value);
	};
	return !isInFirst(jsonOf(result) ?? result.split('\n')[0]);
}

/** Everything that the model wrote from a round on. */
function laterWords({ rounds, answer }: Recording, from: number): Terms {
	const later = rounds.slice(from);
	return new Terms(
		answer,
		...later.flatMap(({ text, calls }) => [text, ...calls.map(({ args }) => JSON.stringify(args))]),
	);
}

function joined(
	steps: readonly Step[],
	known: Terms,
	later: Terms,
	{ bound, way, returns }: Required<Joining>,
): JoinedRound {
	const calls = steps.map(({ call }) => call);
	const texts = [...new Set(steps.map(({ round }) => round))].map(({ text }) => text);
	// What the model said between the calls it says before them, or not at all.
	const text = bound === 'conservative' ? texts.join('\n') : (texts[0] ?? '');
	if (way === 'parallel') return { kind: 'joined', text, calls, returned: calls.map(({ result }) => result) };
	const used = returns === 'conservative' ? later.with(...texts.slice(1)) : later;
	const own = known.with(...calls.map(({ args }) => JSON.stringify(args)));
	const isUsed = (part: string) => termsOf(part).some((term) => used.has(term) && !own.has(term));
	const taken = new Set(
		steps.flatMap(({ values }) =>
			values.flatMap(({ origin }) => (origin.kind === 'copied' ? [origin.from] : [])),
		),
	);
	const returned = calls.map(({ result }, i) => {
		if (returns === 'optimistic') return usedLines(result, isUsed);
		if (!isUsed(result)) return taken.has(i) ? '' : result;
		const json = jsonOf(result);
		return json ? JSON.stringify(usedParts(json, isUsed)) : result;
	});
	return { kind: 'joined', text, calls, returned, script: scriptOf(steps, returned, bound) };
}

/** Sentences of a long line are taken by themselves. */
const longLine = 300;

function usedLines(text: string, isUsed: (part: string) => boolean): string {
	const json = jsonOf(text);
	const lines = (json ? JSON.stringify(json, null, 1) : text).split('\n');
	const parts = lines.flatMap((line) => (line.length > longLine ? line.split(/(?<=[.!?。] ?)/) : [line]));
	return parts.filter(isUsed).join('\n');
}

/** Fields of objects, and whole elements of lists, with a word that the model used later. */
function usedParts(node: unknown, isUsed: (part: string) => boolean): unknown {
	if (Array.isArray(node)) return node.filter((element) => isUsed(JSON.stringify(element)));
	if (typeof node !== 'object' || node === null) return node;
	const fields = Object.entries(node).filter(([key, value]) => isUsed(`${key} ${JSON.stringify(value)}`));
	return Object.fromEntries(fields.map(([key, value]) => [key, usedParts(value, isUsed)]));
}

/** A program as a model would write it, with a line for each value that it takes from a result and each result that it filters. */
function scriptOf(steps: readonly Step[], returned: readonly string[], bound: Bound): string {
	const lines = steps.flatMap(({ call, values }, i) => {
		let args = JSON.stringify(call.args);
		const assignments: string[] = [];
		for (const { value, origin } of values) {
			if (origin.kind !== 'copied' && origin.kind !== 'derived') continue;
			const from = `r${origin.kind === 'copied' ? origin.from : i - 1}`;
			args = args.replace(JSON.stringify(value), `value${i}`);
			assignments.push(`const value${i} = ${from}.items?.[0]?.id ?? /id: (\\S+)/.exec(${from})?.[1];`);
			if (bound === 'conservative')
				assignments.push(`if (!value${i}) throw new Error('No id in ' + ${from});`);
		}
		return [...assignments, `const r${i} = await ${call.server}.${call.tool}(${args});`];
	});
	const parts = returned.map((part, i) => {
		if (part === steps[i]?.call.result) return `r${i}`;
		if (part === '') return `ok${i}: true`;
		return bound === 'conservative'
			? `r${i}: r${i}.items.filter((item) => /this|that/i.test(item.title)).map(({ id, title, url }) => ({ id, title, url }))`
			: `r${i}: r${i}.split('\\n').filter((line) => /this|that/i.test(line))`;
	});
	return [...lines, `return { ${parts.join(', ')} };`].join('\n');
}

function toolOf({ server, tool }: RecordedCall): string {
	return `${server}:${tool}`;
}

function jsonOf(text: string): object | undefined {
	const value = /^\s*[[{]/.test(text) ? parsedJson(text) : undefined;
	return typeof value === 'object' && value !== null ? value : undefined;
}

/** The values of arguments, however deep. */
function leavesOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [String(value ?? '')];
	return Object.values(value).flatMap(leavesOf);
}

/** The words and numbers of a text, in lower case; those with one or two characters occur everywhere. */
function termsOf(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

/** The words of many texts. */
class Terms {
	readonly #terms = new Set<string>();

	constructor(...texts: readonly string[]) {
		this.add(...texts);
	}

	has(term: string): boolean {
		return this.#terms.has(term);
	}

	add(...texts: readonly string[]): void {
		for (const text of texts) for (const term of termsOf(text)) this.#terms.add(term);
	}

	/** A copy with the words of further texts. */
	with(...texts: readonly string[]): Terms {
		const both = new Terms(...texts);
		for (const term of this.#terms) both.#terms.add(term);
		return both;
	}
}
