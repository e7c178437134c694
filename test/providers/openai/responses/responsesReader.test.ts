import { describe, expect, test } from 'vitest';
import { givenCalls } from '../../asGiven.ts';
import { roomy } from '../../loopback.ts';
import { outcomeOf } from './asking.ts';
import { called, incomplete, itemEvents, said, searched, stream } from './endpoint.ts';

describe('an answer that does not come to its end', () => {
	const begun = itemEvents([said('Half of')]);

	test('is asked for again where the stream was empty', async () => {
		const { events } = await outcomeOf(stream());
		expect(events).toEqual([expect.objectContaining({ type: 'retrying' })]);
	});

	test('at the limit of output says so, counts what it cost, and is not asked for again', async () => {
		const { error, events, requests } = await outcomeOf(
			stream(...itemEvents([]), incomplete('max_output_tokens')),
		);
		expect(error?.reason).toBe('outputLimit');
		expect(error?.message).toMatch(/output limit/);
		expect(events).toEqual([{ type: 'usage', usage: { inputTokens: 100, outputTokens: 50 } }]);
		expect(requests).toBe(1);
	});

	test('at the content filter is refused', async () => {
		const { error } = await outcomeOf(stream(...begun, incomplete('content_filter')));
		expect(error?.reason).toBe('refused');
	});
});

describe('a failure in the middle of an answer', () => {
	test('is what it says', async () => {
		const failed = {
			type: 'response.failed',
			response: { id: 'resp_1', status: 'failed', error: { code: 'invalid_image', message: 'said so' } },
		};
		const { error } = await outcomeOf(stream(...itemEvents([said('Half')]), failed));
		expect(error).toMatchObject({ reason: 'invalidRequest', message: expect.stringContaining('said so') });
	});

	test('was paid for where it has a usage, and is asked for again if the user has read nothing', async () => {
		const response = {
			status: 'failed',
			error: { code: 'server_error', message: 'Sorry' },
			usage: { input_tokens: 100, output_tokens: 5 },
		};
		const { events } = await outcomeOf(stream({ type: 'response.failed', response }));
		expect(events).toEqual([
			{ type: 'usage', usage: { inputTokens: 100, outputTokens: 5 } },
			expect.objectContaining({ type: 'retrying' }),
		]);
	});
});

describe('calls of an answer that was cut', () => {
	const whole = called('call_1', 'weather__now', '{"city":"Ulm"}');

	test('are not handed out, finished or not, and the request is repeated', async () => {
		const begun = itemEvents([whole, called('call_2', 'weather__now', '{"city":"Bo')]).slice(0, -1);
		const { events, parts } = await outcomeOf(stream(...begun));
		expect(parts).toEqual([]);
		expect(events).toEqual([expect.objectContaining({ type: 'retrying' })]);
	});

	test('are handed out at the limit of output only where they were finished', async () => {
		const half = called('call_2', 'weather__now', '{"city":"Bo', { status: 'incomplete' });
		const cut = stream(...itemEvents([whole, half]), incomplete('max_output_tokens'));
		const { parts, error } = await outcomeOf(cut);
		expect(error).toBeUndefined();
		expect(givenCalls(parts)).toEqual([{ id: 'call_1', name: 'weather__now', input: { city: 'Ulm' } }]);
	});

	test('are not handed out where OpenAI says that it cut them', async () => {
		const half = called('call_1', 'weather__now', '{"city":"Bo', { status: 'incomplete' });
		const search = { ...searched('call_2', {}), status: 'incomplete' as const };
		const cut = stream(...itemEvents([half, search]), incomplete('max_output_tokens'));
		const { events, parts } = await outcomeOf(cut, roomy, { searchTool: 'search_tools' });
		expect([parts, events.map(({ type }) => type)]).toEqual([[], ['usage']]);
	});
});
