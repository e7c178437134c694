import type { ServerDescription } from '../../manifest.ts';
import { isRecord } from '../../record.ts';
import { firstSentence } from '../../text.ts';
import type { Tool } from '../../tool.ts';
import { contentWords, joinedTerm } from '../words/analyzer.ts';
import { tokenize } from '../words/tokenizer.ts';

/** Fields that name a tool, and those that describe it. */
export const namingFields = ['hint', 'title', 'server', 'name'] as const;
export const proseFields = [
	'pairs',
	'summary',
	'description',
	'parameters',
	'instructions',
	'details',
] as const;

/** A part of a tool that is searched. */
export type Field = (typeof namingFields)[number] | (typeof proseFields)[number];

/** Characters of a server's instructions, and values of an enumeration, that are read. */
const instructionsLimit = 600;
const enumLimit = 50;

/**
 * Words of each field. Every word of a name counts (`who_am_i`), stop words of prose do not. `pairs` are terms: the neighbours in
 * name, title and summary, joined, so that `pull request` is more than two words, and `file system` is found as `filesystem`.
 */
export function wordsByField(tool: Tool, server?: ServerDescription): Record<Field, readonly string[]> {
	const description = tool.description ?? '';
	const summary = firstSentence(description);
	const { names, details } = parameterTexts(tool.inputSchema);
	const name = tokenize(tool.name);
	const title = tokenize(tool.title ?? '');
	return {
		hint: tokenize(tool.searchHint ?? ''),
		title,
		server: tokenize(tool.server),
		name,
		pairs: [...pairs(name), ...pairs(title), ...pairs(tokenize(summary))],
		summary: contentWords(summary),
		description: contentWords(description.trimStart().slice(summary.length)),
		parameters: tokenize(names),
		instructions: contentWords(
			`${server?.description ?? ''} ${server?.instructions?.slice(0, instructionsLimit) ?? ''}`,
		),
		details: contentWords(details),
	};
}

/** Names of the parameters, and what is said of them with the values that they may have. */
function parameterTexts(schema: Tool['inputSchema']): { names: string; details: string } {
	const properties = isRecord(schema?.properties) ? schema.properties : {};
	return {
		names: Object.keys(properties).join(' '),
		details: Object.values(properties).map(wordsOf).join(' '),
	};
}

function wordsOf(schema: unknown): string {
	if (!isRecord(schema)) return '';
	const { description, enum: values } = schema;
	const listed = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
	return [typeof description === 'string' ? description : '', ...listed.slice(0, enumLimit)].join(' ');
}

function pairs(words: readonly string[]): string[] {
	return words.slice(1).map((word, i) => joinedTerm([words[i] ?? '', word]));
}
