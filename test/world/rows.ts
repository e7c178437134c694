import { readFileSync } from 'node:fs';

/** The rows of a table in this folder, one JSON object per line. */
export function rowsOf<Row>(name: string): readonly Row[] {
	const lines = readFileSync(new URL(`${name}.jsonl`, import.meta.url), 'utf8')
		.trim()
		.split('\n');
	return lines.map((line): Row => JSON.parse(line));
}
