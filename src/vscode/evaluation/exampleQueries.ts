import * as l10n from '@vscode/l10n';
import { firstSentence, folded, visible } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';

/** Everyday words for the verbs in names of tools; `{}` stands for the object. English, as the names are. */
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
interface EverydayQuery {
	/** Of the tool's name. */
	readonly verb: string;
	readonly query: string;
}

/** The name of a tool as a query in everyday words; absent where its verb is not known, or nothing follows it. */
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

/** Tools that the example asks for in their own words, and in others: one of each server as far as they go. */
const ownWords = 3;
const otherWords = 4;
const queryLength = 120;

/** A file of labelled queries to begin with, from what search must find easily to what it may well miss. */
export function exampleQueries(tools: readonly CatalogTool[]): string {
	const all = oneOfEach(tools);
	const own = all.slice(0, ownWords);
	const others = inEverydayWords([...all.slice(ownWords), ...own]).slice(0, otherWords);
	const [first, second] = others;
	return [
		`// ${l10n.t('Queries as you or a model would ask them, each with the tools that should be found for it.')}`,
		`// ${l10n.t('“Discovery: Evaluate Search…” tells how many are among the first five, and what may help the others.')}`,
		'[',
		comment(
			l10n.t('Easy: the tools’ own words. If search misses one of these, its description says too little.'),
		),
		...own.map((tool) => line(ownQuery(tool), [tool.id])),
		...(first
			? [comment(l10n.t('Harder: what people say who do not know the tools. Put your own words here.'))]
			: []),
		...others.map(({ tool, query }) => line(query, [tool.id])),
		...(first && second
			? [
					comment(l10n.t('Hardest: two needs at once. Both tools should be found.')),
					line(`${first.query}, and then ${second.query}`, [first.tool.id, second.tool.id]),
				]
			: []),
		comment(l10n.t('One need that either of two tools meets:')),
		'\t// { "query": "…", "tools": [["server:one", "server:other"]] },',
		comment(l10n.t('Something that no tool can do: nothing should be found.')),
		'\t{ "query": "order a pizza with extra cheese", "none": true }',
		']',
		'',
	].join('\n');
}

/** Tools with a query in everyday words, one for each verb. */
function inEverydayWords(tools: readonly CatalogTool[]) {
	const asked = tools.flatMap((tool) => {
		const everyday = everydayQuery(tool.name);
		return everyday ? [{ tool, ...everyday }] : [];
	});
	return [...Map.groupBy(asked, ({ verb }) => verb).values()].flatMap((its) => its.slice(0, 1));
}

function comment(text: string): string {
	return `\t// ${text}`;
}

function line(query: string, tools: readonly string[]): string {
	return `\t{ "query": ${JSON.stringify(query)}, "tools": ${JSON.stringify(tools).replaceAll('","', '", "')} },`;
}

function ownQuery({ name, description }: CatalogTool): string {
	return folded(visible(firstSentence(description ?? '') || name), queryLength);
}

function oneOfEach(tools: readonly CatalogTool[]): CatalogTool[] {
	const byServer = [...Map.groupBy(tools, ({ server }) => server).values()];
	const rounds = Math.max(0, ...byServer.map(({ length: count }) => count));
	return Array.from({ length: rounds }, (_, i) => byServer.flatMap((its) => its[i] ?? [])).flat();
}
