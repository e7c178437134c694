import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { firstSentence } from '../../discovery/text.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';

/** What an action comes down to. `add` is said of new things, of text at the end of others, and of numbers. */
export type Deed = 'look' | 'make' | 'add' | 'append' | 'change' | 'remove' | 'send' | 'run';

const verbsOf: Readonly<Record<Deed, string>> = {
	look: `show list read search find get what which who whose when where how is are view display see look count fetch
		lookup describe browse query summarize compare retrieve return inspect check print open analyze scrape crawl
		extract geocode resolve echo calculate compute sum view ls cat tell`,
	make: 'create write make save store remember init draft generate build',
	add: 'add put attach',
	append: 'append prepend insert',
	change: `update edit change modify rename move copy replace set patch toggle enable disable assign merge rebase archive
		unarchive close reopen restore switch checkout pull push commit stage unstage stash tag approve revert reset complete
		finalize subscribe unsubscribe schedule reschedule import clone mark configure cherry-pick translate convert transfer
		cancel refund book order buy`,
	remove: 'delete remove drop clear erase destroy purge uninstall rm trash wipe unlink forget clean',
	send: 'send post reply publish share forward notify email mail',
	run: 'run execute trigger start stop launch invoke restart kill deploy',
};

const deeds: ReadonlyMap<string, Deed> = new Map(
	(Object.keys(verbsOf) as Deed[]).flatMap((deed) =>
		verbsOf[deed].split(/\s+/).map((verb) => [stem(verb), deed] as const),
	),
);

/** What a word does as a verb; `undefined` where it is none of the list. */
export function deedOf(word: string): Deed | undefined {
	return deeds.get(stem(word.toLowerCase()));
}

/** Words of a request that say nothing of what is wanted. */
const grammar: ReadonlySet<string> = new Set(
	`a an the this that these those some any all my your our its his her their it them me you i we us and or but as at by for from in
	into of off on onto out over to under inside up with within without via is are was were be been am do does did has have can could
	will would shall should may might must what which who whom whose when where why how called named titled saying says following please
	kindly just now then first also too very there here s t use using tool tools whole entire every each`.split(
		/\s+/,
	),
);

/** Whether a word only holds a sentence together. */
export function isGrammar(word: string): boolean {
	return grammar.has(word) || /^[a-z]$/.test(word);
}

/** The stems of a text's or an identifier's words: `channelId` and `channel_id` are `channel`, `id`. */
export function stemsOf(text: string): string[] {
	return tokenize(text).map(stem);
}

/** The words of an identifier run together, so that `file_path`, `filePath` and `File-Path` are one. */
export function compact(identifier: string): string {
	return tokenize(identifier).join('');
}

/** The verb that a request begins with: its first word that is no grammar, or a question word. */
export function verbOf(text: string): string | undefined {
	const words = tokenize(text);
	const first = words.find((word) => !isGrammar(word) || isQuestion(word));
	return first;
}

/** Whether a sentence that begins with this word asks what is, and wants nothing done. */
export function isQuestion(word: string): boolean {
	return /^(?:what|which|who|whose|when|where|how)$/.test(word);
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

/**
 * What a tool does, by the first verb of its name, else by the verb that its description begins with. A name that removes
 * anywhere (`list_delete`) is taken at its word. `undefined`: nothing says, so it may change anything.
 */
export function deedOfTool({
	name,
	description,
}: Pick<ToolDefinition, 'name' | 'description'>): Deed | undefined {
	const parts = tokenize(splitName(name).name).map((part) => deedOf(part));
	if (parts.includes('remove')) return 'remove';
	const named = parts.find((deed) => deed !== undefined);
	return named ?? deedOf(tokenize(firstSentence(description))[0] ?? '');
}

/** Deeds of tools that are as good as the one asked for. */
const alike: Readonly<Record<Deed, readonly Deed[]>> = {
	look: ['look'],
	make: ['make', 'add'],
	add: ['add', 'make', 'append', 'change', 'send'],
	append: ['append', 'add', 'change'],
	change: ['change', 'make', 'add', 'run'],
	remove: ['remove'],
	send: ['send', 'make', 'add'],
	run: ['run'],
};

/** Whether a tool may do what is asked for; one that says nothing of what it does may. */
export function mayDo(asked: Deed | undefined, does: Deed | undefined): boolean {
	if (does === undefined) return true;
	if (asked === undefined) return does !== 'remove';
	return alike[asked].includes(does);
}
