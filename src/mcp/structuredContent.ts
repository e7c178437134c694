import { isRecord } from '../common/json.ts';

/** Values of structured content that are looked for in the texts; the others are taken to be like them. */
const comparedValues = 64;

/**
 * Whether the texts of a result already say what its structured content says. Servers repeat it as JSON, as a table or in a sentence, or put only a
 * summary into the text.
 */
export function repeats(texts: readonly string[], structured: unknown): boolean {
	const text = texts.join('\n');
	if (text.trim() === '') return false;
	return firstValues(structured).every((value) => text.includes(value) || text.includes(escaped(value)));
}

function firstValues(structured: unknown): readonly string[] {
	const values: string[] = [];
	// Without recursion: a server's content may be nested deeply.
	const left = [structured];
	while (left.length > 0 && values.length < comparedValues) {
		const value = left.pop();
		if (typeof value === 'string') values.push(value.trim());
		else if (typeof value === 'number') values.push(String(value));
		else if (Array.isArray(value)) left.push(...value.slice(0, comparedValues).toReversed());
		else if (isRecord(value)) left.push(...Object.values(value).slice(0, comparedValues).toReversed());
	}
	return values;
}

/** As in JSON. */
function escaped(value: string): string {
	return JSON.stringify(value).slice(1, -1);
}
