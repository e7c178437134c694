import type { Catalog, CatalogTool } from '../catalog/catalog.ts';
import { type DiscoveryPolicy, defaultServerPolicy } from '../catalog/policy.ts';
import { ToolSurface } from '../catalog/toolSurface.ts';
import type { WordMatch } from '../search/explain.ts';
import type { ToolIndex } from '../search/toolIndex.ts';
import { stem } from '../search/words/analyzer.ts';
import {
	type Answer,
	answerOf,
	type Evaluation,
	firstTools,
	isRight,
	isWorse,
	type Question,
	type WorkSteps,
} from './evaluate.ts';
import { hintCandidates, synonymCandidates, termsOf } from './fixWords.ts';

/** Words that a tool's hint gets besides those it has. */
export interface HintChange {
	readonly server: string;
	readonly tool: string;
	readonly words: string;
}

/** What could be written into the configuration for the sake of search. */
export interface SearchChanges {
	/** At most one for each tool. */
	readonly hints: readonly HintChange[];
	/** Lines of `tool_discovery.synonyms`. */
	readonly synonyms: readonly string[];
}

/** Nothing is changed. */
export const noChanges: SearchChanges = { hints: [], synonyms: [] };

/** Questions with the answers of one state of the configuration. */
export type Answers = ReadonlyMap<Question, Answer>;

/** The policy as it would be with changes. */
export function policyWith(policy: DiscoveryPolicy, { hints, synonyms }: SearchChanges): DiscoveryPolicy {
	const servers = new Map(policy.servers);
	for (const { server, tool, words } of hints) {
		const its = servers.get(server) ?? defaultServerPolicy;
		const own = its.tools.get(tool);
		const searchHint = withWords(own?.searchHint, words);
		servers.set(server, { ...its, tools: new Map(its.tools).set(tool, { ...own, searchHint }) });
	}
	return { ...policy, servers, ...(synonyms.length > 0 && { synonyms: [...policy.synonyms, ...synonyms] }) };
}

/** A hint with more words. */
export function withWords(hint: string | undefined, words: string): string {
	return hint ? `${hint} ${words}` : words;
}

/** Tries changes of the configuration on a copy, against the answers to all questions. Bounded: it says when it has tried enough. */
export class Trials {
	readonly #catalog: Catalog;
	readonly #surface: ToolSurface;
	readonly #questions: readonly Question[];
	readonly #steps: WorkSteps;
	#left: number;

	/** `surface`: that of the configuration as it is; `most`: indexes that are made at most. */
	constructor(
		catalog: Catalog,
		surface: ToolSurface,
		questions: readonly Question[],
		steps: WorkSteps,
		most: number,
	) {
		this.#catalog = catalog;
		this.#surface = surface;
		this.#questions = questions;
		this.#steps = steps;
		this.#left = most;
	}

	/** Whether nothing more is tried. */
	get isOver(): boolean {
		return this.#left <= 0;
	}

	/**
	 * The answers with some changes, where they help one of the `wanted` questions and make no question worse than `before`; else
	 * nothing. Most trials fail at the wanted ones, which is the cheap part.
	 */
	async attempt(
		changes: SearchChanges,
		before: Answers,
		wanted: readonly Question[],
		helps: (question: Question, answer: Answer) => boolean,
	): Promise<Answers | undefined> {
		this.#left--;
		const surface = await this.#surfaceWith(changes);
		const own = await this.#answers(surface, wanted, () => false);
		if (!own || ![...own].some(([question, answer]) => helps(question, answer))) return undefined;
		return this.#answers(surface, this.#questions, (question, answer) => {
			const old = before.get(question);
			return old !== undefined && isWorse(question, old, answer);
		});
	}

	async #surfaceWith(changes: SearchChanges): Promise<ToolSurface> {
		const { policy, toolset } = this.#surface;
		// The index at hand lends the documents of all tools that stay as they are.
		const newest = await this.#surface.index();
		const { pause } = this.#steps;
		return new ToolSurface(this.#catalog, policyWith(policy, changes), toolset, { pause, newest });
	}

	async #answers(
		surface: ToolSurface,
		questions: readonly Question[],
		isFault: (question: Question, answer: Answer) => boolean,
	): Promise<Answers | undefined> {
		const answers = new Map<Question, Answer>();
		for (const [i, question] of questions.entries()) {
			const answer = await answerOf(surface, question);
			if (isFault(question, answer)) return undefined;
			answers.set(question, answer);
			if (i % questionsAtOnce === questionsAtOnce - 1) await this.#steps.pause();
		}
		return answers;
	}
}

/** Questions that are put in one step: some ten milliseconds among many tools. */
const questionsAtOnce = 20;

/** A change of the configuration that was tried: it makes queries right and none worse. */
export type SearchFix =
	| (HintChange & { readonly kind: 'hint'; readonly mends: readonly Question[] })
	| { readonly kind: 'synonyms'; readonly line: string; readonly mends: readonly Question[] };

/** What could be changed for the better. */
export interface SearchFixes {
	readonly advice: readonly SearchFix[];
	/** Questions that are not right and for which nothing of what was tried helps. */
	readonly helpless: readonly Question[];
	/** Questions for which nothing was tried any more. */
	readonly untried: readonly Question[];
}

/** Indexes that are made in search of advice: a millisecond each for a hundred tools, some ten for thousands. */
const mostTrials = 400;

/** What an advice changes. */
export function changesOf(advice: readonly SearchFix[]): SearchChanges {
	return {
		hints: advice.flatMap((one) => (one.kind === 'hint' ? [one] : [])),
		synonyms: advice.flatMap((one) => (one.kind === 'synonyms' ? [one.line] : [])),
	};
}

/**
 * Looks for changes of the configuration that mend what an evaluation found wrong: first lines of synonyms that mend several queries, then
 * for each query the smallest hint of one of its tools. Each is tried alone, and together with those before it.
 */
export async function findSearchFixes(
	catalog: Catalog,
	surface: ToolSurface,
	{ results }: Evaluation,
	steps: WorkSteps,
): Promise<SearchFixes> {
	const asked = results.filter(({ question }) => question.expects !== 'unclear');
	const questions = asked.map(({ question }) => question);
	const base: Answers = new Map(asked.map(({ question, answer }) => [question, answer]));
	const misses = asked
		.filter(({ question, isRight: right }) => question.expects === 'tools' && !right)
		.map(({ question }) => question);
	// Okapi BM25 as it is documented reads no hints, and no synonyms.
	if (surface.policy.ranking === 'okapi') return { advice: [], helpless: misses, untried: [] };
	const trials = new Trials(catalog, surface, questions, steps, mostTrials);
	const search = new FixFinder(surface, await surface.index(), trials, base, questions);
	if (surface.policy.ranking === 'default') await search.addSynonyms(misses);
	const untried: Question[] = [];
	for (const [i, miss] of misses.entries()) {
		if (trials.isOver) untried.push(...(search.isMended(miss) ? [] : [miss]));
		else await search.addHint(miss);
		steps.progress?.((i + 1) / misses.length);
	}
	const helpless = misses.filter((miss) => !search.isMended(miss) && !untried.includes(miss));
	return { advice: search.advice, helpless, untried };
}

/** What has been found to help by now. */
class FixFinder {
	readonly #surface: ToolSurface;
	readonly #index: ToolIndex<CatalogTool>;
	readonly #trials: Trials;
	readonly #base: Answers;
	readonly #questions: readonly Question[];
	#changes: SearchChanges = noChanges;
	/** With all changes. */
	#answers: Answers;
	/** Questions by what has helped them. */
	readonly #mended = new Map<string, readonly Question[]>();

	constructor(
		surface: ToolSurface,
		index: ToolIndex<CatalogTool>,
		trials: Trials,
		base: Answers,
		questions: readonly Question[],
	) {
		this.#surface = surface;
		this.#index = index;
		this.#trials = trials;
		this.#base = base;
		this.#answers = base;
		this.#questions = questions;
	}

	get advice(): readonly SearchFix[] {
		const mends = (key: string) => this.#mended.get(key) ?? [];
		return [
			...this.#changes.synonyms.map((line): SearchFix => ({ kind: 'synonyms', line, mends: mends(line) })),
			...this.#changes.hints.map((hint): SearchFix => ({ ...hint, kind: 'hint', mends: mends(keyOf(hint)) })),
		];
	}

	isMended(miss: Question): boolean {
		const answer = this.#answers.get(miss);
		return answer !== undefined && isRight(miss, answer);
	}

	/** A line is worth it where it mends several queries. */
	async addSynonyms(misses: readonly Question[]): Promise<void> {
		for (const line of synonymCandidates(misses, this.#surface)) {
			if (this.#trials.isOver) return;
			const open = misses.filter((miss) => !this.isMended(miss));
			const alone = { hints: [], synonyms: [line] };
			const answers = await this.#trials.attempt(alone, this.#base, open, isRight);
			const mended = open.filter((miss) => isRight(miss, answers?.get(miss) ?? noAnswer));
			if (mended.length < 2) continue;
			const synonyms = [...this.#changes.synonyms, line];
			await this.#accept({ ...this.#changes, synonyms }, line, mended, isRight);
		}
	}

	/** Looks for the smallest hint that brings a query its tools. */
	async addHint(miss: Question): Promise<void> {
		for (const [i, need] of miss.needs.entries()) {
			const isMet = (answer: Answer | undefined) =>
				(answer?.ranks[i] ?? Number.POSITIVE_INFINITY) <= firstTools;
			const tool = isMet(this.#answers.get(miss)) ? undefined : this.#mostLike(miss, need);
			if (tool) await this.#addHintTo(tool, miss, isMet);
		}
	}

	async #addHintTo(tool: CatalogTool, miss: Question, isMet: (answer: Answer) => boolean): Promise<void> {
		const { server, name } = tool;
		const before = this.#changes.hints.find((hint) => hint.server === server && hint.tool === name);
		const others = this.#changes.hints.filter((hint) => hint !== before);
		// One need for another would mend nothing.
		const helps = (before: Answers) => (question: Question, answer: Answer) =>
			isMet(answer) && needsMet(answer) > needsMet(before.get(question));
		for (const words of this.#candidates(tool, miss, before?.words ?? '')) {
			if (this.#trials.isOver) return;
			const hint = { server, tool: name, words: withWords(before?.words, words) };
			const alone = { hints: [hint], synonyms: [] };
			if (!(await this.#trials.attempt(alone, this.#base, [miss], helps(this.#base)))) continue;
			const together = { ...this.#changes, hints: [...others, hint] };
			if (await this.#accept(together, keyOf(hint), [miss], helps(this.#answers))) return;
		}
	}

	/** Takes changes over where they hold together with all that was accepted before. */
	async #accept(
		changes: SearchChanges,
		key: string,
		wanted: readonly Question[],
		helps: (question: Question, answer: Answer) => boolean,
	): Promise<boolean> {
		const before = this.#answers;
		const answers = await this.#trials.attempt(changes, before, wanted, helps);
		if (!answers) return false;
		this.#changes = changes;
		this.#answers = answers;
		const helped = [...answers.keys()].filter(
			(question) => needsMet(answers.get(question)) > needsMet(before.get(question)),
		);
		this.#mended.set(key, [...new Set([...(this.#mended.get(key) ?? []), ...helped])]);
		return true;
	}

	#candidates(tool: CatalogTool, { labelled }: Question, hint: string): string[] {
		const matches = this.#index.explain(labelled.query, tool).filter(isSameWord);
		const named = termsOf([hint, ...matches.filter(isNaming).map(({ word }) => word)].join(' '));
		const told = termsOf(matches.map(({ word }) => word).join(' '));
		const its = this.#questions
			.filter(({ needs }) => needs.some((need) => need.has(tool.wireName)))
			.map((question) => termsOf(question.labelled.query));
		return hintCandidates(labelled.query, {
			said: (word) => (named.has(stem(word)) ? 'named' : told.has(stem(word)) ? 'told' : 'not'),
			queries: (word) => its.filter((terms) => terms.has(stem(word))).length,
			tools: (word) => this.#index.find(word, { unlikely: true, limit: 1 }).matches,
		});
	}

	/** Of the tools that meet a need, the one that has most of the query. */
	#mostLike({ labelled }: Question, need: ReadonlySet<string>): CatalogTool | undefined {
		const tools = [...need].flatMap((name) => this.#surface.get(name) ?? []);
		const having = (tool: CatalogTool) => this.#index.explain(labelled.query, tool).length;
		return tools.map((tool) => ({ tool, having: having(tool) })).sort((a, b) => b.having - a.having)[0]?.tool;
	}
}

const namingFields: ReadonlySet<WordMatch['field']> = new Set(['name', 'title', 'hint', 'server']);

function isNaming({ field }: WordMatch): boolean {
	return namingFields.has(field);
}

/** Not a synonym. */
function isSameWord({ word, as = word }: WordMatch): boolean {
	return stem(word) === stem(as);
}

function needsMet(answer: Answer | undefined): number {
	return answer?.ranks.filter((rank) => rank <= firstTools).length ?? 0;
}

const noAnswer = { hits: [], ranks: [Number.POSITIVE_INFINITY] };

function keyOf({ server, tool }: HintChange): string {
	return JSON.stringify([server, tool]);
}
