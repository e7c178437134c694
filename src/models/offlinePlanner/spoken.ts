import { type Coerced, spelling } from './coerce.ts';
import type { Parameter } from './parameter.ts';
import type { Literal } from './prompt.ts';
import { singular, stopWords, wordsOf } from './words.ts';

/** Words that turn a flag off when they stand before it. */
const negations: ReadonlySet<string> = new Set(['no', 'not', 'without', 'skip', 'dont', 'disable']);
/** First words of a flag's name that a person leaves out or puts as "with". */
const flagPrefixes: ReadonlySet<string> = new Set([
	'include',
	'is',
	'use',
	'show',
	'with',
	'enable',
	'allow',
	'should',
]);

/** A choice or a flag that the user names in plain words: `a success message`, `with image`, `without dry run`. */
export function spokenValue(
	parameter: Parameter,
	prompt: string,
	used: readonly Literal[],
): Coerced | undefined {
	const words = wordsOf(without(prompt, used));
	if (parameter.choices) return choiceIn(words, parameter.choices);
	return parameter.types[0] === 'boolean' ? flagIn(words, parameter.name) : undefined;
}

/** The prompt with the ranges of the literals blanked. */
export function without(prompt: string, literals: readonly Literal[]): string {
	const ordered = [...literals].sort((a, b) => a.start - b.start);
	let text = '';
	let at = 0;
	for (const { start, end } of ordered) {
		if (start < at) continue;
		text += `${prompt.slice(at, start)} `;
		at = end;
	}
	return text + prompt.slice(at);
}

/** The one choice that occurs; of two where one holds the other, the longer; of two others, none. */
function choiceIn(words: readonly string[], choices: readonly unknown[]): Coerced | undefined {
	const text = ` ${words.join(' ')} `;
	const found = choices
		.map((choice) => ({ choice, spelled: wordsOf(spelling(choice)).join(' ') }))
		.filter(({ spelled }) => spelled !== '' && text.includes(` ${spelled} `));
	const longest = found.filter(
		({ spelled }) => !found.some((other) => other.spelled !== spelled && other.spelled.includes(spelled)),
	);
	const [first, second] = longest;
	return first && !second ? { value: first.choice } : undefined;
}

/** True where the name's words occur in a row (articles between do not count), false behind a negation. */
function flagIn(words: readonly string[], name: string): Coerced | undefined {
	const all = wordsOf(name).map(singular);
	const isPrefixed = all.length > 1 && flagPrefixes.has(all[0] ?? '');
	const said = words
		.filter((word) => negations.has(word) || !['a', 'an', 'the', 'its'].includes(word))
		.map(singular);
	const at =
		findRow(said, all) ??
		(isPrefixed ? findRow(said, all.slice(1), 'with', 'without', 'include', 'no') : undefined);
	if (at === undefined || (all.length === 1 && stopWords.has(all[0] ?? ''))) return undefined;
	return { value: !negations.has(said[at - 1] ?? '') };
}

/** Where `row` begins in `words`, behind one of `leads` if any are given. */
function findRow(
	words: readonly string[],
	row: readonly string[],
	...leads: readonly string[]
): number | undefined {
	if (row.length === 0) return undefined;
	const at = words.findIndex(
		(_, index) =>
			row.every((word, offset) => words[index + offset] === word) &&
			(leads.length === 0 || leads.includes(words[index - 1] ?? '')),
	);
	return at < 0 ? undefined : at;
}
