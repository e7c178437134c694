import type { ServerDescription } from '../catalog/manifest.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Field } from './byFields/parameters.ts';
import { wordsByField, wordsBySentence } from './byFields/toolDocument.ts';
import { joinedTerm, stem } from './words/analyzer.ts';

/** Why a tool matches a query: a word of the query, and where the tool has it. */
export interface WordMatch {
	/** As in the query: a word, or a phrase. */
	readonly word: string;
	/** The most telling of the fields that have it; `use`: none needs to, but it led to the tool in past chats. */
	readonly field: Exclude<Field, 'pairs'> | 'expansion' | 'use';
	/** The tool's own word, where it is another form or a synonym. */
	readonly as?: string;
}

/** What a query says at one place, and the terms that would match it, the best first. */
export interface AskedWord {
	readonly text: string;
	readonly terms: readonly string[];
}

/** Fields of the tool's own from the most to the least telling. */
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

/** Which words of a query a tool has, in the order of the query. */
export function explain(tool: Tool, asked: readonly AskedWord[], server?: ServerDescription): WordMatch[] {
	const byField = wordsByField(tool, server);
	const byTerm = new Map<string, { word: string; field: WordMatch['field'] }>();
	const note = (term: string, word: string, field: WordMatch['field']): void => {
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
	for (const word of wordsBySentence(tool.expansion ?? {}).flat()) note(stem(word), word, 'expansion');
	return asked.flatMap(({ text, terms }) => {
		const found = terms.map((term) => byTerm.get(term)).find((match) => match !== undefined);
		if (!found) return [];
		return [wordMatch(text, found.field, found.word)];
	});
}

/** A word of a query that a tool has as `found`. Words are compared in pieces, as the tokenizer leaves them; people read them composed. */
export function wordMatch(asked: string, field: WordMatch['field'], found: string): WordMatch {
	const word = asked.normalize('NFC');
	const as = found.normalize('NFC');
	return { word, field, ...(as !== word && { as }) };
}
