import { describe, expect, test } from 'vitest';
import {
	answerCost,
	joinedCosts,
	reportedTokens,
	reportedUsd,
	sumsOf,
	type TokenPrice,
} from '../../../src/common/cost.ts';

/** Claude Sonnet 4.5, as https://platform.claude.com/docs/en/about-claude/pricing has it: dollars for a million tokens. */
const sonnet: TokenPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

describe('what an answer cost', () => {
	test('is each kind of token at its own price, and what was thought is output', () => {
		const usage = {
			inputTokens: 100_000,
			cachedInputTokens: 60_000,
			cacheWriteTokens: 30_000,
			outputTokens: 2_000,
			thoughtTokens: 1_500,
		};
		const cost = answerCost(usage, sonnet, undefined);
		expect(cost?.usd).toBeCloseTo(0.03 + 0.018 + 0.1125 + 0.03, 10);
		expect(cost?.isTold).toBe(false);
		expect(cost).not.toHaveProperty('everyToolUsd');
	});

	test('counts what is kept in the cache for an hour at 2 times the input', () => {
		const usage = {
			inputTokens: 30_000,
			cacheWriteTokens: 30_000,
			hourCacheWriteTokens: 10_000,
			outputTokens: 0,
		};
		expect(answerCost(usage, sonnet, undefined)?.usd).toBeCloseTo(0.075 + 0.06, 10);
	});

	test('takes the cache for as dear as the rest where it has no price of its own', () => {
		const usage = { inputTokens: 1_000_000, cachedInputTokens: 900_000, outputTokens: 0 };
		expect(answerCost(usage, { input: 2, output: 8 }, undefined)?.usd).toBe(2);
	});

	test('is what the provider says, whatever the price would give', () => {
		const usage = { inputTokens: 1_000, outputTokens: 10, usd: 0.5 };
		expect(answerCost(usage, sonnet, undefined)).toMatchObject({ usd: 0.5, isTold: true });
		expect(answerCost(usage, undefined, undefined)).toEqual({ usd: 0.5, isTold: true });
	});

	test('is not known where nobody has told a price; that is not nothing', () => {
		expect(answerCost({ inputTokens: 1_000, outputTokens: 10 }, undefined, undefined)).toBeUndefined();
		expect(
			answerCost({ inputTokens: 1_000, outputTokens: 10 }, { input: 0, output: 0 }, undefined),
		).toMatchObject({ usd: 0 });
	});
});

describe('what it would have cost with every tool loaded', () => {
	const definitions = { tokens: 1_000, everyToolTokens: 51_000 };

	test('is what the further definitions come to at the price of that very input', () => {
		const usage = { inputTokens: 10_000, outputTokens: 100 };
		const cost = answerCost(usage, sonnet, definitions);
		expect(cost?.everyToolUsd).toBeCloseTo((cost?.usd ?? 0) + 0.15, 10);
	});

	test('is less the more of the prompt came from the cache: they would have come from there, too', () => {
		const usage = { inputTokens: 10_000, cachedInputTokens: 10_000, outputTokens: 0 };
		const cost = answerCost(usage, sonnet, definitions);
		expect(cost?.everyToolUsd).toBeCloseTo(0.003 + 0.015, 10);
	});

	test('keeps the proportion where the provider has told another sum', () => {
		const usage = { inputTokens: 10_000, outputTokens: 0, usd: 0.06 };
		expect(answerCost(usage, sonnet, definitions)?.everyToolUsd).toBeCloseTo(0.06 * 6, 10);
	});

	test('is not known without a price', () => {
		const usage = { inputTokens: 10_000, outputTokens: 0, usd: 0.06 };
		expect(answerCost(usage, undefined, definitions)).not.toHaveProperty('everyToolUsd');
		expect(answerCost(usage, { input: 0, output: 0 }, definitions)).not.toHaveProperty('everyToolUsd');
	});

	test('is nothing, too, of a model that costs nothing', () => {
		const usage = { inputTokens: 10_000, outputTokens: 5 };
		expect(answerCost(usage, { input: 0, output: 0 }, definitions)).toMatchObject({
			usd: 0,
			everyToolUsd: 0,
		});
	});
});

describe('what answers cost together', () => {
	const compared = sumsOf({ usd: 1, isTold: true, everyToolUsd: 3 });

	test('adds up', () => {
		const other = sumsOf({ usd: 2, isTold: false, everyToolUsd: 4 });
		expect(joinedCosts(compared, other)).toEqual({
			answers: 2,
			toldAnswers: 1,
			usd: 3,
			everyToolUsd: 7,
		});
	});

	test('is compared with nothing once one of them cannot be', () => {
		const mixed = joinedCosts(compared, sumsOf({ usd: 2, isTold: true }));
		expect(mixed).toEqual({ answers: 2, toldAnswers: 2, usd: 3 });
		expect(joinedCosts(mixed, compared)).not.toHaveProperty('everyToolUsd');
	});
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1e308, '5', null])(
	'%j is no count and no sum',
	(told) => {
		expect([reportedTokens(told), reportedUsd(told)]).toEqual([undefined, undefined]);
	},
);
