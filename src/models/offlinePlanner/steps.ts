import { maxSteps } from './limits.ts';
import { kindOf } from './literal.ts';
import { type Literal, readPrompt } from './prompt.ts';
import { toolReferences } from './toolReference.ts';
import { actionVerbs, wordsOf } from './words.ts';

/** A prompt as one request after another. */
export interface Plan {
	/** At most {@link maxSteps}, at least one; the text of each in the user's words. */
	readonly steps: readonly string[];
	/** What the prompt asked for beyond that. */
	readonly leftOut: readonly string[];
}

const stepBreak = /[\s,;.]+(?:and\s+)?(?:then|after\s+that|afterwards)[,:]?\s+/giu;
/** Words, beside verbs, that a further request begins with. */
const requestLeads: ReadonlySet<string> = new Set(
	'what which who where how is are git please finally'.split(' '),
);
/** A pronoun for the file that a step before worked on. */
const pronoun = /\b(?:it|that file|this file|the same file|the new file)\b(?!['’])/iu;

/** Splits "first … and then …"; what stands in quotes or after `key=` is not looked at. */
export function splitSteps(prompt: string): Plan {
	const literals = readPrompt(prompt).filter(isClosed);
	const texts: string[] = [];
	let at = 0;
	for (const match of prompt.matchAll(stepBreak)) {
		if (literals.some(({ start, end }) => match.index >= start && match.index < end)) continue;
		// "… with the text now and then": without a verb behind it, "then" is only a word.
		if (!isRequest(prompt.slice(match.index + match[0].length))) continue;
		const text = prompt.slice(at, match.index);
		if (wordsOf(text).length === 0) continue;
		texts.push(text);
		at = match.index + match[0].length;
	}
	texts.push(prompt.slice(at));
	const steps = texts.map((text, index) =>
		index === 0 && texts.length > 1 ? text.replace(/^\s*first,?\s+/i, '') : text,
	);
	const asked = withoutPronouns(steps.map((step) => step.trim()).filter((step) => wordsOf(step).length > 0));
	return { steps: asked.length > 0 ? asked.slice(0, maxSteps) : [prompt], leftOut: asked.slice(maxSteps) };
}

function isRequest(text: string): boolean {
	const first = /^\S+/.exec(text)?.[0] ?? '';
	const [word = ''] = wordsOf(first);
	return actionVerbs.has(word) || requestLeads.has(word) || toolReferences(first).length > 0;
}

/** Where quotes, brackets or `key=` say where the value ends; free text ends at the next "then". */
function isClosed({ kind, strength }: Literal): boolean {
	return kind !== 'text' && strength !== 'weak';
}

/** "…, then read it": the pronoun becomes the last file named before. */
function withoutPronouns(steps: readonly string[]): readonly string[] {
	let file: string | undefined;
	return steps.map((step) => {
		const named = lastFile(step);
		const resolved =
			named === undefined && file !== undefined ? step.replace(pronoun, () => quoted(file ?? '')) : step;
		file = named ?? file;
		return resolved;
	});
}

function lastFile(step: string): string | undefined {
	return readPrompt(step).findLast(({ kind, label }) => kind === 'path' && label !== 'in')?.text;
}

function quoted(path: string): string {
	return /\s/.test(path) || kindOf(path) === undefined ? `"${path}"` : path;
}
