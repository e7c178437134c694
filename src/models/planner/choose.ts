import { isRecord } from '../../common/json.ts';
import { firstSentence } from '../../common/text.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { type Filling, fill, type Sources } from './fill.ts';
import type { Literal } from './literals.ts';
import {
	asksForReading,
	hasRole,
	isAction,
	isEmpty,
	isNegation,
	isSameVerb,
	isVerb,
	isWeighty,
	type Role,
	splitName,
	stemsOf,
} from './words.ts';

/** A tool with what the step gives it, and what stands against calling it. */
export interface Choice {
	readonly tool: ToolDefinition;
	readonly filling: Filling;
	/** Words that nothing accounts for. */
	readonly words: readonly string[];
	/** Values that the tool has no parameter for. */
	readonly values: readonly Literal[];
	/** Whether nothing stands against it. */
	readonly isReady: boolean;
	/** Whether no search can find a better one: what only reads may be called by many words. */
	readonly isSure: boolean;
}

/** Tools that are looked at for a step, and those that are offered. */
const mostLookedAt = 12;
const mostOffered = 3;
/** Sentences of a description that say what the tool does; those behind them say how, and what it does not. */
const toldSentences = 2;
/** Confidence from which on a tool is offered. */
const nearEnough = 0.1;

/** The search's words for a step: what it says without its values, and what kind of thing these are. */
export function queryOf({ text, literals }: Pick<Sources, 'text' | 'literals'>): string {
	const values = literals.filter(
		({ kind, key, start }) => start < text.length && (kind !== 'word' || key !== undefined),
	);
	const parts = values.map((value, i) => {
		// "in this git repository" is about git, not in it.
		const said = text.slice(values[i - 1]?.end ?? 0, value.start);
		const lead = value.kind === 'here' ? said.replace(/\b(?:in|of|from|at)\s*$/i, '') : said;
		return `${lead} ${nounOf(value, text, values)} `;
	});
	const query = [...parts, text.slice(values.at(-1)?.end ?? 0)].join('');
	const said = query
		.replace(/\b(show|give|get|find|tell) me\b/i, '$1')
		.replace(/["“”„«»`]|\s+/g, ' ')
		.trim();
	return said || text.trim();
}

/** What stands for a value: "read" alone finds anything, "read file" what is meant. */
function nounOf(
	{ kind, key, text, before: [label = ''] }: Literal,
	step: string,
	all: readonly Literal[],
): string {
	if (key !== undefined) return '';
	switch (kind) {
		case 'path':
		case 'glob':
			if (/\b(?:files?|folders?|director(?:y|ies))\b/i.test(step)) return '';
			return /[\\/]$/.test(text) ? 'folder' : 'file';
		case 'date':
			return 'history';

		case 'here':
			return text.replace(/^here$/i, 'directory').replace(/^(?:this|the|my)\s+/i, '');
		case 'subject':
			return all.length === 1 && /^in(?:side)?$/.test(label) ? 'folder' : '';
		case 'name':
			return tokenize(text).length > 1 && /^[a-z-]+$/i.test(text) ? text : '';
		default:
			return '';
	}
}

/** The tools that come closest to a step, those that can be called first. */
export function choose(tools: readonly ToolDefinition[], sources: Sources): readonly Choice[] {
	const query = queryOf(sources);
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	// The name of a server that is there is no synonym of another's.
	const servers = new Set(tools.map(({ name }) => splitName(name).server.toLowerCase()));
	const hits = index.search(query, { limit: mostLookedAt, unlikely: true });
	const all = hits.map(({ tool, confidence = 1 }) => ({
		choice: judged(tool.definition, sources, index.explain(sources.text, tool), servers),
		isNear: confidence >= nearEnough,
	}));
	const ready = all.filter(({ choice }) => choice.isReady);
	// What changes something at one of two servers is not chosen by chance.
	const changed = new Set(ready.map(({ choice }) => splitName(choice.tool.name).server));
	const isClear = changed.size < 2 || ready.some(({ choice }) => choice.filling.reading);
	const offered = all.filter(({ choice, isNear }) => isNear || choice.isReady).map(({ choice }) => choice);
	const inOrder = ready.toSorted((a, b) => Number(isOld(a.choice.tool)) - Number(isOld(b.choice.tool)));
	const first = isClear ? inOrder.map(({ choice }) => choice) : [];
	const rest = offered.filter((choice) => !first.includes(choice));
	return [...first, ...rest.map((choice) => ({ ...choice, isReady: false }))].slice(0, mostOffered);
}

/** What speaks against calling a tool for a step: a value that is missing or left over, or a word that nothing accounts for. */
export function judged(
	tool: ToolDefinition,
	sources: Sources,
	matches: readonly WordMatch[],
	servers: ReadonlySet<string> = new Set(),
	isNamed = false,
): Choice {
	const filling = fill(tool, sources);
	const { missing, used, reading } = filling;
	const left = sources.literals.filter((literal) => !used.includes(literal));
	// What only looks like a name may be a word of the tool's: "long-running".
	const isWord = ({ kind, key }: Literal) =>
		key === undefined && (kind === 'word' || kind === 'name' || kind === 'here');
	const values = left.filter((literal) => !isWord(literal));
	const { server, name } = splitName(tool.name);
	const own = new Set(stemsOf(name));
	const summary = tool.description
		.split(/(?<=[.!?])\s/)
		.slice(0, toldSentences)
		.join(' ');
	const doing = new Set([...own, ...stemsOf(firstSentence(tool.description))]);
	const telling = new Set([...own, ...stemsOf(server), ...stemsOf(summary)]);
	const labels = new Set(used.flatMap(({ before }) => before.slice(0, 2)));
	const said = left.filter(isWord).flatMap(({ text }) => tokenize(text));
	const content = said.filter((word) => !isEmpty(word, reading));
	const verb = said.find((word) => !isEmpty(word, false) && !stemsOf(server).includes(stem(word))) ?? '';
	// "readme" is like "read", but that is what the verb has found already; and a phrase says nothing of the verb in it.
	const isOfVerb = ({ word, as = '' }: WordMatch) => word !== verb && stem(as) === stem(verb);
	const found = new Map(
		matches
			.filter((match) => !isOfVerb(match))
			.flatMap((match) => {
				const words = tokenize(match.word);
				return words
					.filter((word) => words.length === 1 || word !== verb)
					.map((word) => [word, match] as const);
			}),
	);
	const isKnown = (word: string): boolean => {
		if (isEmpty(word, reading)) return true;
		const field = found.get(word)?.field;
		const isName = own.has(stem(word)) || field === 'name';
		const isLabel =
			labels.has(word) && filling.said.some((parameter) => stemsOf(parameter).includes(stem(word)));
		const isLiteral =
			word === verb ? isSameVerb(word, doing) || doing.has(stem(word)) : telling.has(stem(word));
		// A synonym may stand for a thing that is not said otherwise, but what is done must be said by the tool itself.
		const as = stemsOf(found.get(word)?.as ?? '');
		const isSynonym =
			isName &&
			!servers.has(word) &&
			as.some((one) => own.has(one) && !said.some((other) => stem(other) === one));
		if (!reading)
			return !isWeighty(word) && (isLiteral || isLabel || field === 'server' || (word !== verb && isSynonym));
		// To change something is not done by looking at something of that name.
		if (word === verb && !asksForReading(word)) return own.has(stem(word));
		if (isNegation(word)) return false;
		return (
			asksForReading(word) || field !== undefined || telling.has(stem(word)) || labels.has(word) || isLabel
		);
	};
	const words = isNamed ? [] : [...new Set(said)].filter((word) => !isKnown(word));
	// To change something takes its verb, and all that the tool's name says it is done to.
	const roles: readonly Role[] = ['place', 'text', 'query', 'address'];
	const isMeant = (noun: string) =>
		said.some((word) => stem(word) === noun || found.get(word)?.as?.split(' ').map(stem).includes(noun)) ||
		filling.said.some(
			(parameter) =>
				(isRecord([filling.input[parameter]].flat()[0]) && stemsOf(parameter).includes(noun)) ||
				roles.some((role) => hasRole(noun, role) && hasRole(parameter, role)),
		);
	const action = [...own].find(isAction);
	const nouns = [...own].filter(
		(word) => word !== action && !stemsOf(server).includes(word) && !isEmpty(word, true),
	);
	// Where nobody gives a value, the tool is as good as named.
	const isCalled = content.every(
		(word) => [...own, ...stemsOf(server)].includes(stem(word)) || isSameVerb(word, own),
	);
	const isClear = filling.said.length > 0 || (content.length > 1 && isCalled);
	const isWhole = reading || (isVerb(verb) && isClear && nouns.every(isMeant));
	const isReady =
		missing.length === 0 &&
		values.length === 0 &&
		words.length === 0 &&
		(isNamed || (isWhole && content.length > 0));
	const isLiteral = content.every((word) => telling.has(stem(word)) || labels.has(word));
	const isSure = isReady && (isNamed || !reading || (own.has(stem(verb)) && isLiteral && !isOld(tool)));
	return { tool, filling, words, values, isReady, isSure };
}

/** Whether a tool says that another one is to be used instead. */
function isOld({ description }: ToolDefinition): boolean {
	return /\bdeprecated\b/i.test(description.slice(0, 200));
}
