import type Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatMessage, ToolCallResult } from '../../../src/discovery/catalog/message.ts';
import type { ResultContent, ToolDefinition } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import type { ChatRequest } from '../../../src/models/chatModel.ts';
import { runs } from '../../effort.ts';
import { unsendableSchema } from '../../unsendableSchema.ts';
import { calls, failed, picture, results, succeeded, tool, user } from '../conversation.ts';
import { asking, eventsOf } from '../loopback.ts';
import { bodyOf, claude, sent } from './asking.ts';
import { brokenRules, messagesServer } from './messagesEndpoint.ts';

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

test('given tools that joined later, then they are defined behind the turn of the user, and the tools at the start are as before', async () => {
	const messages = [
		{ ...user('one'), added: [tool('a')] },
		user('two'),
		calls('', 'read'),
		{ ...results(succeeded('read', 'text')), added: [tool('b')] },
	];

	const tools = [tool('search_tools'), tool('a'), tool('b')];
	const body = await sent({ ...asking(''), ...searching, messages, tools }, { model: 'claude-opus-5' });

	const addition = (name: string) => ({
		type: 'tool_addition',
		tool: { type: 'tool_definition', definition: { name } },
	});
	expect(body.tools).toMatchObject([{ name: 'search_tools' }]);
	expect(body.messages).toMatchObject([
		{ role: 'user', content: [{ text: 'one' }, { text: 'two' }] },
		{ role: 'system', content: [{ ...addition('a'), cache_control: { type: 'ephemeral' } }] },
		{ role: 'assistant' },
		{ role: 'user', content: [{ type: 'tool_result' }] },
		{ role: 'system', content: [{ ...addition('b'), cache_control: { type: 'ephemeral' } }] },
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
	const body = await sent({
		...asking('What is new?'),
		tools: [tool('search_tools')],
		messages: searched(succeededWith('Loaded a.', tool('a'))),
	});

	expect(body.tools).toHaveLength(1);
	expect(body.messages.at(-1)?.content).toMatchObject([{ content: [{ type: 'text', text: 'Loaded a.' }] }]);
});

test('given no tool that is not deferred, then nothing is deferred: the API would refuse it', async () => {
	const body = await sent({
		...asking('What is new?'),
		searchTool: 'search_tools',
		messages: searched(succeededWith('Loaded a.', tool('a'))),
	});

	expect(body.tools).toBeUndefined();
});

test('given tools that the provider would refuse, then they are told first, and the rest is sent', async () => {
	await using server = await messagesServer();
	const messages = searched(succeededWith('', unsendable('loaded'), tool('a')));
	const request = asking('', { ...searching, messages, tools: [unsendable('fixed'), tool('search_tools')] });

	const events = await eventsOf(claude(server), request);

	expect(events.slice(0, 3)).toMatchObject([
		{ type: 'toolDropped', name: 'fixed', reason: expect.stringMatching(/^[A-Z].*\.$/) },
		{ type: 'toolDropped', name: 'loaded' },
		{ type: 'text' },
	]);
	const { tools = [], messages: told } = server.sent<Anthropic.MessageCreateParams>();
	expect(tools.map((one) => 'name' in one && one.name)).toEqual(['search_tools', 'a']);
	expect(told.at(-1)?.content).toMatchObject([{ content: [{ type: 'tool_reference', tool_name: 'a' }] }]);
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
	return { ...tool(name), inputSchema: unsendableSchema };
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
	const body = await sent({ ...asking('What is new?'), ...searching, messages, ...more });
	return {
		tools: body.tools as Anthropic.Tool[],
		last: body.messages.at(-1)?.content as Anthropic.ContentBlockParam[],
	};
}

const text = fc.constantFrom('', ' ', '\n', 'words', ' words \n', '\u0000', 'half \ud83d');
const id = fc.constantFrom('', 'a', 'b', 'call:1', 'ü', 'x'.repeat(100));
const part: fc.Arbitrary<ResultContent> = fc.oneof(
	text.map((words) => ({ type: 'text' as const, text: words })),
	fc.constantFrom('png' as const, 'bmp' as const).map((kind) => picture(kind)),
	fc.constant({ type: 'audio' as const, data: '', mimeType: '' }),
);
const result = fc.record({
	callId: id,
	result: fc.record({ content: fc.array(part, { maxLength: 3 }), isError: fc.boolean() }),
	loaded: fc.array(fc.constantFrom(tool('loaded'), tool('other'), tool('fixed')), { maxLength: 3 }),
});
const call = fc.record({
	id,
	name: fc.constantFrom('fixed', 'no such tool!', ''),
	input: fc.constantFrom({}, { path: '\udc00' }),
});
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
	fc.record({ role: fc.constant('user' as const), text }),
	fc.tuple(text, fc.array(call, { maxLength: 3 })).map(([words, calls]) => plainAnswer(words, calls)),
	fc.record({ role: fc.constant('tool' as const), results: fc.array(result, { maxLength: 3 }) }),
);

test('whatever a conversation consists of, its request breaks no rule of the API', () => {
	fc.assert(
		fc.property(
			fc.array(message, { maxLength: 8 }),
			fc.boolean(),
			fc
				.array(fc.constantFrom('fixed', 'search_tools'), { maxLength: 2 })
				.map((names) => [...new Set(names)]),
			(before, native, names) => {
				const messages: ChatMessage[] = [...before, { role: 'user', text: 'so?' }];
				const tools = names.map((name) => tool(name));
				const request = { system: '', messages, tools, ...(native && { searchTool: 'search_tools' }) };

				expect(brokenRules(bodyOf(request))).toEqual([]);
			},
		),
		{ numRuns: runs(100) },
	);
});
