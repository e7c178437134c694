import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asking, failureOf, modelAt, outcomeOf, textOf } from './asking.ts';
import {
	type Answer,
	answer,
	completed,
	endpointAt,
	failure,
	itemEvents,
	ResponsesEndpoint,
	said,
} from './endpoint.ts';

const soon = { 'retry-after-ms': '1' };

describe('a request that is refused', () => {
	const provider = new LLMock({ port: 0, logLevel: 'silent' });
	beforeAll(async () => void (await provider.start()));
	beforeEach(() => void provider.reset());
	afterAll(() => provider.stop());

	it.each([
		[401, 'unauthorized', /Set the key/],
		[402, 'payment', /Add credit/],
		[403, 'forbidden', /Use a key that may/],
		[404, 'notFound', /Check "model" and "base_url"/],
		[400, 'invalidRequest', /Pick another model/],
	])('with %i is %s, says what to do, and is not sent again', async (status, reason, advice) => {
		provider.nextRequestError(status, { message: 'said so' });
		const { error, events } = await failureOf(modelAt(endpointAt(`${provider.url}/v1`)), asking('hello'));
		expect(error).toMatchObject({ reason, status });
		expect(error?.message).toMatch(advice);
		expect(events).toEqual([]);
		expect(provider.getRequests()).toHaveLength(1);
	});

	it('for its length says so', async () => {
		const tooLong = failure(400, { code: 'context_length_exceeded', message: 'too many tokens' });
		expect((await outcomeOf([tooLong])).error?.reason).toBe('contextTooLong');
	});
});

describe('a provider that fails in a way that passes', () => {
	it.each([
		['429', failure(429, { message: 'slow down' }, soon)],
		['529', failure(529, { message: 'busy' }, soon)],
		['503', failure(503, { message: 'busy' }, soon)],
	])('with %s is asked again when it says, and the user is told', async (_, failing) => {
		const { events, error, requests } = await outcomeOf([failing, answer([said('There.')])]);
		expect(error).toBeUndefined();
		expect(events[0]).toMatchObject({ type: 'retrying', afterMs: 500 });
		expect(textOf(events)).toBe('There.');
		expect(requests).toBe(2);
	});

	it('is waited for as long as it asks, in seconds as well', async () => {
		const { events } = await outcomeOf([failure(429, {}, { 'retry-after': '7' })]);
		expect(events).toEqual([expect.objectContaining({ type: 'retrying', afterMs: 7_000 })]);
	});

	it('is not asked again where the account is empty', async () => {
		const empty = failure(429, { code: 'insufficient_quota', message: 'You exceeded your quota.' }, soon);
		expect(await outcomeOf([empty])).toMatchObject({ error: { reason: 'payment' }, requests: 1 });
	});

	it('shows no HTML of an error page', async () => {
		const page: Answer = (response) => {
			response.writeHead(500, { 'content-type': 'text/html', ...soon });
			response.end('<!doctype html><h1>Oops</h1>');
		};
		const { error, requests } = await outcomeOf([page, page, page, page, page]);
		expect(error?.reason).toBe('server');
		expect(error?.message).not.toContain('<');
		expect(requests).toBe(5);
	});
});

describe('an address that is not OpenAI’s API', () => {
	it('that leads elsewhere is not followed there', async () => {
		await using elsewhere = new ResponsesEndpoint(answer([said('Gotcha.')]));
		const { baseUrl } = await elsewhere.start();
		const redirect: Answer = (response) =>
			response.writeHead(307, { location: `${baseUrl}/responses` }).end();
		expect((await outcomeOf([redirect])).error?.reason).toBe('redirected');
		expect(elsewhere.asked).toEqual([]);
	});

	it('that answers with a page is told apart from an answer that was cut', async () => {
		const page: Answer = (response) =>
			response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
		const { error, requests } = await outcomeOf([page]);
		expect(error?.reason).toBe('malformed');
		expect(error?.message).toMatch(/base_url/);
		expect(requests).toBe(1);
	});

	it('that streams without saying so is understood', async () => {
		const unlabelled: Answer = (response) => {
			response.setHeader('content-type', 'application/octet-stream');
			response.end(`data: ${JSON.stringify(completed())}\n\n`);
		};
		const { error, events } = await outcomeOf([unlabelled]);
		expect(error).toBeUndefined();
		expect(events.map(({ type }) => type)).toEqual(['usage']);
	});

	it('that streams without saying so can be cut, too', async () => {
		const [begun] = itemEvents([]);
		const unlabelled: Answer = (response) => response.end(`data: ${JSON.stringify(begun)}\n\n`);
		const { events } = await outcomeOf([unlabelled]);
		expect(events).toEqual([expect.objectContaining({ type: 'retrying' })]);
	});

	it('that streams something else than JSON is told so', async () => {
		const noise: Answer = (response) =>
			response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: hello\n\n');
		expect((await outcomeOf([noise])).error?.reason).toBe('malformed');
	});

	it('where nobody listens is unreachable', async () => {
		const gone = new ResponsesEndpoint();
		const endpoint = await gone.start();
		await gone[Symbol.asyncDispose]();
		expect((await failureOf(modelAt(endpoint), asking('hello'))).error?.reason).toBe('unreachable');
	});
});
