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

/** Verbs and nouns of tools that only read. */
const reads =
	stemSet(`show list read search find get view display see look count fetch lookup describe browse query summarize compare
	retrieve return inspect check scrape crawl extract geocode resolve echo calculate compute sum status diff log blame tree directions`);
/** Other words with which people ask to read. */
const asksToRead = stemSet('open print give tell what which who whose when where how is are');
/** Verbs that change something. A verb in neither list counts as changing something, too. */
const changes =
	stemSet(`create make write save store remember init initialize generate put add attach update edit change modify rename move
	copy replace set toggle enable disable assign merge rebase archive close reopen restore switch checkout pull push commit stage unstage
	stash tag approve revert reset complete cancel schedule reschedule import clone mark convert transfer refund order append prepend insert
	fork compress upload undo delete remove drop clear erase destroy purge uninstall clean empty send post reply publish share forward
	notify run execute trigger start stop launch invoke restart kill deploy book subscribe finalize`);
const removes = stemSet('delete remove drop clear erase destroy purge uninstall clean empty wipe');
/** Verbs with the same meaning in the name of a tool. */
const sameVerbs = [
	'create make remember',
	'edit replace',
	'delete remove',
	'send post',
	'run execute',
	'start launch',
].map(stemSet);

/** Whether a word may begin a request. */
export function isVerb(word: string): boolean {
	return asksForReading(word) || changes.has(stem(word));
}

/** Whether a word asks to look at something. */
export function asksForReading(word: string): boolean {
	return reads.has(stem(word)) || asksToRead.has(stem(word));
}

/** Whether a tool only reads, by the first verb of its name, else by the first word of its description. A tool that removes something never does. */
export function onlyReads({ name, description }: Pick<ToolDefinition, 'name' | 'description'>): boolean {
	const words = stemsOf(splitName(name).name);
	if (words.some((word) => removes.has(word))) return false;
	const verb = words.find((word) => reads.has(word) || changes.has(word));
	return reads.has(verb ?? stemsOf(firstSentence(description))[0] ?? '');
}

/** Whether a tool's name has a verb with the meaning of a word. */
export function isSameVerb(word: string, names: ReadonlySet<string>): boolean {
	return sameVerbs.some((verbs) => verbs.has(stem(word)) && [...verbs].some((verb) => names.has(verb)));
}

/** Whether a word of a tool's name is its verb. */
export function isAction(word: string): boolean {
	return reads.has(word) || changes.has(word);
}

/** Articles, pronouns, politeness, and prepositions that only connect a value: allowed in any request. */
const empty =
	wordSet(`a an the this that these those my our your its i me we us you it them there please kindly can could would will want
	like thank thanks hi hello so in into inside to of from with for at on by about and as called named titled called saying says text s`);
/** Words that matter only for changes. */
const emptyForReading =
	wordSet(`is are was were be do does did has have any all every each whole entire also too now current currently
	here what which who whose when where how exactly just`);
/** Words that no text of a tool explains. */
const negations = wordSet('not no never none without except but unless if until t');
/** The same for changes: they say how much, how often, or where. */
const weighty =
	wordSet(`all any every each also too more most another other again only or one two both same first last instead top end
	beginning start bottom back up down out off over under after before when should`);

/** Whether a word does not say what to do. */
export function isEmpty(word: string, reading: boolean): boolean {
	return empty.has(word) || (reading && emptyForReading.has(word));
}

/** Whether a word changes a request so that no tool explains it. */
export function isWeighty(word: string): boolean {
	return weighty.has(word) || negations.has(word);
}

/** Whether a word negates or restricts a request. */
export function isNegation(word: string): boolean {
	return negations.has(word);
}

/** The stems of a text's or an identifier's words: `channelId` and `channel_id` are `channel`, `id`. */
export function stemsOf(text: string): string[] {
	return tokenize(text).map(stem);
}

/** The purposes of parameters, by words in their names. */
const roleNames = {
	place: 'path paths file filepath filename dir directory folder source destination cwd workdir',
	from: 'from origin source old src',
	to: 'to destination target new dest recipient',
	name: 'name title',
	text: 'text content message body comment description note markdown thought',
	query: 'query q search searchterm term pattern keyword question topic address',
	address: 'url uri link href website email mail recipient to',
	since: 'since after start from date',
	limit: 'limit count max maximum top head tail',
	id: 'id gid ids key number',
} as const;
export type Role = keyof typeof roleNames;
const roles = new Map(
	Object.entries(roleNames).map(([role, words]) => [role as Role, stemSet(words)] as const),
);

/** Whether a parameter's name has a word for a role. */
export function hasRole(name: string, role: Role): boolean {
	return stemsOf(name).some((word) => roles.get(role)?.has(word));
}

/** Words before a value that determine its role. */
const labels: readonly (readonly [Role, RegExp])[] = [
	['name', /^(?:called|named|titled|title|name)$/],
	['text', /^(?:text|contents?|message|body|saying|says)$/],
	['query', /^(?:for|about|matching|on)$/],
	['from', /^(?:from|replace)$/],
	['to', /^(?:to|into|as|with|there)$/],
];

/** The role of the value after a word. */
export function roleBehind(word: string): Role | undefined {
	return labels.find(([, label]) => label.test(word))?.[0];
}

/** Whether a place may follow a word. */
export function isPlaceWord(word: string): boolean {
	return /^(?:in|inside|at|of|from|to|into)$/.test(word);
}

/** The server's and the tool's part of a wire name. */
export function splitName(wireName: string): { readonly server: string; readonly name: string } {
	const at = wireName.indexOf('__', 1);
	return at < 0
		? { server: '', name: wireName }
		: { server: wireName.slice(0, at), name: wireName.slice(at + 2) };
}

/** The name of a tool for people, from its wire name: `server:tool`. */
export function readableName(wireName: string): string {
	const { server, name } = splitName(wireName);
	return server === '' ? name : `${server}:${name}`;
}
