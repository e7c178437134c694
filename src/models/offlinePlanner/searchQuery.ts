import { labelWords } from './alias.ts';
import type { Literal } from './prompt.ts';
import { readPrompt } from './prompt.ts';
import { namesIn } from './toolReference.ts';
import { actionVerbs, contentWords, wordsOf } from './words.ts';

/** What to search for, as the arguments of `search_tools`. */
export interface SearchArguments {
	readonly query: string;
	readonly tool_names?: readonly string[];
}

const operatorWords: Readonly<Record<string, string>> = {
	'+': 'sum of two numbers',
	'-': 'subtract two numbers',
	'−': 'subtract two numbers',
	'*': 'multiply two numbers',
	'×': 'multiply two numbers',
	'/': 'divide two numbers',
	'÷': 'divide two numbers',
};
const arithmeticTerm = /(?<![\w.-])\d+(?:\.\d+)?\s*([-+*×/÷−])\s*\d+(?:\.\d+)?(?![\w.-])/;
/** Politeness before the request: it would only be noise in a search. */
const politeLead =
	/^(?:(?:hi|hello|hey)[,!]?\s+)?(?:please\s+|can you\s+|could you\s+|would you\s+|i(?:'d| would) like (?:you )?to\s+|i want (?:you )?to\s+|help me (?:to )?)*/i;

/**
 * The user's words without the literals: "create a file called hello.txt with the text Hello" becomes "create a file".
 * A bare file, address or number leaves the word for what it is, since "read" alone finds anything.
 */
export function searchArguments(prompt: string): SearchArguments {
	const literals = readPrompt(prompt);
	const names = namesIn(prompt, literals);
	const arithmetic = arithmeticTerm.exec(prompt);
	const words = arithmetic
		? prompt.replace(arithmetic[0], operatorWords[arithmetic[1] ?? ''] ?? '')
		: withNouns(prompt, literals);
	const query = tidy(words);
	const isEmpty = contentWords(query).length === 0;
	const whole = prompt.trim();
	return { query: isEmpty ? whole : query, ...(names.length > 0 && { tool_names: names }) };
}

/** A second, wider search: every word of the prompt that carries meaning. `undefined` where it would find the same. */
export function widerQuery(prompt: string, first: string): string | undefined {
	const words = [...new Set(contentWords(prompt))];
	const isWider = words.some((word) => !wordsOf(first).includes(word));
	return isWider ? words.join(' ') : undefined;
}

/** Asks for the newest of something, of which tools speak as its history. */
const newestWords = /\b(?:last|latest|recent|newest)\b/i;

/** A second search for a request of "the last 3 commits", that the first found no complete call for. */
export function historyQuery(prompt: string, first: string): string | undefined {
	return newestWords.test(prompt) ? `${contentWords(first).join(' ')} history` : undefined;
}

function withNouns(prompt: string, literals: readonly Literal[]): string {
	const numbers = literals.filter(({ kind, label }) => kind === 'number' && label === undefined).length;
	const parts: string[] = [];
	const nouns: (Noun | undefined)[] = [];
	let at = 0;
	for (const literal of literals) {
		if (literal.strength === 'weak' || literal.start < at) continue;
		parts.push(prompt.slice(at, literal.start) + wordsOfLabel(literal, prompt));
		nouns.push(nounFor(literal, numbers));
		at = literal.end;
	}
	parts.push(prompt.slice(at));
	let known = parts.join(' ').toLowerCase();
	return parts.reduce((text, part, index) => {
		const noun = nouns[index - 1];
		if (!noun || noun.known.test(known)) return `${text} ${part}`;
		known += ` ${noun.word}`;
		return `${text} ${noun.word} ${part}`;
	});
}

/** "replace" leads a value and says what to do as well; so is a noun without "with": a message "hi". */
function wordsOfLabel({ label, start, kind, strength }: Literal, prompt: string): string {
	if (label === undefined) return '';
	const first = wordsOf(prompt.slice(start, start + label.length + 1))[0] ?? '';
	const isNoun = strength === 'phrase' && kind !== 'number' && first === label && labelWords.includes(label);
	return isNoun || actionVerbs.has(label) ? ` ${label}` : '';
}

/** A word for a kind of value, and what makes it superfluous. */
interface Noun {
	readonly word: string;
	readonly known: RegExp;
}

function nounFor({ kind, label, text }: Literal, numbers: number): Noun | undefined {
	if (kind === 'glob') return { word: 'files', known: /\bfiles?\b/ };
	if (label !== undefined && kind !== 'path') return undefined;
	if (kind === 'path') {
		const known = /\b(?:files?|folders?|director(?:y|ies)|paths?|repo(?:sitory)?|git|branch)\b/;
		return { word: /[\\/]$|^\.{0,2}$/.test(text) ? 'directory' : 'file', known };
	}
	if (kind === 'url') return { word: 'url', known: /\b(?:urls?|pages?|websites?|sites?|links?)\b/ };
	// One number may be anything (an issue, a count); several are what is calculated with.
	if (kind !== 'number' || numbers < 2) return undefined;
	return { word: numbers === 2 ? 'two numbers' : 'numbers', known: /\bnumbers?\b/ };
}

function tidy(text: string): string {
	return text
		.replace(/\s+/g, ' ')
		.trim()
		.replace(politeLead, '')
		.replace(/\s+([,.;:!?])/g, '$1')
		.replace(/[\s,.;:!?]+$/, '')
		.replace(/(?:[\s,]+(?:and|with|to|in|into|from|for|of|as|by|the|a|an))+$/i, '')
		.trim();
}
