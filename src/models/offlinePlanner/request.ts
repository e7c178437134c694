import { readPrompt } from './prompt.ts';
import { searchArguments } from './searchQuery.ts';
import { type Verb, verbIn } from './verb.ts';
import { contentWords, singular } from './words.ts';

/** A request as tools are compared by it; read once, since there are many tools. */
export interface Request {
	readonly text: string;
	readonly verb: Verb | undefined;
	/** Words that carry meaning, values aside, in the singular; the verb is one. */
	readonly words: readonly string[];
	/** A file or folder stands in the request as such, or the word for one. */
	readonly namesFile: boolean;
}

const intoWords: ReadonlySet<string> = new Set(['to', 'into', 'onto', 'in']);
const fileNouns = ['file', 'folder', 'directory'];

/** Reads what a request asks for, as far as it tells tools apart. */
export function readRequest(text: string): Request {
	const { query } = searchArguments(text);
	const words = [...new Set(contentWords(query).map(singular))];
	const paths = readPrompt(text).filter(({ kind, strength }) => kind === 'path' && strength !== 'explicit');
	const verb = verbIn(query);
	// What is added to a file goes behind what it holds.
	const isAppended = verb?.class === 'add' && paths.some(({ label }) => intoWords.has(label ?? ''));
	return {
		text,
		verb: verb && isAppended ? { word: verb.word, class: 'append' } : verb,
		words,
		namesFile: paths.length > 0 || fileNouns.some((noun) => words.includes(noun)),
	};
}
