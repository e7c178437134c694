import { tokenize } from '../../discovery/search/words/tokenizer.ts';

/** How people say what the verbs in names of tools mean; `{}`: what it is done to. English, as the names are. */
const everyday: Readonly<Record<string, string>> = {
	add: 'put in more {}',
	copy: 'I want the same {} twice',
	create: 'set up fresh {}',
	delete: 'get rid of the {}',
	edit: 'make changes in the {}',
	fetch: 'bring me the {}',
	find: 'where can I see the {}',
	get: 'let me have the {}',
	list: 'which {} are there',
	move: 'put the {} somewhere else',
	open: 'have a look at the {}',
	read: 'what is in the {}',
	remove: 'take the {} away',
	rename: 'call the {} something else',
	run: 'set the {} going',
	search: 'look around for {}',
	send: 'pass on {}',
	set: 'make the {} something else',
	show: 'let me see the {}',
	update: 'bring the {} up to date',
	write: 'put something into the {}',
};

/** A need in everyday words. */
export interface EverydayQuery {
	/** Of the tool's name. */
	readonly verb: string;
	readonly query: string;
}

/** The name of a tool as a query in everyday words; nothing where its verb is none that is known, or nothing follows it. */
export function everydayQuery(name: string): EverydayQuery | undefined {
	const words = tokenize(name);
	const at = words.findIndex((word) => Object.hasOwn(everyday, word));
	const verb = words[at] ?? '';
	const object = words.slice(at + 1).join(' ');
	const phrase = everyday[verb];
	return at < 0 || phrase === undefined || object === ''
		? undefined
		: { verb, query: phrase.replace('{}', () => object) };
}
