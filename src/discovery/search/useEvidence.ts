import { getOrAdd, Memo, weakMemo } from '../../common/memo.ts';
import { masked, spansInText } from '../../common/secrets/secretSpans.ts';
import { looksRandom, nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { readQuery } from './byFields/queryWords.ts';
import { parseQuery } from './searchRequest.ts';
import { isStopWord, stem } from './words/analyzer.ts';
import { isService } from './words/services.ts';

/** A search whose words led to successful calls; tools as `server:tool`. Plain JSON. */
export interface SearchUse {
	/** Terms of its {@link wantedWords}. */
	readonly words: readonly string[];
	/** Called tools that the search found. */
	readonly found: readonly string[];
	/** Called tools that the search did not find. */
	readonly missed: readonly string[];
}

/** What one turn of a chat says about tools. Plain JSON. */
export interface TurnUse {
	readonly chat: string;
	/** Start, in milliseconds since 1970. */
	readonly at: number;
	readonly searches: readonly SearchUse[];
	/** Tools whose calls succeeded, in order. */
	readonly calls: readonly string[];
}

/** Letters of a word that is kept; longer ones are made up or several words. */
const maxWordLength = 30;

/** A word of a query and its term. */
export interface WantedWord {
	readonly text: string;
	readonly term: string;
}

/**
 * The distinct words of a query that say what is wanted: no small talk; nothing that looks like a secret or follows the name of one; no quotation, path,
 * address or number; and no capitalised name inside a sentence unless it is a service, because the next query will be about somebody else. Learning and
 * lookup use the same words.
 */
export function wantedWords(query: string): readonly WantedWord[] {
	return cachedWords.get(query, () => wordsIn(query));
}

/** Cached: a query is searched and then explained tool by tool. */
const cachedWords = new Memo<string, readonly WantedWord[]>(200);

/** Host names have dots between more than two parts; with fewer it may be a file or a library. */
const address = /[^\s.]\.[^\s.]+\.[^\s.]/;

/** A named value: a password may be a plain word. */
const namedValue = /([\w-]{1,40})(?:\s?[:=]\s?|\s{1,5}is\s{1,5})\S+/gi;

function wordsIn(query: string): readonly WantedWord[] {
	const open = masked(query, spansInText('', query))
		.replace(namedValue, (all, name: string) => (nameVerdict(name) === 'plain' ? all : name))
		.split(/\s+/)
		.filter((written) => !written.includes('***') && !address.test(written) && !looksRandom(written))
		.join(' ');
	const words = readQuery(parseQuery(open).text).words.filter(
		(word) =>
			word.manner === 'plain' &&
			(!word.isName || isService(word)) &&
			!isStopWord(word.text) &&
			!/\p{N}/u.test(word.text) &&
			word.text.length <= maxWordLength,
	);
	return [...new Map(words.map(({ text }) => [stem(text), { text, term: stem(text) }])).values()];
}

/** Weights. Chosen where the tuning halves gain in replays in several orders (`bench/figures/use.ts`). No set measures the last one, so it is small. */
const weights = {
	/** Gain for a word that always led to the tool, relative to the word's weight. */
	word: 0.4,
	/** Additive smoothing: a single observation counts half. */
	smoothing: 1,
	/** A called tool that the search had not found, relative to one it had. */
	missed: 0.7,
	/** Decay of a word's evidence for other tools each time it leads to one. */
	decay: 0.8,
	/** Bonus for a tool that always followed one the chat has used, as a share of its score. */
	follows: 0.1,
};

/** Evidence from which a word has led to a tool more than once, after any decay. */
const repeatedly = 1.2;
/** A word that has led to more tools than this says almost nothing about each. */
const maxTools = 30;
/** Weighted share of a query that must have led to a tool more than once to make the tool likely. */
const likelyShare = 0.5;
/** Cap for a tool supported by one word, relative to the best score from tools' own words. */
const justBelowBest = 0.999;

/** What past chats say about one tool for one query. */
export interface ToolUse {
	/** Added to its score. */
	readonly gain: number;
	/** Most of the words have led to it more than once. */
	readonly isLikely: boolean;
	/** Only one word of the query supports it. */
	readonly isOneWord: boolean;
}

/** What past chats of a workspace say about tools: which words led to them, and what was called after what. */
export class UseEvidence {
	/** Evidence by word, then by `server:tool`. */
	readonly #tools = new Map<string, Map<string, number>>();
	/** By tool: how often each tool was called next. */
	readonly #followers = new Map<string, Map<string, number>>();

	/** `turns`: oldest first. */
	private constructor(turns: readonly TurnUse[]) {
		const last = new Map<string, string>();
		for (const { chat, searches, calls } of turns) {
			for (const search of searches) this.#learn(search);
			for (const tool of calls) {
				const previous = last.get(chat);
				if (previous !== undefined && previous !== tool) add(this.#followers, previous, tool, 1);
				last.set(chat, tool);
			}
		}
	}

	/** Cached per list. */
	static readonly of = weakMemo((turns: readonly TurnUse[]) => new UseEvidence(turns));

	#learn({ words, found, missed }: SearchUse): void {
		for (const word of words) {
			const tools = this.#tools.get(word);
			for (const [tool, evidence] of tools ?? []) {
				if (!found.includes(tool) && !missed.includes(tool)) tools?.set(tool, evidence * weights.decay);
			}
			for (const tool of found) add(this.#tools, word, tool, 1);
			for (const tool of missed) add(this.#tools, word, tool, weights.missed);
		}
	}

	/**
	 * The tools that past chats support for a query, by `server:tool`. A word that led to many tools says little about each. `weightOf`: a term's
	 * weight.
	 */
	speaksFor(query: string, weightOf: (term: string) => number): ReadonlyMap<string, ToolUse> {
		const uses = new Map<string, { gain: number; repeated: number; words: number }>();
		let asked = 0;
		for (const { term } of wantedWords(query)) {
			const weight = weightOf(term);
			asked += weight;
			const tools = this.#tools.get(term);
			if (!tools || tools.size > maxTools) continue;
			const all = sum(tools) + weights.smoothing;
			for (const [tool, evidence] of tools) {
				const use = uses.get(tool) ?? { gain: 0, repeated: 0, words: 0 };
				use.gain += (weights.word * weight * evidence) / all;
				use.words++;
				if (evidence >= repeatedly) use.repeated += weight;
				uses.set(tool, use);
			}
		}
		const isMost = (weight: number) => weight > 0 && weight >= likelyShare * asked;
		return new Map(
			[...uses]
				// A single word seen once may be a coincidence.
				.filter(([, { words, repeated }]) => words > 1 || repeated > 0)
				.map(([tool, { gain, repeated, words }]) => [
					tool,
					{ gain, isLikely: isMost(repeated), isOneWord: words === 1 },
				]),
		);
	}

	/** The words of a query that support a tool, as written. */
	wordsFor(tool: string, query: string): readonly string[] {
		const evidenceOf = ({ term }: WantedWord) => this.#tools.get(term)?.get(tool) ?? 0;
		const words = wantedWords(query).filter((word) => evidenceOf(word) > 0);
		const speaks = words.length > 1 || words.some((word) => evidenceOf(word) >= repeatedly);
		return speaks ? words.map(({ text }) => text) : [];
	}

	/** Score factors after some tools were called or loaded, by `server:tool`; absent: 1. */
	after(others: readonly string[]): ReadonlyMap<string, number> {
		const factors = new Map<string, number>();
		for (const other of others) {
			const next = this.#followers.get(other) ?? none;
			const all = sum(next) + weights.smoothing;
			for (const [tool, times] of next) {
				factors.set(tool, Math.max(factors.get(tool) ?? 1, 1 + (weights.follows * times) / all));
			}
		}
		return factors;
	}
}

const none: ReadonlyMap<string, number> = new Map();

function sum(counts: ReadonlyMap<string, number>): number {
	return counts.values().reduce((all, one) => all + one, 0);
}

function add(counts: Map<string, Map<string, number>>, key: string, tool: string, count: number): void {
	const ofKey = getOrAdd(counts, key, () => new Map<string, number>());
	ofKey.set(tool, (ofKey.get(tool) ?? 0) + count);
}

/** A tool's score with past chats. `own`: from its own words; `best`: the best such score of any tool. */
export function scoreWithUse({ gain, isOneWord }: ToolUse, own: number, best: number): number {
	const score = own + gain;
	// A single word is too little to beat a tool that may have all words in its name.
	return isOneWord && best > 0 ? Math.max(own, Math.min(score, justBelowBest * best)) : score;
}
