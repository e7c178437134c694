import type { ToolDefinition } from '../../discovery/tool.ts';
import { searchArguments } from './searchQuery.ts';
import { actionVerbs, singular, stopWords, wordsOf } from './words.ts';

/** What an action does. `add` stands apart from `create` and `append`, since it is said of both, and of numbers. */
export type VerbClass = 'read' | 'create' | 'add' | 'append' | 'change' | 'delete' | 'send' | 'run';

/** A verb as the user wrote it, with what it asks for. */
export interface Verb {
	readonly word: string;
	readonly class: VerbClass;
}

const wordsOfClass: Readonly<Record<VerbClass, string>> = {
	read: `show list read search find get what which whats view display open count fetch look lookup see who where when how
		is are describe browse query summarize compare retrieve return inspect ls cat`,
	create: 'create write make save store remember init commit upload clone copy mkdir',
	add: 'add put',
	append: 'append prepend insert',
	change: `update edit change modify rename move replace set patch toggle enable disable assign merge rebase archive
		close reopen restore switch pull watch unwatch subscribe unsubscribe attach detach import install schedule configure`,
	delete: 'delete remove drop clear erase destroy purge uninstall rm trash wipe unlink',
	send: 'send post reply publish share forward notify push',
	run: 'run execute trigger start stop launch invoke restart kill deploy cancel',
};

const classes: ReadonlyMap<string, VerbClass> = new Map(
	(Object.keys(wordsOfClass) as VerbClass[]).flatMap((kind) =>
		wordsOfClass[kind].split(/\s+/).map((word) => [word, kind] as const),
	),
);
const determiners: ReadonlySet<string> = new Set('a an the my our your this that these those all'.split(' '));
/** Words without a verb among them after which a request counts as one without a verb. */
const maxWordsBeforeVerb = 3;

/** What the word does as a verb, in its plain form or the third person ("returns"). */
export function classOf(word: string): VerbClass | undefined {
	return classes.get(word) ?? classes.get(singular(word));
}

/** The verb that leads a request; `undefined` where there is none, or one that says nothing of what it changes. */
export function requestVerb(prompt: string): Verb | undefined {
	return verbIn(searchArguments(prompt).query);
}

/** The same of a request without its values. */
export function verbIn(query: string): Verb | undefined {
	const words = wordsOf(query);
	let others = 0;
	for (const [index, word] of words.entries()) {
		const kind = classes.get(word);
		const isNoun = determiners.has(words[index - 1] ?? '') && !stopWords.has(word);
		// "open an issue" creates one.
		if (word === 'open' && ['a', 'an'].includes(words[index + 1] ?? '')) return undefined;
		if (kind && !isNoun) return { word, class: kind };
		if (stopWords.has(word)) continue;
		others++;
		if (others > maxWordsBeforeVerb || (actionVerbs.has(word) && !isNoun)) return undefined;
	}
	return undefined;
}

/**
 * What a tool does, by the first verb of its name, else by the verb that its description begins with. A name that
 * deletes anywhere (`list_delete`) is taken at its word, and so is what follows "and" and "or" (`get_or_create`).
 */
export function toolVerb({ name, description }: Pick<ToolDefinition, 'name' | 'description'>) {
	const parts = wordsOf(name.replace(/^.+?__/, ''));
	const found = parts.map((part) => classes.get(part));
	if (parts.some((part) => ['delete', 'remove'].includes(part))) return 'delete';
	const joined = found.find(
		(kind, at) => kind && kind !== 'read' && ['and', 'or'].includes(parts[at - 1] ?? ''),
	);
	return joined ?? found.find((kind) => kind !== undefined) ?? classOf(wordsOf(description)[0] ?? '');
}

/** Whether what a tool does is what a request asks for. */
export type VerbFit = 'fits' | 'neutral' | 'conflicts';

/** Classes of tools that are as good as the request's own. */
const alike: Readonly<Record<VerbClass, readonly VerbClass[]>> = {
	read: [],
	create: ['add'],
	add: ['create', 'append'],
	append: ['add'],
	change: [],
	delete: [],
	send: [],
	run: [],
};

/**
 * Reading is done by reading only, deleting and appending only by what says so, and nothing is deleted unasked. What
 * changes something is not answered by reading, but `add` and `run` may be: "add 2 and 3", "run git status".
 */
export function verbFit(asked: VerbClass | undefined, does: VerbClass | undefined): VerbFit {
	if (asked !== undefined && does !== undefined && (asked === does || alike[asked].includes(does)))
		return 'fits';
	if (does === 'delete' || asked === 'delete' || asked === 'append') return 'conflicts';
	if (asked === 'read' && does !== undefined) return 'conflicts';
	const isReadingOnly = does === 'read' && asked !== undefined && !['add', 'run'].includes(asked);
	return isReadingOnly ? 'conflicts' : 'neutral';
}
