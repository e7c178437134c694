/** What a cell may hold; nothing is an empty cell. */
export type Cell = string | number | boolean | undefined;

/**
 * A table as RFC 4180 has it, lines ended by CR LF. Text that a spreadsheet would take for a formula gets an apostrophe before it:
 * what models, users and servers wrote must not run on the machine of whoever opens the file (OWASP, CSV injection).
 * The packages that write CSV bring streams and dialects for what is two expressions here.
 */
export function csv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
	return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: Cell): string {
	if (value === undefined) return '';
	if (typeof value !== 'string') return String(value);
	const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
