/** A row of a table, and the line it begins in, from 1. */
export interface TableRow {
	readonly line: number;
	readonly cells: readonly string[];
}

/**
 * Reads CSV (RFC 4180), separated by commas, or by tabs where the first line has one. Rows without any text are left out; a quotation mark
 * inside a cell that does not begin with one is a character like any other.
 */
export function readTable(text: string): TableRow[] {
	const separator = text.split('\n', 1)[0]?.includes('\t') ? '\t' : ',';
	const rows: TableRow[] = [];
	let cells: string[] = [];
	let cell = '';
	let isQuoted = false;
	let line = 1;
	let rowLine = 1;
	const endRow = () => {
		cells.push(cell);
		if (cells.some((one) => one.trim() !== '')) rows.push({ line: rowLine, cells });
		cells = [];
		cell = '';
		rowLine = line;
	};
	const plain = text.replace(/\r\n?/g, '\n');
	for (let i = 0; i < plain.length; i++) {
		const character = plain.charAt(i);
		if (character === '\n') line++;
		if (isQuoted) {
			if (character !== '"') cell += character;
			else if (plain.charAt(i + 1) === '"') cell += plain.charAt(++i);
			else isQuoted = false;
		} else if (character === '"' && cell === '') isQuoted = true;
		else if (character === '\n') endRow();
		else if (character === separator) {
			cells.push(cell);
			cell = '';
		} else cell += character;
	}
	endRow();
	return rows;
}
