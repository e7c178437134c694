import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContextNeed, contextSize, estimateMargin } from '../../../src/models/ollama/contextSize.ts';

const roomy: ContextNeed = { promptTokens: 100, answerTokens: 4_096, longestTokens: 131_072, leastTokens: 0 };

describe('The length of context to ask Ollama for', () => {
	test.each([
		['a short prompt', {}, 8_192],
		['a prompt that leaves too little room for the answer', { promptTokens: 4_000 }, 16_384],
		['a long answer', { answerTokens: 20_000 }, 32_768],
		['a prompt near the end of what the model takes', { promptTokens: 130_000 }, 131_072],
		['a model that takes less than the smallest', { longestTokens: 2_048 }, 2_048],
		['a short prompt after a long one', { leastTokens: 65_536 }, 65_536],
		['a longer context asked for than the model takes', { leastTokens: 999_999 }, 131_072],
		['a prompt that the model has no room for', { promptTokens: 131_072 }, undefined],
	])('For %s', (_, need, size) => {
		expect(contextSize({ ...roomy, ...need })).toBe(size);
	});

	test('It holds the prompt with its margin and the answer, or is all that there is', () => {
		const tokens = fc.integer({ min: 1, max: 2_000_000 });
		const need = fc.record({
			promptTokens: tokens,
			answerTokens: tokens,
			longestTokens: tokens,
			leastTokens: tokens,
		});
		fc.assert(
			fc.property(need, (given) => {
				const size = contextSize(given);
				if (size === undefined) return given.promptTokens >= given.longestTokens;
				const wanted = given.promptTokens * estimateMargin + given.answerTokens;
				return size === given.longestTokens || (size < given.longestTokens && size >= wanted);
			}),
		);
	});
});
