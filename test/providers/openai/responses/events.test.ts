import { describe, expect, it } from 'vitest';
import { roomy } from '../../loopback.ts';
import { outcomeOf } from './asking.ts';
import {
	answer,
	called,
	incomplete,
	itemEvents,
	said,
	searched,
	stream,
	type WireEvent,
} from './endpoint.ts';

describe('an answer that does not come to its end', () => {
	const begun = itemEvents([said('Half of')]);

	it.each([
		['the stream was empty', stream()],
		['it had only begun', stream(...itemEvents([]))],
	])('is asked for again where %s', async (_, cut) => {
		const { events } = await outcomeOf(cut);
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
	const failed = (error: object): WireEvent => ({
		type: 'response.failed',
		response: { id: 'resp_1', status: 'failed', error },
	});

	it.each([
		['server_error', 'server'],
		['rate_limit_exceeded', 'rateLimited'],
		['invalid_image', 'invalidRequest'],
		['context_length_exceeded', 'contextTooLong'],
		['image_content_policy_violation', 'refused'],
	])('%s is %s', async (code, reason) => {
		const events = itemEvents([said('Half')]);
		const { error } = await outcomeOf(stream(...events, failed({ code, message: 'said so' })));
		expect(error?.reason).toBe(reason);
		expect(error?.message).toContain('said so');
	});

	it.each([
		['flat', { type: 'error', code: 'server_error', message: 'it broke' }],
		['nested', { type: 'error', error: { type: 'server_error', code: null, message: 'it broke' } }],
		['without a name', { type: 'error', code: null, message: 'it broke' }],
	])('as an error event, %s', async (_, event) => {
		const { error } = await outcomeOf(stream(...itemEvents([said('Half')]), event));
		expect(error).toMatchObject({ reason: 'server', message: expect.stringContaining('it broke') });
	});

	it('is waited out where nothing of the answer had come', async () => {
		const { events } = await outcomeOf(stream(failed({ code: 'server_error', message: 'oops' })));
		expect(events).toEqual([expect.objectContaining({ type: 'retrying' })]);
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

	it('are at fault where they were finished and their arguments are no JSON', async () => {
		const { events, error } = await outcomeOf(answer([called('call_1', 'weather__now', '{"city":"Bo')]));
		expect(events[0]).toMatchObject({
			type: 'toolCall',
			call: { input: {}, fault: expect.stringMatching(/not valid JSON/) },
		});
		expect(error).toBeUndefined();
	});
});
