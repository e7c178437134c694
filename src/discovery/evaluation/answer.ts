import { findTools, type SearchHit } from '../searchTools/findTools.ts';
import { parseRequest } from '../searchTools/request.ts';
import type { ToolSurface } from '../toolSurface.ts';
import type { Question } from './questions.ts';
import { judgedRanks, rankOf } from './relevance.ts';

/** First tools that a model sees of a search: those that the questions are after. */
export const firstTools = 5;

/** What the search says to a question. */
export interface Answer {
	/** Best first: what is loaded, and what is named besides. */
	readonly hits: readonly SearchHit[];
	/** Of each need, from 1; infinite where it is not met. */
	readonly ranks: readonly number[];
}

/** Puts a question to the search, on the same way as a model's: with its `select:`, and with its judgement that nothing fits. */
export async function answerOf(surface: ToolSurface, question: Question): Promise<Answer> {
	const parsed = parseRequest({ query: question.labelled.query });
	const findings = parsed.ok ? await findTools(surface, parsed.request) : undefined;
	const all = findings?.ok ? [...findings.hits, ...findings.further] : [];
	const hits = all.filter(({ tool }) => !question.also.has(tool.wireName));
	const names = hits.map(({ tool }) => tool.wireName);
	return { hits, ranks: question.needs.map((need) => rankOf(need, names)) };
}

/** Whether every need is met within the first tools; where nothing is to be found, whether nothing is. */
export function isRight(question: Question, { hits, ranks }: Answer): boolean {
	return question.expects === 'nothing' ? hits.length === 0 : ranks.every((rank) => rank <= firstTools);
}

/** Whether an answer is worse than one before: needs that have fallen back, or tools where nothing is to be found. */
export function isWorse(question: Question, before: Answer, after: Answer): boolean {
	if (question.expects === 'nothing') return before.hits.length === 0 && after.hits.length > 0;
	const now = judgedInOrder(after);
	return judgedInOrder(before).some((rank, i) => (now[i] ?? Number.POSITIVE_INFINITY) > rank);
}

/** Which need has which rank makes no difference to any figure. */
function judgedInOrder({ ranks }: Answer): number[] {
	return ranks.filter((rank) => rank <= judgedRanks).sort((a, b) => a - b);
}
