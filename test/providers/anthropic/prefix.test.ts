import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import type { ChatMessage, ChatRequest } from '../../../src/models/chatModel.ts';
import {
	answerOf,
	asks,
	calls,
	claude,
	failed,
	picture,
	results,
	succeeded,
	tool,
	unmarked,
	user,
} from './asking.ts';
import { MessagesEndpoint } from './messagesEndpoint.ts';

type Body = Anthropic.MessageCreateParamsStreaming;

const conversation: readonly ChatMessage[] = [
	user('Find something for files.', picture('png')),
	calls('Searching.  ', 'weird id:1'),
	results({
		...succeeded('weird id:1', 'Loaded 2 tools.'),
		loaded: [tool('files__read'), tool('files__write')],
	}),
	calls('', 'b', 'c', 'd'),
	results(succeeded('c', 'text'), failed('b', 'no such file'), succeeded('d', '')),
	{ role: 'assistant', text: 'Done.\n', toolCalls: [] },
	user('And the weather?'),
	calls('', 'e'),
	results({ ...succeeded('e', 'Loaded 1 tool.'), loaded: [tool('weather__now')] }),
	calls('', 'f'),
	results(succeeded('f', 'sunny')),
	{ role: 'assistant', text: 'Sunny.', toolCalls: [] },
	user('Thanks.'),
];

/** The requests of the conversation: one wherever it is the model's turn. */
const turns = conversation.flatMap(({ role }, index) =>
	role === 'assistant' ? [] : [conversation.slice(0, index + 1)],
);

test('given tools appended as they are loaded, then each request without marks begins with the one before, byte for byte', async () => {
	const requests = turns.map((messages) => {
		const loaded = messages.flatMap((message) =>
			message.role === 'tool' ? message.results.flatMap((result) => result.loaded ?? []) : [],
		);
		return asks('', { messages, tools: [tool('search_tools'), ...loaded] });
	});

	const bodies = await sentInOrder(requests);

	for (const [former, next] of pairs(bodies)) {
		expect(bytes(next.tools)).toSatisfy(beginsLike(former.tools));
		expect(bytes(next.system)).toBe(bytes(former.system));
		expect(bytes(next.messages)).toSatisfy(beginsLike(former.messages));
	}
	expect(bodies.at(-1)?.tools).toHaveLength(4);
	expect(bodies.at(-1)?.tools?.some((sent) => 'defer_loading' in sent)).toBe(false);
});

test('given tools loaded natively, then only deferred ones are added, and all else begins with the request before', async () => {
	const requests = turns.map((messages) =>
		asks('', { messages, tools: [tool('search_tools'), tool('fixed')], searchTool: 'search_tools' }),
	);

	const bodies = await sentInOrder(requests);

	for (const [former, next] of pairs(bodies)) {
		expect(bytes(next.tools)).toSatisfy(beginsLike(former.tools));
		expect(bytes(prompted(next))).toBe(bytes(prompted(former)));
		expect(bytes(next.messages)).toSatisfy(beginsLike(former.messages));
	}
	expect(bodies.at(-1)?.tools).toHaveLength(5);
});

async function sentInOrder(requests: readonly ChatRequest[]): Promise<Body[]> {
	await using server = new MessagesEndpoint();
	const model = claude(await server.start());
	for (const request of requests) expect((await answerOf(model, request)).error).toBeUndefined();
	return server.asked.map(({ body }) => unmarked(body));
}

function pairs(bodies: readonly Body[]): (readonly [Body, Body])[] {
	return bodies.slice(1).map((next, index) => [bodies[index] as Body, next]);
}

/** The tools that are part of the prompt. */
function prompted({ tools = [] }: Body): unknown[] {
	return (tools as Anthropic.Tool[]).filter((sent) => !sent.defer_loading);
}

function bytes(value: unknown): string {
	return JSON.stringify(value);
}

/** Of two arrays as JSON: the one begins with all of the other. */
function beginsLike(former: unknown): (next: string) => boolean {
	return (next) => next.startsWith(bytes(former).slice(0, -1));
}
