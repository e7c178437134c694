import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tokenize } from '../src/discovery/search/words/tokenizer.ts';
import { type Corpus, toolsOf } from './corpus.ts';
import type { LabelledQuery, QuerySet } from './querySet.ts';

const FOLDER = path.join(import.meta.dirname, 'paraphrases');
const FILE = /^(.+)\.queries\.json$/;

/**
 * What a person might say who wants a tool and does not know its name: 40 sentences for each of three corpora, for tools drawn at random. They
 * were written from names and descriptions alone, before any rank was seen.
 */
export function readParaphrases(corpora: readonly Corpus[]): QuerySet[] {
	return readdirSync(FOLDER).flatMap((file) => {
		const [, name = ''] = FILE.exec(file) ?? [];
		const corpus = corpora.find((candidate) => candidate.name === name);
		if (!corpus) return [];
		const queries: LabelledQuery[] = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
		return [{ name: `paraphrases-${name}`, tools: toolsOf(corpus.servers), queries }];
	});
}

/** Words in a row that make a copy. */
const LONGEST_RUN = 5;

/** Paraphrases with a run of words from the description of their tool, or from a labelled query. */
export function copiedParaphrases(
	{ queries, tools }: Pick<QuerySet, 'queries' | 'tools'>,
	labelled: readonly string[],
): string[] {
	const runsOf = (text: string) => {
		const words = tokenize(text);
		return words.slice(LONGEST_RUN - 1).map((_, i) => words.slice(i, i + LONGEST_RUN).join(' '));
	};
	const ofQueries = new Set(labelled.flatMap(runsOf));
	return queries
		.filter(({ text, gold }) => {
			const described = tools.filter((tool) =>
				gold.flat().some(([server, name]) => server === tool.server && name === tool.name),
			);
			const runs = new Set(described.flatMap(({ description = '' }) => runsOf(description)));
			return runsOf(text).some((run) => runs.has(run) || ofQueries.has(run));
		})
		.map(({ text }) => text);
}
