import MiniSearch from 'minisearch';
import { isRecord } from '../record.ts';
import { firstSentence } from '../text.ts';
import type { Tool } from '../tool.ts';
import { analyze, analyzeName, analyzeQuery } from './analyzer.ts';
import type { Ranker } from './ranker.ts';

/**
 * Weight of each field of a tool. Chosen on the labelled corpora that `npm run bench` reads: what a tool is called says more
 * than what is said about it.
 */
const weights = {
	hint: 3,
	server: 2,
	name: 3,
	title: 2,
	summary: 2,
	description: 1,
	parameters: 1,
	details: 0.3,
};

type Field = keyof typeof weights;
const fields = Object.keys(weights) as Field[];

/** Fields in which every word counts; elsewhere stop words are left out. */
const names: ReadonlySet<string> = new Set<Field>(['name', 'title', 'hint']);

/** Share of the query's words that a tool has, to this power, scales its score: a tool for all of a need beats one for half. */
const coordination = 0.5;

/**
 * The default ranking: MiniSearch's BM25+ over weighted fields, on stemmed words. Where no word of a query is anywhere, prefix
 * and fuzzy matching are tried, so that a slip of the pen still finds something.
 */
export function rankByFields(tools: readonly Tool[]): Ranker {
	const index = new MiniSearch<Record<Field, string> & { id: number }>({
		fields,
		tokenize: (text, field) => (field && names.has(field) ? analyzeName(text) : analyze(text)),
		processTerm: (term) => term,
		searchOptions: {
			boost: weights,
			combineWith: 'OR',
			tokenize: analyzeQuery,
			bm25: { k: 1.2, b: 0.6, d: 0.5 },
		},
	});
	index.addAll(tools.map((tool, id) => ({ id, ...fieldsOf(tool) })));
	return (text) => {
		const words = new Set(analyzeQuery(text)).size;
		const exact = index.search(text);
		const hits = exact.length > 0 ? exact : index.search(text, { prefix: true, fuzzy: 0.2 });
		return new Map(hits.map((hit) => [hit.id, hit.score * (hit.queryTerms.length / words) ** coordination]));
	};
}

function fieldsOf(tool: Tool): Record<Field, string> {
	const description = tool.description ?? '';
	const summary = firstSentence(description);
	const schemas = tool.inputSchema?.properties;
	const properties = isRecord(schemas) ? Object.entries(schemas) : [];
	return {
		hint: tool.searchHint ?? '',
		server: tool.server,
		name: tool.name,
		title: tool.title ?? '',
		summary,
		description: description.trimStart().slice(summary.length),
		parameters: properties.map(([name]) => name).join(' '),
		details: properties.map(([, schema]) => wordsOf(schema)).join(' '),
	};
}

/** Description and enumerated values of one parameter. */
function wordsOf(schema: unknown): string {
	if (!isRecord(schema)) return '';
	const { description, enum: values } = schema;
	const names = Array.isArray(values) ? values.filter((value) => typeof value === 'string').slice(0, 50) : [];
	return [typeof description === 'string' ? description : '', ...names].join(' ');
}
