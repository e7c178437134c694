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

describe('the cost of an answer', () => {
	test('uses the price of each kind of token, and thinking counts as output', () => {
		const usage = {
			inputTokens: 100_000,
			cachedInputTokens: 60_000,
			cacheWriteTokens: 30_000,
			outputTokens: 2_000,
			thoughtTokens: 1_500,
		};
		const cost = answerCost(usage, sonnet, undefined);
		expect(cost?.usd).toBeCloseTo(0.03 + 0.018 + 0.1125 + 0.03, 10);
		expect(cost?.isReported).toBe(false);
		expect(cost).not.toHaveProperty('everyToolUsd');
	});

	test('counts tokens cached for an hour at twice the input price', () => {
		const usage = {
			inputTokens: 30_000,
			cacheWriteTokens: 30_000,
			hourCacheWriteTokens: 10_000,
			outputTokens: 0,
		};
		expect(answerCost(usage, sonnet, undefined)?.usd).toBeCloseTo(0.075 + 0.06, 10);
	});

	test('uses the input price for cached tokens that have no price', () => {
		const usage = { inputTokens: 1_000_000, cachedInputTokens: 900_000, outputTokens: 0 };
		expect(answerCost(usage, { input: 2, output: 8 }, undefined)?.usd).toBe(2);
	});

	test('is the provider’s figure, whatever the price would give', () => {
		const usage = { inputTokens: 1_000, outputTokens: 10, usd: 0.5 };
		expect(answerCost(usage, sonnet, undefined)).toMatchObject({ usd: 0.5, isReported: true });
		expect(answerCost(usage, undefined, undefined)).toEqual({ usd: 0.5, isReported: true });
	});

	test('is unknown, not zero, without a price', () => {
		expect(answerCost({ inputTokens: 1_000, outputTokens: 10 }, undefined, undefined)).toBeUndefined();
		expect(
			answerCost({ inputTokens: 1_000, outputTokens: 10 }, { input: 0, output: 0 }, undefined),
		).toMatchObject({ usd: 0 });
	});
});

describe('the cost with every tool loaded', () => {
	const definitions = { tokens: 1_000, everyToolTokens: 51_000 };

	test('adds the other definitions at the price of the same input', () => {
		const usage = { inputTokens: 10_000, outputTokens: 100 };
		const cost = answerCost(usage, sonnet, definitions);
		expect(cost?.everyToolUsd).toBeCloseTo((cost?.usd ?? 0) + 0.15, 10);
	});

	test('adds less when more of the prompt came from the cache', () => {
		const usage = { inputTokens: 10_000, cachedInputTokens: 10_000, outputTokens: 0 };
		const cost = answerCost(usage, sonnet, definitions);
		expect(cost?.everyToolUsd).toBeCloseTo(0.003 + 0.015, 10);
	});

	test('is scaled when the provider reports another cost', () => {
		const usage = { inputTokens: 10_000, outputTokens: 0, usd: 0.06 };
		expect(answerCost(usage, sonnet, definitions)?.everyToolUsd).toBeCloseTo(0.06 * 6, 10);
	});

	test('is unknown without a price', () => {
		const usage = { inputTokens: 10_000, outputTokens: 0, usd: 0.06 };
		expect(answerCost(usage, undefined, definitions)).not.toHaveProperty('everyToolUsd');
		expect(answerCost(usage, { input: 0, output: 0 }, definitions)).not.toHaveProperty('everyToolUsd');
	});

	test('is zero for a free model', () => {
		const usage = { inputTokens: 10_000, outputTokens: 5 };
		expect(answerCost(usage, { input: 0, output: 0 }, definitions)).toMatchObject({
			usd: 0,
			everyToolUsd: 0,
		});
	});
});

describe('the cost of several answers', () => {
	const compared = sumsOf({ usd: 1, isReported: true, everyToolUsd: 3 });

	test('is their sum', () => {
		const other = sumsOf({ usd: 2, isReported: false, everyToolUsd: 4 });
		expect(joinedCosts(compared, other)).toEqual({
			answers: 2,
			reportedAnswers: 1,
			usd: 3,
			everyToolUsd: 7,
		});
	});

	test('has no comparison if one of the answers has none', () => {
		const mixed = joinedCosts(compared, sumsOf({ usd: 2, isReported: true }));
		expect(mixed).toEqual({ answers: 2, reportedAnswers: 2, usd: 3 });
		expect(joinedCosts(mixed, compared)).not.toHaveProperty('everyToolUsd');
	});
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1e308, '5', null])(
	'%j is rejected as a token count and as a cost',
	(told) => {
		expect([reportedTokens(told), reportedUsd(told)]).toEqual([undefined, undefined]);
	},
);
