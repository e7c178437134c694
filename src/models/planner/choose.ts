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
	isWeighty,
	splitName,
	stemsOf,
} from './words.ts';

/** A tool, the values that a step gives it, and everything that speaks against calling it. */
export interface Choice {
	readonly tool: ToolDefinition;
	readonly filling: Filling;
	/** Words that neither the tool nor a value explains. */
	readonly words: readonly string[];
	/** Values that the tool has no parameter for. */
	readonly values: readonly Literal[];
	/** Whether nothing speaks against it. */
	readonly isReady: boolean;
	/** Whether it can be called without a search: a tool that only reads needs so few words that another one may fit better. */
	readonly isSure: boolean;
}

/** How many tools are considered for a step, and how many are offered. */
const mostConsidered = 12;
const mostOffered = 3;
/** Sentences of a description that say what the tool does; later ones say how, and what it does not do. */
const usefulSentences = 2;
/** Lowest confidence of a tool that is offered. */
const offeredConfidence = 0.1;

/** The search query for a step: its words without its values, and what kind of thing these are. */
export function queryOf({ text, literals }: Pick<Sources, 'text' | 'literals'>): string {
	const values = literals.filter(
		({ kind, key, start }) => start < text.length && (kind !== 'word' || key !== undefined),
	);
	const parts = values.map((value, i) => {
		// "in this git repository" is about git, not in it.
		const words = text.slice(values[i - 1]?.end ?? 0, value.start);
		const lead = value.kind === 'here' ? words.replace(/\b(?:in|of|from|at)\s*$/i, '') : words;
		return `${lead} ${nounOf(value, values.length)} `;
	});
	const query = [...parts, text.slice(values.at(-1)?.end ?? 0)].join('');
	return query.replace(/["“”„«»`]|\s+/g, ' ').trim() || text.trim();
}

/** A noun in place of a value: "read" alone finds anything, "read file" what is meant. */
function nounOf({ kind, key, text, before: [label = ''] }: Literal, count: number): string {
	if (key !== undefined) return '';
	switch (kind) {
		case 'path':
		case 'glob':
			return /[\\/]$/.test(text) ? 'folder' : 'file';
		case 'date':
			return 'history';
		case 'here':
			return text.replace(/^here$/i, 'directory').replace(/^(?:this|the|my)\s+/i, '');
		case 'subject':
			return count === 1 && /^in(?:side)?$/.test(label) ? 'folder' : '';
		default:
			return '';
	}
}

/** The tools that come closest to a step, beginning with those that can be called. */
export function choose(tools: readonly ToolDefinition[], sources: Sources): readonly Choice[] {
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	const hits = index.search(queryOf(sources), { limit: mostConsidered, unlikely: true });
	const all = hits.map(({ tool, confidence = 1 }) => ({
		choice: judged(tool.definition, sources, index.explain(sources.text, tool)),
		isNear: confidence >= offeredConfidence,
	}));
	const isOld = ({ description }: ToolDefinition) => /\bdeprecated\b/i.test(description.slice(0, 200));
	const ready = all
		.filter(({ choice }) => choice.isReady)
		.toSorted((a, b) => Number(isOld(a.choice.tool)) - Number(isOld(b.choice.tool)));
	// A tool that changes something is never picked by chance from one of two servers.
	const servers = new Set(ready.map(({ choice }) => splitName(choice.tool.name).server));
	const isClear = servers.size < 2 || ready.some(({ choice }) => choice.filling.reading);
	const first = isClear ? ready : [];
	const rest = all.filter((one) => !first.includes(one) && (one.isNear || one.choice.isReady));
	return [
		...first.map(({ choice }) => choice),
		...rest.map(({ choice }) => ({ ...choice, isReady: false })),
	].slice(0, mostOffered);
}

/** Finds what speaks against calling a tool for a step: a value that is missing or left over, or a word that nothing explains. */
export function judged(
	tool: ToolDefinition,
	sources: Sources,
	matches: readonly WordMatch[],
	isNamed = false,
): Choice {
	const filling = fill(tool, sources);
	const { missing, used, reading } = filling;
	const left = sources.literals.filter((literal) => !used.includes(literal));
	// Something that only looks like a name may be a word of the tool's: "long-running".
	const isWord = ({ kind, key }: Literal) =>
		key === undefined && (kind === 'word' || kind === 'name' || kind === 'here');
	const values = left.filter((literal) => !isWord(literal));
	const said = left.filter(isWord).flatMap(({ text }) => tokenize(text));
	const content = said.filter((word) => !isEmpty(word, reading));
	const words = new ToolWords(tool, filling, said, matches);
	const unplaced = isNamed ? [] : [...new Set(said)].filter((word) => !words.explains(word));
	// A change needs its verb, and every noun in the tool's name.
	const isComplete = reading || (words.isMeant && (filling.said.length > 0 || words.isCalled(content)));
	const isReady =
		missing.length === 0 &&
		values.length === 0 &&
		unplaced.length === 0 &&
		(isNamed || (isComplete && content.length > 0));
	return { tool, filling, words: unplaced, values, isReady, isSure: isReady && (isNamed || !reading) };
}

/** The words of a tool's name and description, compared with those of a step. */
class ToolWords {
	/** Stems of the name. */
	readonly #own: ReadonlySet<string>;
	readonly #server: ReadonlySet<string>;
	/** Stems of the name and the first sentence: what the tool does. */
	readonly #doing: ReadonlySet<string>;
	/** Stems of everything that says what the tool is about. */
	readonly #about: ReadonlySet<string>;
	readonly #filling: Filling;
	readonly #said: readonly string[];
	/** The first word that means something. */
	readonly #verb: string;
	/** What search found for a word. */
	readonly #found: ReadonlyMap<string, WordMatch>;

	constructor(
		tool: ToolDefinition,
		filling: Filling,
		said: readonly string[],
		matches: readonly WordMatch[],
	) {
		const { server, name } = splitName(tool.name);
		const sentences = tool.description.split(/(?<=[.!?])\s/).slice(0, usefulSentences);
		this.#filling = filling;
		this.#said = said;
		this.#own = new Set(stemsOf(name));
		this.#server = new Set(stemsOf(server));
		this.#doing = new Set([...this.#own, ...stemsOf(firstSentence(tool.description))]);
		this.#about = new Set([...this.#own, ...this.#server, ...stemsOf(sentences.join(' '))]);
		const verb = said.find((word) => !isEmpty(word, false) && !this.#server.has(stem(word))) ?? '';
		this.#verb = verb;
		// "readme" resembles "read", but that only repeats what the verb found.
		const others = matches.filter(({ word, as = '' }) => word === verb || stem(as) !== stem(verb));
		this.#found = new Map(others.flatMap((match) => tokenize(match.word).map((word) => [word, match])));
	}

	/** Whether the tool, or the name of a filled parameter, accounts for a word. */
	explains(word: string): boolean {
		const { reading, used, said: parameters } = this.#filling;
		if (isEmpty(word, reading)) return true;
		const isVerb = word === this.#verb;
		const root = stem(word);
		const isLabel =
			used.some(({ before }) => before.slice(0, 2).includes(word)) &&
			parameters.some((parameter) => stemsOf(parameter).includes(root));
		if (reading) {
			// A tool that only looks at something does not change it.
			if (isVerb && !asksForReading(word)) return this.#own.has(root);
			if (isNegation(word)) return false;
			return asksForReading(word) || isLabel || this.#found.has(word) || this.#about.has(root);
		}
		if (isWeighty(word)) return false;
		if (isVerb) return isLabel || isSameVerb(word, this.#doing) || this.#doing.has(root);
		return isLabel || this.#about.has(root) || this.#isSynonym(word);
	}

	/** Whether a word is a synonym of a thing in the tool's name that the step does not mention otherwise. */
	#isSynonym(word: string): boolean {
		const { field, as = '' } = this.#found.get(word) ?? {};
		if (field !== 'name' && !this.#own.has(stem(word))) return false;
		return stemsOf(as).some((one) => this.#own.has(one) && !this.#said.some((other) => stem(other) === one));
	}

	/** Whether words are all from the tool's name, so that the step practically names it. */
	isCalled(content: readonly string[]): boolean {
		const isOfName = (word: string) =>
			this.#own.has(stem(word)) || this.#server.has(stem(word)) || isSameVerb(word, this.#own);
		return content.length > 1 && content.every(isOfName);
	}

	/** Whether the step mentions every noun in the tool's name: as a word, or by a value for such a thing. */
	get isMeant(): boolean {
		const { input, said } = this.#filling;
		const action = [...this.#own].find(isAction);
		const nouns = [...this.#own].filter(
			(word) => word !== action && !this.#server.has(word) && !isEmpty(word, true),
		);
		const roles = ['place', 'text', 'query', 'address'] as const;
		const isValue = (noun: string, parameter: string) =>
			(isRecord([input[parameter]].flat()[0]) && stemsOf(parameter).includes(noun)) ||
			roles.some((role) => hasRole(noun, role) && hasRole(parameter, role));
		return nouns.every(
			(noun) =>
				this.#said.some((word) => stem(word) === noun) || said.some((parameter) => isValue(noun, parameter)),
		);
	}
}
