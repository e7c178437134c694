import { describe, expect, test } from 'vitest';
import { readEvents } from '../../../src/models/http/eventStream.ts';
import { failureOfResponse } from '../../../src/models/http/failure.ts';
import { endpointAt } from '../../providers/loopback.ts';
import { after } from './after.ts';
import { before } from './before.ts';
import type { Refusal } from './rows.ts';

const rows = [...before, ...after].map((row) => ({ ...row, words: JSON.stringify(row.body) }));

describe('what a provider refuses', () => {
	test('is told by a hundred bodies', () => {
		expect(rows.length).toBeGreaterThanOrEqual(100);
	});

	test.each(rows)('$status $words is $reason ($from)', async ({ reason, waitMs, context, ...row }) => {
		const failure = await failureIn(row);
		expect(failure).toMatchObject({ reason, retryAfterMs: waitMs });
		expect(Object(failure).limits.contextTokens).toBe(context);
		// The user sees the provider's own words, whatever form its body has.
		expect(Object(failure).said).not.toBe('');
	});
});

async function failureIn({ status, body }: Pick<Refusal, 'status' | 'body'>): Promise<unknown> {
	const endpoint = endpointAt('https://api.example/v1');
	const text = JSON.stringify(body);
	const response = new Response(text, { status });
	if (status !== 200) return failureOfResponse(endpoint, response, text, false);
	return readEvents(endpoint, Promise.resolve(response), {}, () => undefined).catch(
		(error: unknown) => error,
	);
}
