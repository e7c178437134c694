import { describe, expect, test } from 'vitest';
import { type HttpAnswer, textOf } from '../../loopback.ts';
import { outcomeOf } from './asking.ts';
import { answer, completed, said } from './endpoint.ts';

describe('what a model refuses, and what it cost', () => {
	test('says a refusal as text', async () => {
		const refusal = { ...said(''), content: [{ type: 'refusal' as const, refusal: 'I will not.' }] };
		expect(textOf((await outcomeOf(answer([refusal]))).events)).toBe('I will not.');
	});

	test('counts what came from the cache and went to it, and what was thought', async () => {
		const details = { cached_tokens: 1_024, cache_write_tokens: 512 };
		const { events } = await outcomeOf(
			answer([said('ok')], {
				input_tokens: 2_000,
				output_tokens: 3,
				input_tokens_details: details,
				output_tokens_details: { reasoning_tokens: 2 },
			}),
		);
		expect(events.at(-1)).toEqual({
			type: 'usage',
			usage: {
				inputTokens: 2_000,
				outputTokens: 3,
				cachedInputTokens: 1_024,
				cacheWriteTokens: 512,
				thoughtTokens: 2,
			},
		});
	});
});

describe('an address that is not OpenAI’s API', () => {
	test('that streams without saying so is understood', async () => {
		const unlabelled: HttpAnswer = (response) => {
			response.setHeader('content-type', 'application/octet-stream');
			response.end(`data: ${JSON.stringify(completed())}\n\n`);
		};
		const { error, events } = await outcomeOf(unlabelled);
		expect(error).toBeUndefined();
		expect(events.map(({ type }) => type)).toEqual(['usage']);
	});
});
