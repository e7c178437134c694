import { Memo, weakMemo } from '../../common/memo.ts';
import { firstSentence } from '../../common/text.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';

function wordSet(words: string): ReadonlySet<string> {
	return new Set(words.split(/\s+/));
}

function stemSet(words: string): ReadonlySet<string> {
	return new Set(words.split(/\s+/).map(stem));
}

/** What the name or the description of a tool begins with if it only reads. */
const reads =
	stemSet(`show list read search find get view display see look count describe browse query summarize compare
	retrieve return inspect check scrape crawl extract geocode resolve echo calculate compute sum status diff log blame tree directions`);
const removes = stemSet('delete remove drop clear erase destroy purge uninstall clean empty wipe');
/** Other words with which people ask to read. */
const asksToRead = stemSet('open print fetch give tell what which who whose when where how is are');
/** Articles, pronouns, politeness, and prepositions that only connect a value: allowed in any request. */
const small =
	wordSet(`a an the this that these those my our your its i me we us you it them there please kindly can could would will want
	like thank thanks hi hello so in into inside to of from with for at on by about and as called named titled saying says text s`);
/** Words that matter only for changes. */
const smallForReading =
	wordSet(`is are was were be do does did has have any all every each whole entire also too now current currently
	here what which who whose when where how exactly just`);
/** Words that say how much, how often, where, or whether at all: no text of a tool explains them. */
const weighty =
	wordSet(`all any every each also too more most another other again only or one two both same first last instead top end
	beginning start bottom back up down out off over under above below after before when should
	not no never none without except but unless if until t`);

/** Whether a word does not say what to do. */
export function isSmall(word: string, reading: boolean): boolean {
	return small.has(word) || (reading && smallForReading.has(word));
}

/** Whether a word changes a request so that no tool explains it. */
export function isWeighty(word: string): boolean {
	return weighty.has(word);
}

/** Whether a word asks to look at something. */
export function asksForReading(word: string): boolean {
	return reads.has(stem(word)) || asksToRead.has(stem(word));
}

/** The stems of a text's or an identifier's words: `channelId` and `channel_id` are `channel`, `id`. */
export function stemsOf(text: string): string[] {
	return tokenize(text).map(stem);
}

/** The words of a tool. */
export interface ToolWords {
	readonly server: readonly string[];
	/** The name without the server's words. */
	readonly name: readonly string[];
	/** What the tool does: its name and the first sentence of its description. */
	readonly doing: readonly string[];
	/** Verbs: the first word of the name, the first word of the description, and words of its first sentence after "or", "and", a comma or a colon. */
	readonly verbs: readonly string[];
	/** Everything that says what the tool is about. */
	readonly about: readonly string[];
	/** A tool only reads if its name or its description begins with such a word, and it removes nothing. */
	readonly onlyReads: boolean;
}

/** The stems of a tool's words. */
export const wordsOf = weakMemo(({ name: wireName, description }: ToolDefinition): ToolWords => {
	const parts = splitName(wireName);
	const server = stemsOf(parts.server);
	const name = stemsOf(parts.name).filter((word) => !server.includes(word));
	const sentence = firstSentence(description);
	const doing = [...name, ...stemsOf(sentence)];
	const begins = sentence.match(/(?<=^\s*|\b(?:or|and) |[,:] |\()\w+/g) ?? [];
	const verbs = [...name.slice(0, 1), ...stemsOf(begins.join(' '))];
	// Later sentences say how, and what the tool does not do.
	const [first = '', second = ''] = description.split(/(?<=[.!?])\s/);
	const about = [...server, ...doing, ...stemsOf(`${first} ${second}`)];
	const isRead = [name[0], doing[name.length]].some((word) => word !== undefined && reads.has(word));
	return { server, name, doing, verbs, about, onlyReads: isRead && !name.some((word) => removes.has(word)) };
});

/** The server's and the tool's part of a wire name. */
export function splitName(wireName: string): { readonly server: string; readonly name: string } {
	const [, server = '', name = wireName] = /^(.+?)__(.*)$/s.exec(wireName) ?? [];
	return { server, name };
}

/** The purposes of parameters: words in their names, and words before a value for them. */
const roles = {
	place: [
		'path paths file filepath filename dir directory folder source destination cwd workdir',
		'path file dir directory folder called',
	],
	from: ['from origin source old src', 'from'],
	to: ['to destination target new dest recipient', 'to into as'],
	name: ['name title', 'called named titled title name'],
	text: [
		'text content message body comment description note markdown thought',
		'text content contents message body saying says',
	],
	address: ['url uri link href website email mail recipient to', ''],
	id: ['id gid ids key number', ''],
} as const;
export type Role = keyof typeof roles;
const allRoles = (Object.keys(roles) as Role[]).map((role) => {
	const [names, labels] = roles[role];
	return { role, names: stemSet(names), labels: wordSet(labels) };
});

/** The roles of parameters, by their names: each name is compared with every value of a request. */
const rolesByName = new Memo<string, ReadonlySet<Role>>(10_000);

function rolesOf(name: string): ReadonlySet<Role> {
	return rolesByName.get(name, () => {
		const words = stemsOf(name);
		const all = allRoles.filter(({ names }) => words.some((word) => names.has(word)));
		const isId = all.some(({ role }) => role === 'id');
		return new Set(isId ? ['id'] : all.map(({ role }) => role));
	});
}

/** Whether a parameter's name has a word for a role. An id has no other: `folderId` is no place. */
export function hasRole(name: string, role: Role): boolean {
	return rolesOf(name).has(role);
}

/** Whether the word before a value says that it is for a parameter of this name. */
export function isLabelOf(label: string, name: string): boolean {
	return allRoles.some(({ role, labels }) => labels.has(label) && hasRole(name, role));
}

/** Whether a place may follow a word. */
export function isPlaceWord(word: string): boolean {
	return /^(?:in|inside|at|of|from|to|into)$/.test(word);
}
