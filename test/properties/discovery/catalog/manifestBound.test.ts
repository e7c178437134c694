import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import type { CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import { generateManifest } from '../../../../src/discovery/catalog/manifest.ts';
import { searchToolsDefinition } from '../../../../src/discovery/tools/searchTools.ts';
import { isNightly } from '../../../effort.ts';
import { surfaceOf, tool } from '../../../unit/discovery/fixtures.ts';

/** Numbers that are the same at every run. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return state / 2 ** 32;
	};
}

function letters(alphabet: string, length: number) {
	const random = randomNumbers(length);
	const characters = [...alphabet];
	return () => Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join('');
}

function range(from: number, to: number): string {
	return Array.from({ length: to - from }, (_, i) => String.fromCodePoint(from + i)).join('');
}

function words(text: string, count: number) {
	const random = randomNumbers(count);
	const all = text.split(' ');
	return () => Array.from({ length: count }, () => all[Math.floor(random() * all.length)]).join('_');
}

/** How servers name things: in words, and in ways of which tokenizers make many tokens. */
const namings: Readonly<Record<string, () => string>> = {
	words: words('get list create update delete user event file message order report calendar', 3),
	'compound words': words('rechtsschutzversicherung bundesausbildungsfoerderung hyvinvointipalvelu', 2),
	hex: letters('0123456789abcdef', 12),
	uuids: letters('0123456789abcdef-', 36),
	'random letters': letters(range(97, 123), 20),
	'letters and digits': letters(`${range(48, 58)}${range(65, 91)}${range(97, 123)}`, 16),
	Chinese: letters(range(0x4e00, 0x9fa5), 6),
	Korean: letters(range(0xac00, 0xd7a3), 6),
	Russian: letters(range(0x430, 0x450), 10),
	Arabic: letters(range(0x627, 0x64a), 8),
	Thai: letters(range(0xe01, 0xe2e), 8),
	emoji: letters(range(0x1f300, 0x1f600), 5),
	cuneiform: letters(range(0x12000, 0x12399), 8),
	punctuation: letters(range(33, 48), 10),
};

function fleet(count: number, naming: () => string, toolsEach = 5): CatalogServer[] {
	return Array.from({ length: count }, (_, i) => {
		const name = `${naming()}${i}`;
		return {
			name,
			tools: Array.from({ length: toolsEach }, () =>
				tool(name, naming(), `${naming()} ${naming()} ${naming()}.`),
			),
		};
	});
}

/** Tokens of `search_tools` as OpenAI's models count them. */
function tokensOf(servers: readonly CatalogServer[], maxManifestTokens = 2500): number {
	const { name, description, inputSchema } = searchToolsDefinition(surfaceOf(servers, { maxManifestTokens }));
	return encode(
		JSON.stringify({ type: 'function', function: { name, description, parameters: inputSchema } }),
	).length;
}

describe.each(Object.entries(namings))('with servers and tools named in %s', (_kind, naming) => {
	// Counting the tokens of 600 servers takes a second.
	test.each(isNightly ? [1, 60, 600] : [60])(
		'search_tools stays within 2,500 tokens for %i servers',
		(count) => {
			expect(tokensOf(fleet(count, naming))).toBeLessThanOrEqual(2500);
		},
	);
});

test('search_tools stays within 2,500 tokens for two thousand servers', () => {
	expect(tokensOf(fleet(2000, namings.hex ?? String))).toBeLessThanOrEqual(2500);
});

test('the manifest stays within the user’s own budget', () => {
	for (const budget of [400, 1000, 5000]) {
		expect(tokensOf(fleet(300, namings.words ?? String), budget)).toBeLessThanOrEqual(budget);
	}
});

test('the manifest of a fleet named in words uses at least half of the budget', () => {
	expect(tokensOf(fleet(60, namings.words ?? String))).toBeGreaterThan(1250);
});

describe('with more servers, the manifest loses detail, but leaves out no server silently', () => {
	/** Tools that a manifest accounts for. */
	function counted(manifest: string): number {
		return [...manifest.matchAll(/^- .*?\((\d+) tools?\)/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
	}

	test.each([1, 60, 400, 2000])('with %i servers, every tool is counted', (count) => {
		const all = fleet(count, namings.words ?? String, 3);
		const manifest = generateManifest(
			all.flatMap((server) => server.tools),
			{ maxTokens: 2300 },
		);
		expect(counted(manifest)).toBe(count * 3);
	});

	test('few servers have names and summaries, more have counts, and very many are summed up in a last line', () => {
		const manifest = (count: number) =>
			generateManifest(
				fleet(count, namings.words ?? String, 3).flatMap((server) => server.tools),
				{ maxTokens: 2300 },
			);
		expect(manifest(10)).not.toMatch(/^- .*tools\)$/m);
		expect(manifest(150)).toMatch(/^- .*tools\)$/m);
		expect(manifest(150).match(/^- /gm)).toHaveLength(150);
		expect(manifest(2000)).toMatch(
			/^- \.\.\. and \d+ more servers \(\d+ tools\): use query to search them$/m,
		);
	});

	test('a budget that fits nothing still shows the number of servers and tools', () => {
		const all = fleet(3, namings.words ?? String, 2).flatMap((server) => server.tools);
		expect(generateManifest(all, { maxTokens: 1 })).toContain('- ... and 3 more servers (6 tools)');
		expect(generateManifest(all.slice(0, 2), { maxTokens: 1 })).toContain(
			'- ... and 1 more server (2 tools)',
		);
	});
});
