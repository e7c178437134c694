/** The numbers of some lines, ascending, by term. */
type LinesByTerm = ReadonlyMap<string, readonly number[]>;

/** Where terms stand in lines of synonyms. */
export interface ThesaurusTables {
	/** The lines on whose left side a term stands alone, and those where it begins a phrase. */
	readonly words: LinesByTerm;
	readonly beginnings: LinesByTerm;
	/** Terms that name actions. */
	readonly actions: ReadonlySet<string>;
}

/** The same as texts, which are a fourth smaller when compressed, and read as fast. */
export type PackedTables = Readonly<Record<keyof ThesaurusTables, string>>;

export function packTables({ words, beginnings, actions }: ThesaurusTables): PackedTables {
	return { words: packed(words), beginnings: packed(beginnings), actions: [...actions].join(' ') };
}

export function unpackTables({ words, beginnings, actions }: PackedTables): ThesaurusTables {
	return { words: unpacked(words), beginnings: unpacked(beginnings), actions: new Set(actions.split(' ')) };
}

/** A row for each term: the term, the distance of its first line from that of the row before, and of each line from the one before. */
function packed(lines: LinesByTerm): string {
	let first = 0;
	const rows = [...lines].map(([term, numbers]) => {
		const distances = numbers.map((number, i) => number - (numbers[i - 1] ?? first));
		first = numbers[0] ?? first;
		return `${term} ${distances.join(' ')}`;
	});
	return rows.join('\n');
}

function unpacked(text: string): LinesByTerm {
	const lines = new Map<string, number[]>();
	let first = 0;
	for (const row of text.split('\n')) {
		const [term = '', ...distances] = row.split(' ');
		let number = first;
		const numbers = distances.map((distance) => {
			number += Number(distance);
			return number;
		});
		first = numbers[0] ?? first;
		lines.set(term, numbers);
	}
	return lines;
}
