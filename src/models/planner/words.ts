import { weakMemo } from '../../common/memo.ts';
import { firstSentence } from '../../common/text.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { isSmallTalk, isStopWord, stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';

function stemSet(words: string): ReadonlySet<string> {
	return new Set(words.split(/\s+/).map(stem));
}

/** What the name or the description of a tool begins with if it only reads. */
const reads =
	stemSet(`show list read search find get view display see look count describe browse query summarize compare
	retrieve return inspect check scrape crawl extract geocode resolve echo calculate compute sum status diff log blame tree directions`);
const removes = stemSet('delete remove drop clear erase destroy purge uninstall clean empty wipe');
/** Articles, pronouns, politeness, and prepositions that only connect a value: allowed in any request. */
const small: ReadonlySet<string> = new Set(
	`a an the this that these those my our your its i me we us you it them there please kindly can could would will want
	like thank thanks hi hello so in into inside to of from with for at on by about and as called named titled saying says text s`.split(
		/\s+/,
	),
);
/** Words of questions, and words that matter only for changes. */
const smallForReading: ReadonlySet<string> = new Set(
	`is are was were be been do does did has have any all every each whole entire also too now current currently
	here what which who whose when where how exactly just open print fetch give tell`.split(/\s+/),
);

/** Whether a word does not say what to do. */
export function isSmall(word: string, reading: boolean): boolean {
	return small.has(word) || (reading && smallForReading.has(word));
}

/** Whether a word asks to look at something. */
export function asksForReading(word: string): boolean {
	return smallForReading.has(word) || reads.has(stem(word));
}

/** A word's stem. People say "folder" where tools say "directory". */
export function termOf(word: string): string {
	return stem(/^(?:folders?|dirs?)$/.test(word) ? 'directory' : word);
}

/** The terms of a text's or an identifier's words: `channelId` and `channel_id` are `channel`, `id`. */
export function termsOf(text: string): string[] {
	return tokenize(text).map(termOf);
}

/** The terms of a tool. */
export interface ToolWords {
	readonly server: readonly string[];
	/** The name without the server's words. */
	readonly name: readonly string[];
	/** The first word of the description, and words of its first sentence after "or", "and" or a comma. */
	readonly verbs: readonly string[];
	/** The words of the first two sentences: later ones say how, and what the tool does not do. */
	readonly about: readonly string[];
	/** A tool only reads if its name or its description begins with such a word, and it removes nothing. */
	readonly onlyReads: boolean;
}

export const wordsOf = weakMemo(({ name: wireName, description }: ToolDefinition): ToolWords => {
	const parts = splitName(wireName);
	const server = termsOf(parts.server);
	const name = termsOf(parts.name).filter((word) => !server.includes(word));
	const begins = firstSentence(description).match(/(?<=^\s*|\b(?:or|and) |[,:] |\()\w+/g) ?? [];
	// In "deletes a file, never a folder" a word of a refusal stands where verbs do.
	const verbs = tokenize(begins.join(' ')).filter((word) => !isStopWord(word) && !isSmallTalk(word));
	const about = termsOf(description.split(/(?<=[.!?])\s/, 2).join(' '));
	const isRead = [name[0], about[0]].some((word) => word !== undefined && reads.has(word));
	const onlyReads = isRead && !name.some((word) => removes.has(word));
	return { server, name, verbs: verbs.map(termOf), about, onlyReads };
});

/** The server's and the tool's part of a wire name. */
export function splitName(wireName: string): { readonly server: string; readonly name: string } {
	const [, server = '', name = wireName] = /^(.+?)__(.*)$/s.exec(wireName) ?? [];
	return { server, name };
}

/** What parameters are for: words in their names, and words before a value for them. */
const roles = {
	place: {
		names: stemSet('path file filepath filename dir directory source destination cwd workdir'),
		labels: stemSet('file directory called'),
	},
	from: { names: stemSet('from origin source old src'), labels: stemSet('from') },
	to: { names: stemSet('to destination target new dest recipient'), labels: stemSet('to into as') },
	name: { names: stemSet('name title'), labels: stemSet('called named titled title') },
	text: {
		names: stemSet('text content message body comment description note markdown thought'),
		labels: stemSet('text content message body saying'),
	},
	address: { names: stemSet('url uri link href website email mail recipient to'), labels: stemSet('') },
};
const ids = stemSet('id gid ids key number');

/** Whether a parameter's name has a word for a role. An id has no other: `folderId` is no place. */
export function hasRole(name: string, role: keyof typeof roles | 'id'): boolean {
	const terms = termsOf(name);
	const isId = terms.some((term) => ids.has(term));
	return role === 'id' ? isId : !isId && terms.some((term) => roles[role].names.has(term));
}

/** Whether the word before a value says that it is for a parameter of this name: `channel` for `channel_id`, or `called` for `title`. */
export function isLabelOf(label: string, name: string): boolean {
	const term = termOf(label);
	const isOwn = termsOf(name).includes(term) && !ids.has(term);
	const all = Object.keys(roles) as (keyof typeof roles)[];
	return isOwn || all.some((role) => roles[role].labels.has(term) && hasRole(name, role));
}

/** Whether a place may follow a word. */
export function isPlaceWord(word: string): boolean {
	return /^(?:in|inside|at|of|from|to|into)$/.test(word);
}
