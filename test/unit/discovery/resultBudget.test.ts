import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { search, servers, sessionOf, tool } from './fixtures.ts';

/** A server whose tools all archive mail, each with a long description and so many parameters; another has what none asks for. */
function verbose(
	count: number,
	parameters: number,
	sentence = 'Archives the mail of a mailbox in a folder of your choice',
) {
	const names = Array.from({ length: parameters }, (_, i) => [
		`folder_option_${i}`,
		i < 6 ? 'string!' : 'string',
	]);
	const description = `${sentence}. `.repeat(Math.ceil(3000 / sentence.length));
	return servers({
		mail: Array.from({ length: count }, (_, i) =>
			tool('mail', `archive_mailbox_${i}`, description, Object.fromEntries(names)),
		),
		garden: Array.from({ length: 200 }, (_, i) => tool('garden', `water_${i}`, `Water bed ${i} of a garden`)),
	});
}

function tokensOf(text: string): number {
	return countTokens(text, { disallowedSpecial: new Set() });
}

/** Lines that name tools which are not loaded. */
function namedLines(text: string): string[] {
	return text.match(/^ {2}mail__\S+:.*$/gm) ?? [];
}

describe('given tools with descriptions of three kilobytes and sixty parameters', () => {
	const all = verbose(40, 60);

	test('when five are found, then the text has 400 tokens at most, with all five and some that are not loaded', async () => {
		const { text, newlyLoaded } = await search(sessionOf(all), { query: 'archive a mailbox' });
		expect(tokensOf(text)).toBeLessThanOrEqual(400);
		expect(newlyLoaded).toHaveLength(5);
		for (const name of newlyLoaded) expect(text).toContain(`(${name})`);
		expect(namedLines(text)).not.toEqual([]);
	});

	test('when twenty-five are found, then it grows in proportion', async () => {
		const session = sessionOf(all, { maxSearchResults: 25, maxActiveSchemas: null });
		const { text, newlyLoaded } = await search(session, { query: 'archive a mailbox' });
		expect(newlyLoaded).toHaveLength(25);
		expect(tokensOf(text)).toBeLessThanOrEqual(25 * 80);
	});

	test('when one is found, then it is told at length', async () => {
		const { text } = await search(sessionOf(verbose(1, 20)), { query: 'archive a mailbox' });
		expect(text).toContain('folder_option_19 (string)');
		expect(tokensOf(text)).toBeLessThanOrEqual(400);
	});

	test('when entries are shortened, then required parameters stay and the others are counted', async () => {
		const { text } = await search(sessionOf(all), { query: 'archive a mailbox' });
		expect(text).toContain('Parameters: folder_option_0 (string, required), ... and 59 more');
	});

	test('when further tools are named, then the next best of them, each with ten words', async () => {
		const { text, search: outcome } = await search(sessionOf(all), { query: 'archive a mailbox' });
		const further = outcome?.ok ? outcome.further.map(({ wireName }) => wireName) : [];
		const named = namedLines(text);
		expect(named).toEqual(
			further
				.slice(0, named.length)
				.map((name) => `  ${name}: Archives the mail of a mailbox in a folder of...`),
		);
	});
});

test('given descriptions in Chinese, when five are found, then the text has 400 tokens at most', async () => {
	const all = verbose(20, 10, '将邮箱中的所有邮件归档到您选择的文件夹中以便日后查阅和管理并保持收件箱整洁');
	const { text, newlyLoaded } = await search(sessionOf(all), { query: 'archive mailbox' });
	expect(newlyLoaded).toHaveLength(5);
	expect(tokensOf(text)).toBeLessThanOrEqual(400);
});

test('given a query of a hundred kilobytes that nothing matches, then little of it is repeated', async () => {
	const { text } = await search(sessionOf(), { query: 'xylophone '.repeat(10_000) });
	expect(text).toMatch(/^No tools found matching 'xylophone .*\.\.\.'\.$/m);
	expect(tokensOf(text)).toBeLessThanOrEqual(400);
});
