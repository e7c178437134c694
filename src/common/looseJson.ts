import { exactJson } from './exactJson.ts';

/** A text in double quotes, what may stand between such texts although JSON does not have it, and a comma that nothing follows. */
const pieces =
	/"[^"\\]*(?:\\.[^"\\]*)*"|\\[nrt]|\b(?:None|True|False)\b|-?\b(?:NaN|Infinity)\b|,(?=\s*[}\]])/gs;
const values: Readonly<Record<string, string>> = { True: 'true', False: 'false', ',': '' };
/** JSON escapes the ones below U+0020 and keeps the others. */
const controls = /\p{Cc}/gu;

/**
 * The value of a JSON text as models and programs in other languages write it: with line breaks and tabs within texts, escapes and Python's constants
 * between them, and commas at the end; `undefined` if its meaning is not clear.
 */
export function looseJson(text: string, parse: (text: string) => unknown = exactJson): unknown {
	const strict = parse(text);
	if (strict !== undefined) return strict;
	const repaired = text.replace(pieces, (piece) => {
		if (piece.startsWith('"')) return piece.replace(controls, (char) => JSON.stringify(char).slice(1, -1));
		return values[piece] ?? (piece.startsWith('\\') ? ' ' : 'null');
	});
	return parse(repaired);
}
