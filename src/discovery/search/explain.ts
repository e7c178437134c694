import type { ServerDescription } from '../catalog/manifest.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Field } from './byFields/parameters.ts';
import { wordsByField, wordsBySentence } from './byFields/toolDocument.ts';
import { type KnownExpansion, readPlaces } from './known/knownText.ts';
import { joinedTerm, stem } from './words/analyzer.ts';

/** Why a tool matches: a word of the query, and where the tool has it. */
export interface WordMatch {
	/** A word or phrase as in the query. */
	readonly word: string;
	/** The most important field that has it; `use`: learned from past chats. */
	readonly field: Exclude<Field, 'pairs'> | 'expansion' | 'use';
	/** The tool's own word, if it is another form or a synonym. */
	readonly as?: string;
}

/** A word or phrase of a query and the terms that match it, best first. */
export interface AskedWord {
	readonly text: string;
	readonly terms: readonly string[];
}

/** The tool's own fields, the most important first. */
const order = [
	'name',
	'title',
	'hint',
	'server',
	'summary',
	'description',
	'parameters',
	'details',
	'instructions',
] as const;

interface AboutTool {
	readonly server?: ServerDescription | undefined;
	/** What is known of it, unless the user had it described. */
	readonly knownExpansion?: KnownExpansion | undefined;
}

/** The words of a query that a tool has, in the query's order. */
export function explain(
	tool: Tool,
	asked: readonly AskedWord[],
	{ server, knownExpansion }: AboutTool = {},
): WordMatch[] {
	const byField = wordsByField(tool, server);
	const byTerm = new Map<string, { word: string | undefined; field: WordMatch['field'] }>();
	const note = (term: string, word: string | undefined, field: WordMatch['field']): void => {
		if (!byTerm.has(term)) byTerm.set(term, { word, field });
	};
	for (const field of order) {
		const { words, whole } = byField[field];
		for (const [i, word] of words.entries()) {
			note(stem(word), word, field);
			const next = words[i + 1];
			if (next !== undefined) note(joinedTerm([word, next]), `${word} ${next}`, field);
		}
		for (const word of whole) note(stem(word), word, field);
	}
	if (tool.expansion)
		for (const word of wordsBySentence(tool.expansion).flat()) note(stem(word), word, 'expansion');
	else if (knownExpansion) {
		const terms = knownExpansion.server.terms.split(' ');
		readPlaces(knownExpansion, (place) => note(terms[place] as string, undefined, 'expansion'));
	}
	return asked.flatMap(({ text, terms }) => {
		const found = terms.map((term) => byTerm.get(term)).find((match) => match !== undefined);
		if (!found) return [];
		return [wordMatch(text, found.field, found.word)];
	});
}

/** A word of a query that a tool has as `found`, if it is known how. The tokenizer decomposes characters; people read them composed. */
export function wordMatch(asked: string, field: WordMatch['field'], found = asked): WordMatch {
	const word = asked.normalize('NFC');
	const as = found.normalize('NFC');
	return { word, field, ...(as !== word && { as }) };
}
