import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchors, pages, prose, readPage } from './markdown.ts';

interface Link {
	readonly from: string;
	readonly to: string;
}

const links: readonly Link[] = pages.flatMap((page) =>
	[...prose(page).matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => ({ from: page.path, to })),
);
const relative = links.filter(({ to }) => !to.includes(':'));

function fileOf({ from, to }: Link): string {
	const [file] = to.split('#');
	return file ? path.join(path.dirname(from), file) : from;
}

describe('the pages for people', () => {
	test('lead only to files and headings that exist', () => {
		expect(relative.length).toBeGreaterThan(20);
		const broken = relative.filter((link) => {
			const file = fileOf(link);
			if (!existsSync(file)) return true;
			const [, anchor] = link.to.split('#');
			return anchor !== undefined && !anchors(readPage(file)).includes(anchor);
		});
		expect(broken).toEqual([]);
	});

	test('name only files of the source that exist', () => {
		const named = pages.flatMap(({ text }) =>
			[...text.matchAll(/`((?:src|test|scripts|bench|examples)\/[\w./-]+)`/g)].map(([, file = '']) => file),
		);
		expect(named.length).toBeGreaterThan(20);
		expect(named.filter((file) => !existsSync(file))).toEqual([]);
	});

	test('of the guide are all in its index, and lead to nothing that is not packaged with them', () => {
		const guide = pages.filter((page) => page.path.startsWith('docs/')).map((page) => page.path);
		const inside = relative.filter(({ from }) => from.startsWith('docs/'));
		const index = inside.filter(({ from }) => from === 'docs/README.md').map(fileOf);
		expect(guide.filter((file) => file !== 'docs/README.md' && !index.includes(file))).toEqual([]);
		expect(inside.filter((link) => !fileOf(link).startsWith('docs/'))).toEqual([]);
	});

	test('name no address of a registry', () => {
		expect(pages.filter(({ text }) => /https?:\/\/\S*(registry|npmjs|artifactory)/i.test(text))).toEqual([]);
	});
});
