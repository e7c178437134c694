import type { QueryWord } from '../byFields/queryWords.ts';
import services from './services.json' with { type: 'json' };

const listed = Object.values(services).flat();
const always = new Set(listed.filter((name) => name === name.toLowerCase()));
const asName = new Set(listed.filter((name) => !always.has(name)).map((name) => name.toLowerCase()));

/**
 * Whether a word of a query names a service (`salesforce`, or `Teams` with its capital): who wants that one is not served by
 * another. The list is `services.json`.
 */
export function isService({ text, isName }: Pick<QueryWord, 'text' | 'isName'>): boolean {
	return always.has(text) || (isName && asName.has(text));
}
