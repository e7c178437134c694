import { describe, expect, it } from 'vitest';
import { roomy } from '../../loopback.ts';
import { outcomeOf } from './asking.ts';
import { called, incomplete, itemEvents, said, searched, stream } from './endpoint.ts';

describe('an answer that does not come to its end', () => {
	const begun = itemEvents([said('Half of')]);

	it('is asked for again where the stream was empty', async () => {
		const { events } = await outcomeOf(stream());
		expect(events).toEqual([expect.objectContaining({ type: 'retrying' })]);
	});

	it('at the limit of output says so, counts what it cost, and is not asked for again', async () => {
		const { error, events, requests } = await outcomeOf(
			stream(...itemEvents([]), incomplete('max_output_tokens')),
		);
		expect(error?.reason).toBe('outputLimit');
		expect(error?.message).toMatch(/output limit/);
		expect(events).toEqual([{ type: 'usage', usage: { inputTokens: 100, outputTokens: 50 } }]);
		expect(requests).toBe(1);
	});

	it('at the content filter is refused', async () => {
		const { error } = await outcomeOf(stream(...begun, incomplete('content_filter')));
		expect(error?.reason).toBe('refused');
	});
});

describe('a failure in the middle of an answer', () => {
	it('is what it says', async () => {
		const failed = {
			type: 'response.failed',
			response: { id: 'resp_1', status: 'failed', error: { code: 'invalid_image', message: 'said so' } },
		};
		const { error } = await outcomeOf(stream(...itemEvents([said('Half')]), failed));
		expect(error).toMatchObject({ reason: 'invalidRequest', message: expect.stringContaining('said so') });
	});
});

describe('calls of an answer that was cut', () => {
	const whole = called('call_1', 'weather__now', '{"city":"Ulm"}');

	it('are handed out where they were finished, and not where they were not', async () => {
		const begun = itemEvents([whole, called('call_2', 'weather__now', '{"city":"Bo')]).slice(0, -1);
		const { events, error } = await outcomeOf(stream(...begun));
		expect(events.map((event) => event.type === 'toolCall' && event.call.input)).toEqual([{ city: 'Ulm' }]);
		expect(error?.reason).toBe('cut');
	});

	it('are not handed out where OpenAI says that it cut them', async () => {
		const half = called('call_1', 'weather__now', '{"city":"Bo', { status: 'incomplete' });
		const search = { ...searched('call_2', {}), status: 'incomplete' as const };
		const cut = stream(...itemEvents([half, search]), incomplete('max_output_tokens'));
		const { events } = await outcomeOf(cut, roomy, { searchTool: 'search_tools' });
		expect(events.map(({ type }) => type)).toEqual(['usage']);
	});
});
