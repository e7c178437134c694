import { expect, test } from 'vitest';
import { failureOf } from '../../../src/models/http/failure.ts';
import type { ModelError, ModelErrorReason } from '../../../src/models/modelError.ts';
import { endpointAt, key } from '../loopback.ts';
import { failureIn, provider } from './provider.ts';

/** An error as OpenAI words it. */
const openAi = (message: string, code: string | number | null = null, type = 'invalid_request_error') => ({
	error: { message, type, param: null, code },
});

/** How the words of a body are shown, and what the user is told to do. Reasons of public reports: `test/world/refusals`. */
const cases: readonly (readonly [number, unknown, ModelErrorReason, string])[] = [
	[
		401,
		openAi('Incorrect API key provided.', 'invalid_api_key'),
		'unauthorized',
		'did not accept the API key (401): Incorrect API key provided. Set the key with the command “Discovery: Set API Key or Secret…”.',
	],
	[
		404,
		openAi('The model `x` does not exist', 'model_not_found'),
		'notFound',
		'Check "model" and "base_url" of the client “router”',
	],
	[404, '404 page not found', 'notFound', '(404): 404 page not found. Check'],
	[408, '', 'server', 'failed (408). Try again'],
	[409, openAi('Conflict', null), 'server', 'failed (409): Conflict. Try again'],
	[
		400,
		[{ error: { code: 400, message: 'items: missing field.', status: 'INVALID_ARGUMENT' } }],
		'invalidRequest',
		'(400): items: missing field. Pick another model',
	],
	[
		422,
		{
			detail: [
				{ loc: ['body', 'model'], msg: 'Field required', type: 'missing' },
				{ loc: ['body', 'n'], msg: 'Not a number' },
			],
		},
		'invalidRequest',
		'(422): body.model: Field required; body.n: Not a number. Pick',
	],
	[
		401,
		{ statusCode: 401, error: 'Unauthorized', message: 'This key has expired' },
		'unauthorized',
		'(401): This key has expired. Set',
	],
	[
		401,
		{ error: 'invalid_token', error_description: 'The token has expired' },
		'unauthorized',
		'(401): The token has expired. Set',
	],
	[422, { errors: { model: ['is not one of ours'] } }, 'invalidRequest', '(422): is not one of ours. Pick'],
	[422, { detail: 'Not this way' }, 'invalidRequest', '(422): Not this way. Pick'],
	[
		422,
		{ object: 'error', message: { detail: [{ loc: ['body'], msg: 'Bad' }] }, type: 'invalid_request_error' },
		'invalidRequest',
		'(422): body: Bad. Pick',
	],
	[
		502,
		{
			error: {
				code: 502,
				message: 'Provider returned error',
				metadata: { raw: '{"error":{"message":"GPU on fire"}}', provider_name: 'X' },
			},
		},
		'server',
		'(502): GPU on fire. Try again',
	],
	[503, 'no healthy upstream', 'overloaded', 'is overloaded (503): no healthy upstream. Try again'],
	[
		400,
		openAi('The response was filtered', 'content_filter'),
		'refused',
		'refused to answer (400): The response was filtered. Try other words',
	],
];

test.each(cases)('%i %j is %s', async (status, body, reason, words) => {
	const failure = await answered(status, typeof body === 'string' ? body : JSON.stringify(body));
	expect(failure).toMatchObject({ reason, status });
	expect(failure.message).toContain(words);
	expect(failure.message).toContain('127.0.0.1:');
});

test.each([
	'<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
	'<html>\r\n<head><title>502</title></head></html>',
	'\ufeff\n  <!-- proxy -->\n<center>nginx</center>',
	'<?xml version="1.0"?><Error/>',
	JSON.stringify({ error: { message: '<html><body><p>No</p></body></html>' } }),
])('a web page is not shown: %s', async (page) => {
	const failure = await answered(502, page);
	expect(failure.message).toMatch(
		/^router \(127\.0\.0\.1:\d+\) failed \(502\)\. Try again, or pick another model\.$/,
	);
});

test('markup in words is left out, lines are joined, and 300 characters are enough', async () => {
	const failure = await answered(
		400,
		JSON.stringify({ error: `Bad <b class="x">thing</b>\n\n${'long '.repeat(200)}` }),
	);
	expect(failure.message).toContain(': Bad thing long long');
	expect(failure.message.length).toBeLessThan(450);
	expect(failure.message).not.toMatch(/[<>\n]/);
});

test.each([
	['as it is', key, key],
	['in an address', 'k3y/with+odd=signs', encodeURIComponent('k3y/with+odd=signs')],
	['of its own', key, 'sk-proxy-0123456789abcdef'],
	['with its scheme', key, 'Bearer eyJhbGciOiJIUzI1NiJ9.payload'],
])('a key that the provider repeats %s is not shown', async (_, sent, repeated) => {
	const { ask } = await provider(
		(_request, response) => {
			response.writeHead(401).end(JSON.stringify({ error: { message: `No such key: ${repeated}` } }));
		},
		{ key: async () => sent },
	);
	const failure = await failureIn(ask());
	expect(failure.message).toMatch(/No such key: (Bearer )?\*{3}\./);
	expect(`${failure.stack} ${failure.cause}`).not.toContain(repeated);
});

test('a key is hidden in the middle of a stream, too', async () => {
	const { ask, endpoint } = await provider((_request, response) => response.end());
	await ask();
	const detail = `${'x'.repeat(280)} ${key}`;
	expect(failureOf(endpoint, { detail }).message).not.toContain(key.slice(0, 12));
});

test('in the middle of a stream, the code alone decides the reason', () => {
	const reasons = {
		overloaded_error: 'overloaded',
		rate_limit_error: 'rateLimited',
		invalid_request_error: 'invalidRequest',
		api_error: 'server',
		permission_error: 'forbidden',
		billing_error: 'payment',
		context_length_exceeded: 'contextTooLong',
		image_content_policy_violation: 'refused',
	};
	for (const [code, reason] of Object.entries(reasons))
		expect(failureOf(endpointAt('https://api.example/v1'), { code, detail: 'x' }).reason).toBe(reason);
});

test('only the beginning of a large failure is read', async () => {
	let sent = 0;
	const { ask, connections } = await provider((_request, response) => {
		response.writeHead(500);
		const more = () => {
			if (response.destroyed) return;
			sent += 65_536;
			response.write('x'.repeat(65_536), () => setImmediate(more));
		};
		more();
	});
	expect((await failureIn(ask())).status).toBe(500);
	await expect.poll(connections).toBe(0);
	expect(sent).toBeLessThan(16 * 1024 * 1024);
});

async function answered(status: number, body: string): Promise<ModelError> {
	const { ask } = await provider((_request, response) => response.writeHead(status).end(body));
	return failureIn(ask());
}

/** How providers refuse a conversation that is too long, and the limit that they name. Public reports: `test/world/refusals`. */
const tooLong: readonly (readonly [who: string, words: string, tokens?: number])[] = [
	// https://platform.claude.com/docs/en/build-with-claude/context-windows
	['Anthropic', 'prompt is too long: 205000 tokens > 200000 maximum', 200_000],
	// https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546
	['LM Studio', 'the model is loaded with context length of only 32768 tokens, which is not enough.', 32_768],
	['Ollama', 'prompt too long; exceeded max context length by 13 tokens'],
	['a server with nonsense', 'maximum context length is 3 tokens'],
	['TGI', '`inputs` must have less than 4096 tokens. Given: 5000', 4_096],
	[
		'watsonx',
		'the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model',
		4_096,
	],
	['Ark', 'Total tokens of image and text exceed max message tokens.'],
	['Z.ai', 'Prompt exceeds max length'],
];

const tooLongRows = tooLong.map(([who, detail, tokens]) => ({ who, detail, tokens }));

test.each(tooLongRows)('$who refuses a long conversation: “$detail”', ({ detail, tokens }) => {
	const failure = failureOf(endpointAt('https://api.example/v1'), { status: 400, detail });

	expect(failure.reason).toBe('contextTooLong');
	expect(failure.limits.contextTokens).toBe(tokens);
});

// https://github.com/ggml-org/llama.cpp/pull/15780
test('llama.cpp names its limit in a field', async () => {
	const message = 'the request exceeds the available context size.';
	const failure = await answered(400, JSON.stringify({ error: { code: 400, message, n_ctx: 8_192 } }));

	expect(failure).toMatchObject({ reason: 'contextTooLong', limits: { contextTokens: 8_192 } });
});

test('a refusal of anything else names no limit', async () => {
	const body = openAi('tools.3: description is too long: 2000 > 1024');

	expect((await answered(400, JSON.stringify(body))).limits).toEqual({});
});

const noText = '{"toString":1,"valueOf":1}';

test.each([
	`{"error":{"message":"m","details":[{"@type":${noText},"retryDelay":${noText}}]}}`,
	`{"error":{"message":"m","details":[{"@type":"google.rpc.RetryInfo","retryDelay":${noText}}]}}`,
	`{"error":{"message":"m","code":${noText},"status":${noText}}}`,
	`{"detail":[{"loc":[${noText},null],"msg":"m"}]}`,
])('values that should be texts and are not are ignored: %s', async (body) => {
	expect(await answered(400, body)).toMatchObject({ reason: 'invalidRequest', providerText: 'm' });
});

test.each(['1e300', '1.7976931348623157e308'])('an absurd wait of %s s is shortened', async (seconds) => {
	const { ask } = await provider((_, response) =>
		response.writeHead(429, { 'retry-after': seconds }).end('{}'),
	);
	expect((await failureIn(ask())).message).toContain('Try again in 720 h');
});
