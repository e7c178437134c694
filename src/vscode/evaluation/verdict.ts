import * as l10n from '@vscode/l10n';
import type { SearchAdvice } from '../../discovery/evaluation/advise.ts';
import type { Evaluation, QuestionResult } from '../../discovery/evaluation/evaluate.ts';

/** Share of the queries from which on the search does well, and from which on it does fairly. */
const wellFrom = 0.9;
const fairlyFrom = 0.7;

/** `1 query`, `2 queries`, in the user's language. */
export function queryCount(n: number): string {
	return n === 1 ? l10n.t('1 query') : l10n.t('{0} queries', n);
}

/** How well search does, for people who do not know its figures: a sentence, and a second one on what can be done about it. */
export function verdict({ results }: Evaluation, advice: SearchAdvice): string {
	const judged = results.filter(({ question }) => question.expects === 'tools');
	const negatives = results.filter(({ question }) => question.expects === 'nothing');
	const sentences = [
		judged.length === 0 ? '' : foundWords(rightOf(judged), judged.length),
		negatives.length === 0 ? '' : refusedWords(rightOf(negatives), negatives.length),
		mendedWords(advice),
	].filter(Boolean);
	return sentences.length > 0 ? sentences.join(' ') : l10n.t('There was no query to judge search by.');
}

function rightOf(results: readonly QuestionResult[]): number {
	return results.filter(({ isRight }) => isRight).length;
}

function foundWords(right: number, all: number): string {
	if (right === all) {
		return all === 1
			? l10n.t('**Search does well**: for the only query, the right tools are among the first five.')
			: l10n.t('**Search does well**: for all {0} queries, the right tools are among the first five.', all);
	}
	const share = right / all;
	if (share >= wellFrom)
		return l10n.t(
			'**Search does well**: for {0} of {1} queries, the right tools are among the first five.',
			right,
			all,
		);
	return share >= fairlyFrom
		? l10n.t(
				'**Search does fairly well**: for {0} of {1} queries, the right tools are among the first five.',
				right,
				all,
			)
		: l10n.t(
				'**Search misses much**: for only {0} of {1} queries, the right tools are among the first five.',
				right,
				all,
			);
}

function refusedWords(right: number, all: number): string {
	if (right < all)
		return l10n.t(
			'For {0} of {1} queries that no tool answers, it finds one all the same.',
			all - right,
			all,
		);
	return all === 1
		? l10n.t('For the query that no tool answers, it finds nothing, as it should.')
		: l10n.t('For all {0} queries that no tool answers, it finds nothing, as it should.', all);
}

function mendedWords({ advice }: SearchAdvice): string {
	const mended = new Set(advice.flatMap(({ mends }) => mends)).size;
	if (mended === 0) return '';
	return mended === 1
		? l10n.t('What is proposed below helps 1 query.')
		: l10n.t('What is proposed below helps {0} queries.', mended);
}
