import { firstSentence } from '../../common/text.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { isSmallTalk, isStopWord, stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';

/** The kind of an action. `add` is for creating things, appending text and adding numbers, of which the last changes nothing. */
export type Deed = 'look' | 'make' | 'add' | 'change' | 'remove' | 'send' | 'run';

const verbsOf: Readonly<Record<Deed, string>> = {
	look: `show list read search find get view display see look count fetch lookup describe browse query summarize compare retrieve
		return inspect check print open analyze scrape crawl extract geocode resolve echo calculate compute sum ls cat tell
		what which who whose when where how`,
	make: 'create mkdir write make save store remember init initialize draft generate build put',
	add: 'add attach',
	change: `update edit change modify rename move mv copy cp replace set patch toggle enable disable assign merge rebase archive
		unarchive close reopen restore switch checkout pull push commit stage unstage stash tag approve revert reset complete
		finalize subscribe unsubscribe schedule reschedule import clone mark configure cherry-pick translate convert transfer
		cancel refund book order buy append prepend insert fork zip compress upload undo pay charge`,
	remove: 'delete remove drop clear erase destroy purge uninstall rm trash wipe unlink forget clean empty',
	send: 'send post reply publish share forward notify email mail',
	run: 'run execute trigger start stop launch invoke restart kill deploy',
};

const deeds: ReadonlyMap<string, Deed> = new Map(
	(Object.keys(verbsOf) as Deed[]).flatMap((deed) =>
		verbsOf[deed].split(/\s+/).map((verb) => [stem(verb), deed] as const),
	),
);

/** The kind of action that a word asks for as a verb; `undefined` where it is no known verb. A question ("what is") asks to look. */
export function deedOf(word: string): Deed | undefined {
	return deeds.get(stem(word.toLowerCase()));
}

/**
 * What a tool does, by the first verb of its name, else by the verb that its description begins with. A name that removes
 * anywhere (`list_delete`) is taken at its word. `undefined`: nothing says, so it may change anything.
 */
export function deedOfTool({
	name,
	description,
}: Pick<ToolDefinition, 'name' | 'description'>): Deed | undefined {
	const parts = tokenize(splitName(name).name).map(deedOf);
	if (parts.includes('remove')) return 'remove';
	return parts.find((deed) => deed !== undefined) ?? deedOf(tokenize(firstSentence(description))[0] ?? '');
}

/** For each kind of action that is asked for, the kinds of tools that can do it. */
const alike: Readonly<Record<Deed, readonly Deed[]>> = {
	look: ['look'],
	make: ['make', 'add'],
	add: ['add', 'make', 'change', 'send', 'look'],
	change: ['change', 'make', 'add', 'run'],
	remove: ['remove'],
	send: ['send', 'make', 'add'],
	run: ['run'],
};

/** Whether a tool may do what is asked for; one that says nothing of what it does may. */
export function mayDo(asked: Deed | undefined, does: Deed | undefined): boolean {
	if (does === undefined) return true;
	return asked === undefined ? does !== 'remove' : alike[asked].includes(does);
}

const grammar: ReadonlySet<string> = new Set(
	`his her him she he shall whom called named titled saying says following kindly inside under over too whole entire`.split(
		' ',
	),
);

/** Whether a word only holds a sentence together. */
export function isGrammar(word: string): boolean {
	if (grammar.has(word) || /^[a-z]$/.test(word)) return true;
	return (isStopWord(word) || isSmallTalk(word)) && deedOf(word) === undefined;
}

/** The stems of a text's or an identifier's words: `channelId` and `channel_id` are `channel`, `id`. */
export function stemsOf(text: string): string[] {
	return tokenize(text).map(stem);
}

/** What a parameter is for, as far as its name says. */
const roleNames = {
	place: 'path file filepath filename dir directory folder source destination cwd workdir',
	from: 'from origin source old src',
	to: 'to destination target new dest recipient',
	name: 'name title',
	text: 'text content message body comment description note markdown thought',
	query: 'query q search searchterm term pattern keyword question topic address',
	address: 'url uri link href website email mail recipient to',
	since: 'since after start from date',
	limit: 'limit count max maximum top head tail',
	revision: 'commit object target revision',
	id: 'id gid ids key number',
} as const;
export type Role = keyof typeof roleNames;
const roles = new Map(
	Object.entries(roleNames).map(([role, words]) => [role as Role, new Set(words.split(' ').map(stem))]),
);

/** Whether a parameter's name says that its value is such a thing. */
export function hasRole(name: string, role: Role): boolean {
	return stemsOf(name).some((word) => roles.get(role)?.has(word));
}

/** Words in front of a value that tell which role it has. */
const labels: readonly (readonly [Role, RegExp])[] = [
	['name', /^(?:called|named|titled|title|name)$/],
	['text', /^(?:text|contents?|message|body|saying)$/],
	['query', /^(?:for|about|matching|on)$/],
	['from', /^(?:from|replace|of)$/],
	['to', /^(?:to|into|as|with|there)$/],
];

/** The role of what stands behind a word. */
export function roleBehind(word: string): Role | undefined {
	return labels.find(([, label]) => label.test(word))?.[0];
}

/** Whether a place may stand behind a word. */
export function isPlaceWord(word: string): boolean {
	return /^(?:in|under|inside|at|of|from|to|into)$/.test(word);
}

/** The part of a wire name that is the server's, and the tool's own. */
export function splitName(wireName: string): { readonly server: string; readonly name: string } {
	const at = wireName.indexOf('__', 1);
	return at < 0
		? { server: '', name: wireName }
		: { server: wireName.slice(0, at), name: wireName.slice(at + 2) };
}

/** How people see a tool of which only the wire name is known: `server:tool`. */
export function readableName(wireName: string): string {
	const { server, name } = splitName(wireName);
	return server === '' ? name : `${server}:${name}`;
}
