import type { Catalog, CatalogTool } from '../catalog.ts';
import type { WordMatch } from '../search/explain.ts';
import type { ToolIndex } from '../search/toolIndex.ts';
import { stem } from '../search/words/analyzer.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { type Answer, firstTools, isRight } from './answer.ts';
import type { Evaluation, WorkSteps } from './evaluate.ts';
import { hintCandidates, termsOf } from './hintWords.ts';
import type { Question } from './questions.ts';
import { synonymCandidates } from './synonymCandidates.ts';
import { type Answers, type HintChange, noChanges, type SearchChanges, Trials, withWords } from './trials.ts';

/** A change of the configuration that was tried: it makes queries right and none worse. */
export type Advice =
	| (HintChange & { readonly kind: 'hint'; readonly mends: readonly Question[] })
	| { readonly kind: 'synonyms'; readonly line: string; readonly mends: readonly Question[] };

/** What could be changed for the better. */
export interface SearchAdvice {
	readonly advice: readonly Advice[];
	/** Questions that are not right and for which nothing of what was tried helps. */
	readonly helpless: readonly Question[];
	/** Questions for which nothing was tried any more. */
	readonly untried: readonly Question[];
}

/** Indexes that are made in search of advice: a millisecond each for a hundred tools, some ten for thousands. */
const mostTrials = 400;

/** What an advice changes. */
export function changesOf(advice: readonly Advice[]): SearchChanges {
	return {
		hints: advice.flatMap((one) => (one.kind === 'hint' ? [one] : [])),
		synonyms: advice.flatMap((one) => (one.kind === 'synonyms' ? [one.line] : [])),
	};
}

/**
 * Looks for changes of the configuration that mend what an evaluation found wrong: first lines of synonyms that mend several queries, then
 * for each query the smallest hint of one of its tools. Each is tried alone, and together with those before it.
 */
export async function advise(
	catalog: Catalog,
	surface: ToolSurface,
	{ results }: Evaluation,
	steps: WorkSteps,
): Promise<SearchAdvice> {
	const asked = results.filter(({ question }) => question.expects !== 'unclear');
	const questions = asked.map(({ question }) => question);
	const base: Answers = new Map(asked.map(({ question, answer }) => [question, answer]));
	const misses = asked
		.filter(({ question, isRight: right }) => question.expects === 'tools' && !right)
		.map(({ question }) => question);
	// Okapi BM25 as it is documented reads no hints, and no synonyms.
	if (surface.policy.ranking === 'okapi') return { advice: [], helpless: misses, untried: [] };
	const trials = new Trials(catalog, surface, questions, steps, mostTrials);
	const search = new AdviceSearch(surface, await surface.index(), trials, base, questions);
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
class AdviceSearch {
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

	get advice(): readonly Advice[] {
		const mends = (key: string) => this.#mended.get(key) ?? [];
		return [
			...this.#changes.synonyms.map((line): Advice => ({ kind: 'synonyms', line, mends: mends(line) })),
			...this.#changes.hints.map((hint): Advice => ({ ...hint, kind: 'hint', mends: mends(keyOf(hint)) })),
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
