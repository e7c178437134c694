import { expect, test } from 'vitest';
import { turn } from '../unit/chat/conversation.ts';
import { ChatEndpoint, saying, shownText } from './chatEndpoint.ts';

/** What OpenAI says of tools beside reasoning on Chat Completions. GPT-5.6 reasons by default, so only an explicit `none` is accepted. */
const rows = [
	[
		"Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
		undefined,
		'BerriAI/litellm#34569',
	],
	[
		'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.',
		'low',
		'pipecat-ai/pipecat#4043',
	],
	[
		"Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
		'high',
		'GoogleChromeLabs/webmcp-tools#417',
	],
] as const;

test.each(rows)('%s (%s, %s)', async (message, reasoningEffort) => {
	const refusal = { message, type: 'invalid_request_error', param: 'reasoning_effort', code: null };
	await using endpoint = await ChatEndpoint.start(
		(body) => (body.reasoning_effort === 'none' ? saying('done') : { status: 400, body: { error: refusal } }),
		{ model: 'house-gpt', answers: reasoningEffort ? { reasoningEffort } : {} },
	);

	const { events } = await turn(endpoint.model);
	expect(shownText(events)).toBe('done');
	expect(events.filter(({ type }) => type === 'notice')).toEqual([
		{ type: 'notice', text: expect.stringMatching(/so it does not reason\. .*set "api": "responses"/) },
	]);
	expect(endpoint.bodies.map((body) => body.reasoning_effort)).toEqual([reasoningEffort, 'none']);

	const again = await turn(endpoint.model);
	expect(again.events.filter(({ type }) => type === 'notice')).toEqual([]);
	expect(endpoint.bodies).toHaveLength(3);
});
