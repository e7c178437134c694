import { globSync, readFileSync } from 'node:fs';

/** A page of what is written for people, by its path. */
export interface Page {
	readonly path: string;
	readonly text: string;
}

export function readPage(path: string): Page {
	return { path, text: readFileSync(path, 'utf8') };
}

export const pages: readonly Page[] = [
	'README.md',
	'CHANGELOG.md',
	'CONTRIBUTING.md',
	...globSync('docs/**/*.md').sort(),
].map(readPage);

/** A page without its examples of code. */
export function prose({ text }: Page): string {
	return text.replace(/^( *)```.*?^\1```$/gms, '').replace(/`[^`\n]*`/g, '');
}

/** The cells of all tables in the section of a second-level heading; without the rows of column names. */
export function tablesUnder(page: Page, heading: string): string[][] {
	const section = page.text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
	const tables = section.match(/(?:^\|.*\n)+/gm) ?? [];
	return tables.flatMap((table) =>
		table
			.trim()
			.split('\n')
			.slice(2)
			.map((row) =>
				row
					.slice(1, -1)
					.split('|')
					.map((cell) => cell.trim()),
			),
	);
}

/** What is written as code in a cell. */
export function codes(cell = ''): string[] {
	return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The anchors that the headings of a page have. */
export function anchors({ text }: Page): string[] {
	const headings = text.replace(/^ *```.*?^ *```$/gms, '').match(/(?<=^#+ ).*$/gm) ?? [];
	return headings.map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} -]/gu, '')
			.replaceAll(' ', '-'),
	);
}
