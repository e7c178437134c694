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

/** The rows of the table under a heading, as the texts of their cells; without the head. */
export function tableUnder(page: Page, heading: string): string[][] {
	const [, section = ''] = page.text.split(new RegExp(`^#+ ${heading}$`, 'm'));
	const [first = '', ...rest] = section.split(/(?<=^\|.*\n)(?!\|)/m);
	const rows = [first, ...rest].find((part) => part.includes('|---'))?.match(/^\|.*$/gm) ?? [];
	return rows.slice(2).map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
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
