import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { certainty } from '../../../../src/discovery/search/certainty.ts';
import type { OutcomeHit, SearchOutcome } from '../../../../src/discovery/tools/findTools.ts';
import { searchResultJson } from '../../../../src/discovery/tools/otherChats.ts';
import { searchResultText } from '../../../../src/discovery/tools/resultText.ts';
import { search, servers, sessionOf, surfaceOf, tool } from '../fixtures.ts';

const noSure = 'No sure match. The closest tools, not loaded';

/** A tool of the office that a search found and loaded. */
function hit(wireName: string, confidence?: number): OutcomeHit {
	const tool = surfaceOf().get(wireName);
	if (!tool) throw new Error(`the office has no ${wireName}`);
	return { tool, score: 1, state: 'loaded', ...(confidence !== undefined && { confidence }) };
}

function outcomeOf(...hits: OutcomeHit[]): Extract<SearchOutcome, { ok: true }> {
	const rest = { further: [], more: 0, missing: [] };
	return { ok: true, kind: 'keyword', query: 'tell them', searched: 6, hits, ...rest };
}

describe('given a search with one sure and one uncertain match', () => {
	const outcome = outcomeOf(hit('slack__send_message', certainty), hit('slack__search', certainty - 0.01));

	test('then only the uncertain match is marked', () => {
		const text = searchResultText(outcome);
		expect(text).toContain('- slack:send_message (slack__send_message)\n');
		expect(text).toContain('- slack:search (slack__search) [uncertain]\n');
		expect(text).not.toContain(noSure);
	});

	test('then the JSON has the confidence of each match', () => {
		const { matches } = searchResultJson('tell them', { ...outcome, further: [] }, 6);
		expect(matches.map(({ confidence }) => confidence)).toEqual([certainty, certainty - 0.01]);
	});
});

test('given a search without a sure match, then the text says so and names ten tools that are not loaded', () => {
	const further = Array.from({ length: 12 }, () => hit('slack__search', 0.3));
	const text = searchResultText({ ...outcomeOf(), further, more: 40 });
	expect(text.startsWith(`${noSure}; load one by its exact name`)).toBe(true);
	expect(text.match(/^ {2}slack__search: /gm)).toHaveLength(10);
	expect(text).not.toMatch(/error|no tools found|now loaded/i);
});

test('given a ranking without confidence, then no match is marked', () => {
	const text = searchResultText(outcomeOf(hit('slack__search')));
	expect(text).not.toContain('uncertain');
	expect(text).not.toContain(noSure);
});

test('given an uncertain match that is already loaded, then it has both marks', () => {
	const text = searchResultText(outcomeOf({ ...hit('slack__search', 0.3), state: 'already-loaded' }));
	expect(text).toContain('(slack__search) [Already loaded] [uncertain]');
});

/** A server whose tools all search mail, each with a long description and so many parameters; another has what none asks for. */
function verbose(
	count: number,
	parameters: number,
	sentence = 'Searches the mail of a mailbox in a folder of your choice',
) {
	const names = Array.from({ length: parameters }, (_, i) => [
		`folder_option_${i}`,
		i < 6 ? 'string!' : 'string',
	]);
	const description = `${sentence}. `.repeat(Math.ceil(3000 / sentence.length));
	return servers({
		mail: Array.from({ length: count }, (_, i) =>
			tool('mail', `search_mailbox_${i}`, description, Object.fromEntries(names)),
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

describe('given tools with descriptions of 3 KB and 60 parameters', () => {
	const all = verbose(40, 60);

	test('when five are found, then at most 400 tokens name all five and some further tools', async () => {
		const { text, newlyLoaded } = await search(sessionOf(all), { query: 'search a mailbox' });
		expect(tokensOf(text)).toBeLessThanOrEqual(400);
		expect(newlyLoaded).toHaveLength(5);
		for (const name of newlyLoaded) expect(text).toContain(`(${name})`);
		expect(namedLines(text)).not.toEqual([]);
	});

	test('when 25 are found, then the text grows in proportion', async () => {
		const session = sessionOf(all, { maxSearchResults: 25, maxActiveSchemas: null });
		const { text, newlyLoaded } = await search(session, { query: 'search a mailbox' });
		expect(newlyLoaded).toHaveLength(25);
		expect(tokensOf(text)).toBeLessThanOrEqual(25 * 80);
	});

	test('when one is found, then all its parameters are listed', async () => {
		const { text } = await search(sessionOf(verbose(1, 20)), { query: 'search a mailbox' });
		expect(text).toContain('folder_option_19 (string)');
		expect(tokensOf(text)).toBeLessThanOrEqual(400);
	});

	test('when entries are shortened, then a required parameter stays and the rest are counted', async () => {
		const { text } = await search(sessionOf(all), { query: 'search a mailbox' });
		expect(text).toContain('Parameters: folder_option_0 (string, required), ... and 59 more');
	});

	test('when further tools are named, then the best come first, three of them with five words each', async () => {
		const { text, search: outcome } = await search(sessionOf(all), { query: 'search a mailbox' });
		const further = outcome?.ok ? outcome.further.map(({ tool }) => tool.wireName) : [];
		const named = namedLines(text);
		expect(named).toEqual(
			further
				.slice(0, named.length)
				.map((name, i) => `  ${name}${i < 3 ? ': Searches the mail of a...' : ''}`),
		);
	});
});

test('given descriptions in Chinese, when five are found, then the text has at most 400 tokens', async () => {
	const all = verbose(20, 10, '将邮箱中的所有邮件归档到您选择的文件夹中以便日后查阅和管理并保持收件箱整洁');
	const { text, newlyLoaded } = await search(sessionOf(all), { query: 'search mailbox' });
	expect(newlyLoaded).toHaveLength(5);
	expect(tokensOf(text)).toBeLessThanOrEqual(400);
});

describe('the type of a parameter in the result text', () => {
	const typed = async (schema: object, more: object = { type: 'object' }) => {
		const session = sessionOf(
			servers({ s: [{ ...tool('s', 'x'), inputSchema: { ...more, properties: { p: schema } } }] }),
		);
		return /Parameters: p \((.*)\)$/m.exec((await search(session, { server_name: 's' })).text)?.[1];
	};

	test.each([
		[{ type: 'string' }, 'string'],
		[{ type: 'array', items: { type: 'number' } }, 'number[]'],
		[{ type: 'array' }, 'array'],
		[{ type: ['string', 'null'] }, 'string | null'],
		[{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string | integer'],
		[{ type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } }, '(string | integer)[]'],
		[{ enum: ['a', 'b'] }, 'string'],
		[{ enum: [1, 2] }, 'number'],
		[{ type: ['string\n- bank:pay'] }, 'string - bank:pay'],
		[{ $ref: '#/x' }, 'any'],
		[{}, 'any'],
	])('is derived from %j', async (schema, expected) => {
		expect(await typed(schema)).toBe(expected);
	});

	test('resolves references', async () => {
		const $defs = {
			Level: { enum: ['low', 'high'] },
			levels: { type: 'array', items: { $ref: '#/$defs/Level' } },
		};
		const optional = { anyOf: [{ $ref: '#/$defs/levels' }, { type: 'null' }] };
		expect(await typed(optional, { type: 'object', $defs })).toBe('string[] | null');
	});

	test('handles 100,000 nested levels without a stack overflow', async () => {
		let schema: object = {};
		for (let i = 0; i < 100_000; i++) schema = i % 2 ? { type: 'array', items: schema } : { anyOf: [schema] };
		expect(await typed(schema)).toBe('any[][]');
	});

	test('is replaced by “none” when there are no parameters', async () => {
		expect((await search(sessionOf(servers({ s: ['x'] })), { server_name: 's' })).text).toContain(
			'Parameters: none',
		);
	});
});
