import { describe, expect, test } from 'vitest';
import { type Ending, endingOf } from '../../src/models/http/answerReader.ts';
import { turn } from '../unit/chat/conversation.ts';
import { sessionOf } from '../unit/discovery/fixtures.ts';
import { type ChatAnswer, ChatEndpoint, calling, delta, saying, shownText } from './chatEndpoint.ts';

/** Reasons for the end of an answer, as endpoints name them. */
const reasons: readonly (readonly [reason: string, ending: Ending, from: string])[] = [
	['stop', 'complete', 'https://platform.openai.com/docs/api-reference/chat/object'],
	['tool_calls', 'complete', 'https://platform.openai.com/docs/api-reference/chat/object'],
	['function_call', 'complete', 'https://platform.openai.com/docs/api-reference/chat/object'],
	['length', 'outOfTokens', 'https://platform.openai.com/docs/api-reference/chat/object'],
	['content_filter', 'filtered', 'https://platform.openai.com/docs/api-reference/chat/object'],
	['end_turn', 'complete', 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons'],
	['tool_use', 'complete', 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons'],
	[
		'max_tokens',
		'outOfTokens',
		'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons',
	],
	[
		'model_context_window_exceeded',
		'outOfTokens',
		'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons',
	],
	['refusal', 'filtered', 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons'],
	['pause_turn', 'paused', 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons'],
	['MALFORMED_FUNCTION_CALL', 'malformedCall', 'langchain-ai/langgraph#6574'],
	['malformed_function_call', 'malformedCall', 'NousResearch/hermes-agent#83886'],
	['UNEXPECTED_TOOL_CALL', 'malformedCall', 'epam/ai-dial-adapter-vertexai#325'],
	['MAX_TOKENS', 'outOfTokens', 'https://ai.google.dev/api/generate-content#FinishReason'],
	['SAFETY', 'filtered', 'https://ai.google.dev/api/generate-content#FinishReason'],
	['RECITATION', 'filtered', 'https://ai.google.dev/api/generate-content#FinishReason'],
	['PROHIBITED_CONTENT', 'filtered', 'https://ai.google.dev/api/generate-content#FinishReason'],
	['BLOCKLIST', 'filtered', 'https://ai.google.dev/api/generate-content#FinishReason'],
	['SPII', 'filtered', 'https://ai.google.dev/api/generate-content#FinishReason'],
	['OTHER', 'failed', 'https://ai.google.dev/api/generate-content#FinishReason'],
	['insufficient_system_resource', 'failed', 'https://api-docs.deepseek.com/api/create-chat-completion'],
	['error', 'failed', 'https://openrouter.ai/docs/api-reference/overview'],
	['error_finish', 'failed', 'ranxianglei/billion-context-pi#169'],
	['network_error', 'failed', 'https://docs.z.ai/api-reference/llm/chat-completion'],
	['sensitive', 'filtered', 'https://docs.z.ai/api-reference/llm/chat-completion'],
	['eos_token', 'complete', 'huggingface/text-generation-inference: router/src/lib.rs'],
	['abort', 'cut', 'vllm-project/vllm: vllm/v1/engine/__init__.py'],
	['COMPLETE', 'complete', 'https://docs.cohere.com/reference/chat'],
	['TOOL_CALL', 'complete', 'https://docs.cohere.com/reference/chat'],
	['qqq', 'unknown', 'earendil-works/pi#8462'],
];

describe('how an answer ended', () => {
	test.each(reasons)('%s: %s (%s)', (reason, ending) => {
		expect(endingOf(reason)).toBe(ending);
	});
});

/** Answers with nothing to see, or with a call that the provider could not read. */
const answers: readonly {
	readonly what: string;
	readonly answer: ChatAnswer;
	readonly why: string;
	readonly from: string;
}[] = [
	{
		what: 'a plain stop',
		answer: { chunks: [delta({}, 'stop')] },
		why: 'empty',
		from: 'earendil-works/pi#8462',
	},
	{
		what: 'an empty text',
		answer: { chunks: [delta({ content: '' }, 'stop')] },
		why: 'empty',
		from: 'NousResearch/hermes-agent#6488',
	},
	{
		what: 'a tool call as the reason, and none',
		answer: { chunks: [delta({}, 'tool_use')] },
		why: 'empty',
		from: 'askui/python-sdk#278',
	},
	{
		what: 'a blank',
		answer: { chunks: [delta({ content: '\n' }, 'stop')] },
		why: 'empty',
		from: 'vellum-ai/vellum-assistant#25880',
	},
	{
		what: 'thoughts alone',
		answer: { chunks: [delta({ reasoning_content: 'The answer is 4.' }), delta({}, 'stop')] },
		why: 'onlyThoughts',
		from: 'agentscope-ai/agentscope-java#2755',
	},
	{
		what: 'a malformed call',
		answer: { chunks: [delta({}, 'MALFORMED_FUNCTION_CALL')] },
		why: 'malformedCall',
		from: 'pydantic/pydantic-ai#3300',
	},
	{
		what: 'a malformed call behind a normal reason',
		answer: {
			chunks: [
				{
					choices: [
						{ index: 0, delta: {}, finish_reason: 'error', native_finish_reason: 'MALFORMED_FUNCTION_CALL' },
					],
				},
			],
		},
		why: 'malformedCall',
		from: 'vellum-ai/vellum-assistant#43134',
	},
	{
		what: 'a call that Groq could not read',
		answer: {
			status: 400,
			body: {
				error: {
					message:
						"Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
					type: 'invalid_request_error',
					code: 'tool_use_failed',
					failed_generation: '<function=brave_search>{"query": "Hello!"}</function>',
				},
			},
		},
		why: 'malformedCall',
		from: 'langchain-ai/langchain#31440',
	},
	{
		what: 'a call that did not fit',
		answer: {
			status: 400,
			body: {
				error: {
					message:
						'tool call validation failed: parameters for tool HassTurnOff did not match schema: errors: [`/domain`: expected array, but got string]',
					type: 'invalid_request_error',
					param: '',
					code: 'tool_use_failed',
				},
			},
		},
		why: 'malformedCall',
		from: 'HunorLaczko/ha-groq-cloud-api#20',
	},
	{
		what: 'a call that llama.cpp could not read',
		answer: {
			status: 500,
			body: {
				error: {
					code: 500,
					message:
						'Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error',
					type: 'server_error',
				},
			},
		},
		why: 'malformedCall',
		from: 'OpenHands/OpenHands#10187',
	},
	{
		what: 'a call that a gateway could not read',
		answer: {
			status: 500,
			body: {
				error: {
					message: 'The function call generated by the model is invalid',
					type: 'internal_server_error',
					code: '500',
				},
			},
		},
		why: 'malformedCall',
		from: 'epam/ai-dial-adapter-vertexai#490',
	},
];

describe('an answer with nothing to see', () => {
	test.each(answers)('$what is asked for again once ($from)', async ({ answer, why }) => {
		await using endpoint = await ChatEndpoint.start((_, n) => (n === 0 ? answer : saying('done')));
		const { events, end } = await turn(endpoint.model);

		expect(shownText(events).trim()).toBe('done');
		expect(end).toEqual({ type: 'end', reason: 'answered' });
		expect(events.filter(({ type }) => type === 'nothingToSee')).toEqual([
			{ type: 'nothingToSee', why, goesOn: true },
		]);
		expect(endpoint.bodies).toHaveLength(2);
	});

	test.each(answers)('$what, again and again, is said ($from)', async ({ answer, why }) => {
		await using endpoint = await ChatEndpoint.start((_, n) => (n === 2 ? saying('done') : answer));
		const { events, end } = await turn(endpoint.model);

		expect(endpoint.bodies).toHaveLength(2);
		expect(events.at(-2)).toMatchObject(
			why === 'malformedCall'
				? { type: 'nothingToSee', goesOn: true }
				: { type: 'nothingToSee', goesOn: false },
		);
		if (why === 'malformedCall')
			expect(end).toMatchObject({ reason: 'failed', error: { reason: 'malformedCall' } });

		const next = await turn(endpoint.model);
		expect(shownText(next.events)).toBe('done');
	});
});

describe('a message of the user after a result', () => {
	test.each([
		['after the limit of rounds', 'NousResearch/hermes-agent#84944'],
		['after Stop', 'mistralai/mistral-vibe#578'],
	])('%s follows an answer (%s)', async (what) => {
		const stop = new AbortController();
		await using endpoint = await ChatEndpoint.start((_, n) =>
			n === 0 ? calling('slack__search', { query: 'x' }) : saying('done'),
		);
		const session = sessionOf(undefined, { enabled: false });
		const runTool = async () => {
			if (what === 'after Stop') stop.abort();
			return { content: [{ type: 'text' as const, text: 'found' }], isError: false };
		};
		await turn(endpoint.model, { session, runTool, maxRounds: 1, signal: stop.signal });
		const { events } = await turn(endpoint.model, {
			session,
			messages: [...session.log.messages, { role: 'user', text: 'And now?' }],
		});

		expect(shownText(events)).toBe('done');
		const roles = endpoint.bodies.at(-1)?.messages.map(({ role }) => role);
		expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
	});
});
