import { describe, expect, test } from 'vitest';
import type { AnswerPart } from '../../../../src/discovery/catalog/message.ts';
import { callsOf } from '../../../../src/models/answerParts.ts';
import { type HttpAnswer, textOf } from '../../loopback.ts';
import { outcomeOf } from './asking.ts';
import { answer, completed, incomplete, said, stream } from './endpoint.ts';

describe('calls of one answer', () => {
	const item = (id: string, call: string, path: string) => ({
		type: 'response.output_item.done',
		item: {
			type: 'function_call',
			id,
			call_id: call,
			name: 'files__read',
			arguments: JSON.stringify({ path }),
		},
	});
	const pathsIn = (parts: readonly AnswerPart[]) => callsOf(parts).map(({ input }) => input.path);

	test('are all made where a gateway gives them the id of one item', async () => {
		const items = [item('fc', 'c1', 'a'), item('fc', 'c2', 'b'), item('fc', 'c2', 'b')];
		const { parts } = await outcomeOf(stream(...items, completed()));
		expect(pathsIn(parts)).toEqual(['a', 'b']);
	});

	test('are made if they came whole before the limit of output', async () => {
		const { parts } = await outcomeOf(stream(item('fc', 'c1', 'a'), incomplete('max_output_tokens')));
		expect(pathsIn(parts)).toEqual(['a']);
	});
});

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
