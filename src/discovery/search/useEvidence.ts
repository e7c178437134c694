import { Memo, weakMemo } from '../../common/memo.ts';
import { masked, spansInText } from '../../common/secrets/secretSpans.ts';
import { looksRandom, nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { readQuery } from './byFields/queryWords.ts';
import { certainty } from './confidence.ts';
import { parseQuery } from './searchRequest.ts';
import { isService, isStopWord, stem } from './words/analyzer.ts';

/** A search of a chat whose words led to calls that went well; tools by `server:tool`. Plain JSON. */
export interface SearchUse {
	/** Terms of its {@link wantedWords}. */
	readonly words: readonly string[];
	/** Tools that it found and that were called for it. */
	readonly found: readonly string[];
	/** Tools that were called for it although it had not found them. */
	readonly missed: readonly string[];
}

/** What one turn of a chat tells of tools. Plain JSON. */
export interface TurnUse {
	readonly chat: string;
	/** When it began, in milliseconds since 1970. */
	readonly at: number;
	readonly searches: readonly SearchUse[];
	/** Tools whose calls went well, in the order of the calls. */
	readonly calls: readonly string[];
}

/** Letters of a word that is kept; longer ones are made up, or are several words. */
const longestWord = 30;

/** A word of a query, and the term under which it is kept. */
export interface WantedWord {
	readonly text: string;
	readonly term: string;
}

/**
 * Words of a query that say what is wanted, each once: nothing that looks like a secret or stands under the name of one, no quotation, path,
 * address or number, no capitalised name in the middle of a sentence unless it is that of a service, for the next query will be about somebody
 * else, and no small talk. These words are learned from a query, and looked up when one is searched.
 */
export function wantedWords(query: string): readonly WantedWord[] {
	return wanted.get(query, () => wordsIn(query));
}

/** Of the last queries: a query is searched, and then explained tool by tool. */
const wanted = new Memo<string, readonly WantedWord[]>(200);

/** The name of a computer has dots between more than two parts; of fewer, it may be that of a file or a library. */
const address = /[^\s.]\.[^\s.]+\.[^\s.]/;

/** A value under its name: a password may be a plain word. */
const named = /([\w-]{1,40})(?:\s?[:=]\s?|\s{1,5}is\s{1,5})\S+/gi;

function wordsIn(query: string): readonly WantedWord[] {
	const open = masked(query, spansInText('', query))
		.replace(named, (all, name: string) => (nameVerdict(name) === 'plain' ? all : name))
		.split(/\s+/)
		.filter((written) => !written.includes('***') && !address.test(written) && !looksRandom(written))
		.join(' ');
	const words = readQuery(parseQuery(open).text).words.filter(
		(word) =>
			word.manner === 'plain' &&
			(!word.isName || isService(word)) &&
			!isStopWord(word.text) &&
			!/\p{N}/u.test(word.text) &&
			word.text.length <= longestWord,
	);
	return [...new Map(words.map(({ text }) => [stem(text), { text, term: stem(text) }])).values()];
}

/**
 * What counts how much. Chosen where the tuning halves gain that the bench replays in several orders (`bench/figures/use.ts`); the last has
 * no set that could tell, and so is small.
 */
const weights = {
	/** A word that always led to the tool, as a share of what the word counts at most. */
	word: 0.4,
	/** Evidence of one search besides: what led to a tool once counts half of what it can. */
	doubt: 1,
	/** A tool that the search had not found, and that was called all the same, as a share of one that it had. */
	missed: 0.7,
	/** What is left of a word's evidence for other tools each time that it leads to one. */
	kept: 0.8,
	/** What a tool gains that was always called after one that the chat has, as a share of its score. */
	next: 0.1,
};

/** Evidence from which on a word has led to a tool more than once, whatever came between. */
const repeatedly = 1.2;
/** A word that has led to more tools than this says next to nothing of each. */
const mostTools = 30;
/** Share of a query, by weight, that must have led to a tool more than once for the tool to be likely for that alone. */
const likelyShare = 0.5;
/** Score of a tool for which one word alone speaks, as a share of the best that the tools' own words give. */
const below = 0.999;

/** What past chats say of one tool for one query. */
export interface ToolUse {
	/** What its score gains. */
	readonly gain: number;
	/** How sure it is for that alone; 0 where most of the words have not led to it before, or once only. */
	readonly confidence: number;
	/** One word of the query alone speaks for it. */
	readonly isOneWord: boolean;
}

/** What past chats of a workspace say of tools: which words led to them, and what was called after what. */
export class UseEvidence {
	/** By word and `server:tool`. */
	readonly #tools = new Map<string, Map<string, number>>();
	readonly #next = new Map<string, Map<string, number>>();

	/** `turns`: the oldest first. */
	private constructor(turns: readonly TurnUse[]) {
		const last = new Map<string, string>();
		for (const { chat, searches, calls } of turns) {
			for (const search of searches) this.#learn(search);
			for (const tool of calls) {
				const before = last.get(chat);
				if (before !== undefined && before !== tool) add(this.#next, before, tool, 1);
				last.set(chat, tool);
			}
		}
	}

	/** Made once for a list. */
	static readonly of = weakMemo((turns: readonly TurnUse[]) => new UseEvidence(turns));

	#learn({ words, found, missed }: SearchUse): void {
		for (const word of words) {
			const tools = this.#tools.get(word);
			for (const [tool, evidence] of tools ?? []) {
				if (!found.includes(tool) && !missed.includes(tool)) tools?.set(tool, evidence * weights.kept);
			}
			for (const tool of found) add(this.#tools, word, tool, 1);
			for (const tool of missed) add(this.#tools, word, tool, weights.missed);
		}
	}

	/**
	 * What speaks for tools, by `server:tool`, when a query is searched. A word that led to many tools says little of each of them.
	 * `weightOf`: what a term counts at most.
	 */
	speaksFor(query: string, weightOf: (term: string) => number): ReadonlyMap<string, ToolUse> {
		const uses = new Map<string, { gain: number; repeated: number; words: number }>();
		let asked = 0;
		for (const { term } of wantedWords(query)) {
			const weight = weightOf(term);
			asked += weight;
			const tools = this.#tools.get(term);
			if (!tools || tools.size > mostTools) continue;
			const all = sum(tools) + weights.doubt;
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
				// One word that has led to a tool once may have stood in the query by chance.
				.filter(([, { words, repeated }]) => words > 1 || repeated > 0)
				.map(([tool, { gain, repeated, words }]) => [
					tool,
					{ gain, confidence: isMost(repeated) ? certainty : 0, isOneWord: words === 1 },
				]),
		);
	}

	/** Words of a query that speak for a tool, as they are written in it. */
	wordsFor(tool: string, query: string): readonly string[] {
		const evidenceOf = ({ term }: WantedWord) => this.#tools.get(term)?.get(tool) ?? 0;
		const words = wantedWords(query).filter((word) => evidenceOf(word) > 0);
		const speaks = words.length > 1 || words.some((word) => evidenceOf(word) >= repeatedly);
		return speaks ? words.map(({ text }) => text) : [];
	}

	/** What the score of a tool is multiplied by, where others are called or loaded: by `server:tool`, and absent where that is 1. */
	after(others: readonly string[]): ReadonlyMap<string, number> {
		const factors = new Map<string, number>();
		for (const other of others) {
			const next = this.#next.get(other) ?? none;
			const all = sum(next) + weights.doubt;
			for (const [tool, times] of next) {
				factors.set(tool, Math.max(factors.get(tool) ?? 1, 1 + (weights.next * times) / all));
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
	const of = counts.get(key) ?? new Map<string, number>();
	counts.set(key, of);
	of.set(tool, (of.get(tool) ?? 0) + count);
}

/** The score that a tool has with what past chats say of it; `own`: what its own words give it, `best`: the most that they give any tool. */
export function scoreWithUse({ gain, isOneWord }: ToolUse, own: number, best: number): number {
	const score = own + gain;
	// One word is too little to come before a tool that may have all of them in its name.
	return isOneWord && best > 0 ? Math.max(own, Math.min(score, below * best)) : score;
}
