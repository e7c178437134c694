/** The locale that the pseudo-translation stands under: VS Code's own name for it. */
export const PSEUDO_LOCALE = 'qps-ploc';

/** What is no language: placeholders, code, icons, the targets of links, HTML, addresses, and names that people type. */
const PROTECTED = /\{\d+\}|`[^`]*`|\$\([a-z~-]+\)|\]\([^)]*\)|<[^>]+>|&#?\w+;|https?:\S+|@[a-z]+|\*\*|\\./g;
/** A line that is nothing but a link becomes a button of a welcome view; it has to stay one. */
const LINK_LINE = /^\[([^\]]+)\](\([^)]*\))$/;

const ACCENTS: Readonly<Record<string, string>> = {
	...{ a: 'á', c: 'ç', e: 'é', i: 'í', n: 'ñ', o: 'ó', s: 'š', u: 'ú', y: 'ý', z: 'ž' },
	...{ A: 'Å', C: 'Ç', E: 'É', I: 'Î', N: 'Ñ', O: 'Ö', S: 'Š', U: 'Û' },
};

/** How much longer other languages are than English. */
const LONGER = 0.4;
const LONGEST_WORD = 8;

/**
 * A text as a translator might leave it who writes accents, two fifths longer, in brackets: `⟦Šérvérš~~~⟧`. Whatever of the interface does not
 * look like that was forgotten; whatever lacks its last bracket is cut off.
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

/** So many characters more, as words that a line can break between. */
function filler(length: number): string {
	return Array.from({ length }, (_, i) => (i % LONGEST_WORD === LONGEST_WORD - 1 ? ' ' : '~')).join('');
}

/** What of a shown text stands outside of all brackets: what was not translated, and what others have said. */
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
