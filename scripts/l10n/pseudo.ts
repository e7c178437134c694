/** The locale of the pseudo-translation. VS Code uses the same name. */
export const PSEUDO_LOCALE = 'qps-ploc';

/** Text to leave unchanged: placeholders, code, icons, link targets, HTML, addresses, and names that people type. */
const PROTECTED = /\{\d+\}|`[^`]*`|\$\([a-z~-]+\)|\]\([^)]*\)|<[^>]+>|&#?\w+;|https?:\S+|@[a-z]+|\*\*|\\./g;
/** A line that consists of a link becomes a button of a welcome view, and must stay one. */
const LINK_LINE = /^\[([^\]]+)\](\([^)]*\))$/;

const ACCENTS: Readonly<Record<string, string>> = {
	...{ a: 'á', c: 'ç', e: 'é', i: 'í', n: 'ñ', o: 'ó', s: 'š', u: 'ú', y: 'ý', z: 'ž' },
	...{ A: 'Å', C: 'Ç', E: 'É', I: 'Î', N: 'Ñ', O: 'Ö', S: 'Š', U: 'Û' },
};

/** How much longer translations are than English. */
const LONGER = 0.4;
const LONGEST_WORD = 8;

/**
 * Translates a text into accents and brackets, two fifths longer: `⟦Šérvérš~~~⟧`. A text of the interface that looks different
 * was forgotten; one without its last bracket is cut off.
 */
export function pseudo(text: string): string {
	return text.split('\n').map(pseudoLine).join('\n');
}

function pseudoLine(line: string): string {
	if (line.trim() === '') return line;
	const [, label, target] = LINK_LINE.exec(line) ?? [];
	return label === undefined ? bracketed(line) : `[${bracketed(label)}]${target}`;
}

function bracketed(text: string): string {
	const pieces: string[] = [];
	let letters = 0;
	let end = 0;
	const translate = (plain: string) => {
		letters += plain.length;
		pieces.push(plain.replace(/[A-Za-z]/g, (letter) => ACCENTS[letter] ?? letter));
	};
	for (const match of text.matchAll(PROTECTED)) {
		translate(text.slice(end, match.index));
		pieces.push(match[0]);
		end = match.index + match[0].length;
	}
	translate(text.slice(end));
	return `⟦${pieces.join('')}${filler(Math.ceil(letters * LONGER))}⟧`;
}

/** Adds this many characters, as words that a line can break between. */
function filler(length: number): string {
	return Array.from({ length }, (_, i) => (i % LONGEST_WORD === LONGEST_WORD - 1 ? ' ' : '~')).join('');
}

/** The part of a displayed text outside all brackets: it was not translated, or it comes from others. */
export function outsideBrackets(shown: string): string {
	let depth = 0;
	let outside = '';
	for (const letter of shown) {
		if (letter === '⟦') depth++;
		else if (letter === '⟧') depth = Math.max(0, depth - 1);
		else if (depth === 0) outside += letter;
	}
	return outside;
}
