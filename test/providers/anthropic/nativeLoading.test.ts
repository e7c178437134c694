import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../../src/discovery/tool.ts';
import type { ChatMessage, ChatRequest, ToolCallResult } from '../../../src/models/chatModel.ts';
import {
	answerOf,
	asks,
	calls,
	claude,
	failed,
	picture,
	results,
	sent,
	succeeded,
	tool,
	user,
} from './asking.ts';
import { MessagesEndpoint } from './messagesEndpoint.ts';

const searching: Partial<ChatRequest> = { tools: [tool('search_tools')], searchTool: 'search_tools' };

test('given a search that loaded tools, then its result refers to them, they stand deferred behind the others, and its text follows the results', async () => {
	const messages = [
		user('find'),
		calls('', 'search', 'other'),
		results(
			{ ...succeeded('search', 'Loaded 2 tools.'), loaded: [tool('b'), tool('a')] },
			succeeded('other', 'text'),
		),
	];

	const { tools, last } = await sentParts(messages);

	expect(tools).toMatchObject([
		{ name: 'search_tools', cache_control: { type: 'ephemeral' } },
		{ name: 'b', description: 'Does b.', defer_loading: true },
		{ name: 'a', defer_loading: true },
	]);
	expect(tools.slice(1).some((deferred) => 'cache_control' in deferred)).toBe(false);
	expect(last).toMatchObject([
		{
			type: 'tool_result',
			tool_use_id: 'search',
			content: [
				{ type: 'tool_reference', tool_name: 'b' },
				{ type: 'tool_reference', tool_name: 'a' },
			],
		},
		{ type: 'tool_result', tool_use_id: 'other', content: [{ type: 'text', text: 'text' }] },
		{ type: 'text', text: 'Loaded 2 tools.', cache_control: { type: 'ephemeral' } },
	]);
});

test('given a search whose result has no text, then nothing follows', async () => {
	const { last } = await sentParts(searched(succeededWith('', tool('a'))));

	expect(last).toMatchObject([{ type: 'tool_result', content: [{ type: 'tool_reference' }] }]);
	expect(last).toHaveLength(1);
});

test('given searches that loaded nothing, or failed, then their results are ordinary ones', async () => {
	const { tools, last } = await sentParts(
		searched(succeededWith('Nothing found.'), { ...failed('x', 'Broken.'), loaded: [tool('a')] }),
	);

	expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'a']);
	expect(last).toMatchObject([
		{ content: [{ type: 'text', text: 'Nothing found.' }] },
		{ content: [{ type: 'text', text: 'Broken.' }], is_error: true },
	]);
});

test('given a tool loaded twice, then it stands once, where it first appeared, as it was defined last', async () => {
	const messages = [
		...searched(succeededWith('', tool('a', 'old'), tool('b'))),
		...searched(succeededWith('', tool('c'), tool('a', 'new'))).slice(1),
	];

	const { tools } = await sentParts(messages);

	expect(tools.slice(1).map(({ name, description }) => [name, description])).toEqual([
		['a', 'new'],
		['b', 'Does b.'],
		['c', 'Does c.'],
	]);
});

test('given a loaded tool that the request has anyway, then it is not deferred, and no reference is made to it', async () => {
	const { tools, last } = await sentParts(searched(succeededWith('Known.', tool('known'))), {
		tools: [tool('search_tools'), tool('known')],
	});

	expect(tools).toHaveLength(2);
	expect(tools.some((sentTool) => sentTool.defer_loading)).toBe(false);
	expect(last).toMatchObject([{ content: [{ type: 'text', text: 'Known.' }] }]);
});

test('given a search in another model’s way, then what it loaded is told as text', async () => {
	const { body } = await sent({
		...asks(),
		tools: [tool('search_tools')],
		messages: searched(succeededWith('Loaded a.', tool('a'))),
	});

	expect(body.tools).toHaveLength(1);
	expect(body.messages.at(-1)?.content).toMatchObject([{ content: [{ type: 'text', text: 'Loaded a.' }] }]);
});

test('given no tool that is not deferred, then nothing is deferred: the API would refuse it', async () => {
	const { body } = await sent({
		...asks(),
		searchTool: 'search_tools',
		messages: searched(succeededWith('Loaded a.', tool('a'))),
	});

	expect(body.tools).toBeUndefined();
});

test('given a loaded tool that the provider would refuse, then it is dropped, and no reference is made to it', async () => {
	const { tools, last } = await sentParts(searched(succeededWith('', unsendable('odd'), tool('a'))));

	expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'a']);
	expect(last).toMatchObject([{ content: [{ type: 'tool_reference', tool_name: 'a' }] }]);
});

test('given tools that the provider would refuse, then they are told first, and the rest is sent', async () => {
	await using server = new MessagesEndpoint();
	const messages = searched(succeededWith('', unsendable('loaded')));
	const request = asks('', { ...searching, messages, tools: [unsendable('fixed'), tool('search_tools')] });

	const { events } = await answerOf(claude(await server.start()), request);

	expect(events.slice(0, 3)).toMatchObject([
		{ type: 'toolDropped', name: 'fixed', reason: expect.stringMatching(/^[A-Z].*\.$/) },
		{ type: 'toolDropped', name: 'loaded' },
		{ type: 'text' },
	]);
	expect(server.asked[0]?.body.tools).toHaveLength(1);
});

test('given a picture beside what was loaded, then it follows the results', async () => {
	const result = { content: [picture('png')], isError: false };

	const { last } = await sentParts(searched({ callId: 'x', result, loaded: [tool('a')] }));

	expect(last).toMatchObject([{ content: [{ type: 'tool_reference' }] }, { type: 'image' }]);
});

function succeededWith(text: string, ...loaded: readonly ToolDefinition[]): ToolCallResult {
	return { ...succeeded('x', text), loaded };
}

/** A tool that takes no object of arguments. */
function unsendable(name: string): ToolDefinition {
	return { ...tool(name), inputSchema: { type: 'string' } };
}

/** A conversation of one answer that searched so often. */
function searched(...outcomes: readonly ToolCallResult[]): ChatMessage[] {
	const ids = outcomes.map((_, index) => `search-${index}`);
	return [
		user('find'),
		calls('', ...ids),
		results(...outcomes.map((outcome, index) => ({ ...outcome, callId: ids[index] ?? '' }))),
	];
}

async function sentParts(
	messages: readonly ChatMessage[],
	more: Partial<ChatRequest> = {},
): Promise<{ tools: Anthropic.Tool[]; last: Anthropic.ContentBlockParam[] }> {
	const { body } = await sent({ ...asks(), ...searching, messages, ...more });
	return {
		tools: body.tools as Anthropic.Tool[],
		last: body.messages.at(-1)?.content as Anthropic.ContentBlockParam[],
	};
}
