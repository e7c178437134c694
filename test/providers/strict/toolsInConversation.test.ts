import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import { Catalog, type CatalogServer } from '../../../src/discovery/catalog/catalog.ts';
import { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import { ChatLog } from '../../../src/discovery/session/chatLog.ts';
import { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { createModel } from '../../../src/models/createModel.ts';
import { turn } from '../../unit/chat/conversation.ts';
import { keptLog, office, sessionOf } from '../../unit/discovery/fixtures.ts';
import { boundClaude } from './boundClaude.ts';
import { additionsOf, type MessagesBody, messages } from './messages.ts';
import { type ResponsesBody, responses, type WireItem } from './responses.ts';
import { type Protocol, type Rule, type Said, StrictEndpoint } from './strictEndpoint.ts';

const search = (name: string) => ({ name: 'search_tools', input: { tool_names: [name] } });
const send = { name: 'slack__send_message', input: { channel: '#a', text: 'x' } };
const create = { name: 'calendar__create_event', input: { title: 'x', start: '10:00' } };
const list = { name: 'slack__list_channels', input: {} };

/** What happens before a turn, and what the model says in it. */
interface Step {
	readonly happens?: (session: DiscoverySession) => DiscoverySession;
	readonly says: readonly Said[];
}

/** Every way in which tools come to a chat or change: found, loaded by the user, changed by a server, gone with it, and in another window. */
const steps: readonly Step[] = [
	{
		says: [
			{ thought: 'Search.', calls: [search('slack:send_message')] },
			{ calls: [send] },
			{ text: 'Sent.' },
		],
	},
	{
		happens: loads('calendar', 'create_event'),
		says: [{ thought: 'New.', calls: [create] }, { text: 'Made.' }],
	},
	{ says: [{ thought: 'Search.', calls: [search('calendar:search')] }, { text: 'Nothing.' }] },
	{
		happens: withServers(changed(office)),
		says: [{ thought: 'Both.', calls: [send, create] }, { text: 'Both.' }],
	},
	{ happens: withServers(office.slice(0, 1)), says: [{ thought: 'Easy.', text: 'Away.' }] },
	{ happens: withServers(changed(office)), says: [{ thought: 'Easy.', text: 'Back.' }] },
	{ happens: reopened, says: [{ thought: 'Again.', calls: [send] }, { text: 'Sent.' }] },
	{
		happens: loads('slack', 'list_channels'),
		says: [{ thought: 'List.', calls: [list, create] }, { text: 'Two.' }],
	},
	...Array.from({ length: 2 }, (_, i): Step => ({ says: [{ thought: 'Easy.', text: `Yes ${i}.` }] })),
];

function loads(server: string, name: string): NonNullable<Step['happens']> {
	return (session) => {
		session.load(session.surface.deferred.filter((tool) => tool.server === server && tool.name === name));
		return session;
	};
}

function withServers(servers: readonly CatalogServer[]): NonNullable<Step['happens']> {
	return (session) => {
		session.surface = new ToolSurface(new Catalog(servers, 2), session.surface.policy);
		return session;
	};
}

/** The chat in another window, which has only its stored log. */
function reopened(session: DiscoverySession): DiscoverySession {
	return new DiscoverySession(session.surface, new ChatLog(keptLog(session)));
}

function changed(servers: readonly CatalogServer[]): readonly CatalogServer[] {
	return servers.map((server) => ({
		...server,
		tools: server.tools.map((tool) => ({ ...tool, description: `${tool.description}, at once` })),
	}));
}

const policy = { prefetch: 0, onUndiscoveredCall: 'activate' } as const;

async function chat(protocol: Protocol<never, never>, model: string, loading: 'auto' | 'native' = 'auto') {
	await using strict = await StrictEndpoint.start(
		protocol,
		steps.flatMap(({ says }) => says),
	);
	const made = await createModel(
		{ id: 'm', name: 'M', model, ...(protocol.path === '/v1' && { api: 'responses' as const }) },
		strict.endpoint,
	);
	let session = sessionOf(office, { ...policy, loading });
	const events: LoopEvent[] = [];
	for (const [i, { happens }] of steps.entries()) {
		session = happens?.(session) ?? session;
		const said = [...session.log.messages, { role: 'user' as const, text: `Question ${i}?` }];
		const told = await turn(made, { session, messages: said });
		events.push(...told.events);
		expect(told.end).toEqual({ type: 'end', reason: 'answered' });
	}
	return { refused: strict.refused, requests: strict.requests, events, loadings: made.loadings };
}

/** The share of each request with which the next one begins, byte for byte, in the order in which a model reads it. */
function keptShares(bodies: readonly (MessagesBody | ResponsesBody)[]): readonly number[] {
	const prompts = bodies.map((body) =>
		('messages' in body ? claudePrompt(body) : gptPrompt(body))
			.map((piece) => JSON.stringify(piece))
			.join('\n'),
	);
	return prompts.slice(1).map((prompt, i) => {
		const before = prompts[i] ?? '';
		const end = [...before].findIndex((character, at) => prompt[at] !== character);
		return end < 0 ? 1 : end / before.length;
	});
}

/** Deferred definitions are no part of the prompt before something refers to them. */
function claudePrompt({ tools = [], system, messages }: MessagesBody): unknown[] {
	const unmarked = [...tools.filter((tool) => !('defer_loading' in tool)), system, ...messages];
	return unmarked.map((piece) =>
		JSON.parse(JSON.stringify(piece), (key, value) => (key === 'cache_control' ? undefined : value)),
	);
}

function gptPrompt({ tools = [], input, ...others }: ResponsesBody): unknown[] {
	return [...tools, 'instructions' in others && others.instructions, ...input];
}

function withRules<Body, Issued>(
	protocol: Protocol<Body, Issued>,
	...rules: readonly Rule<Body, Issued>[]
): Protocol<never, never> {
	return { ...protocol, rules: [...rules, ...protocol.rules] } as never;
}

type Issued = typeof messages extends Protocol<MessagesBody, infer Blocks> ? Blocks : never;

const systemRefused: Rule<MessagesBody, Issued> = {
	source: 'https://github.com/anthropics/claude-code/issues/61412',
	broken: (body) =>
		additionsOf(body).length > 0 ? "role 'system' is not supported on this model" : undefined,
};

const roleRefused: Rule<MessagesBody, Issued> = {
	source: 'https://github.com/ogx-ai/ogx/issues/5982',
	broken: (body) => (additionsOf(body).length > 0 ? "Input should be 'user' or 'assistant'" : undefined),
};

const unnamed: Rule<MessagesBody, Issued> = {
	source: 'An endpoint that does not say what it refuses',
	broken: (body) => (additionsOf(body).length > 0 ? 'Bad request.' : undefined),
};

const deferralRefused: Rule<MessagesBody, Issued> = {
	source: 'An endpoint whose model of a tool has no such field, as FastAPI words it',
	broken: ({ tools = [] }) => {
		const at = tools.findIndex((tool) => 'defer_loading' in tool);
		return at < 0 ? undefined : `tools.${at}.defer_loading: Extra inputs are not permitted`;
	},
};

const wordless: Rule<MessagesBody, Issued> = {
	source: 'An endpoint that does not say what it refuses',
	broken: (body) => (JSON.stringify(body).includes('tool_reference') ? 'Bad request.' : undefined),
};

const searchRefused: Rule<ResponsesBody, readonly WireItem[]> = {
	source: 'https://developers.openai.com/api/docs/guides/tools-tool-search, "Only gpt-5.4 and later"',
	broken: ({ tools = [] }) =>
		tools.some((tool) => 'type' in tool && tool.type === 'tool_search')
			? "Tool 'tool_search' is not supported with this model."
			: undefined,
};

const unknownItem: Rule<ResponsesBody, readonly WireItem[]> = {
	source: 'ollama/ollama: openai/responses.go, unmarshalResponsesInputItem',
	broken: ({ input }) => {
		const at = input.findIndex(({ type }) => type === 'additional_tools');
		return at < 0 ? undefined : `input[${at}]: unknown input item type: "additional_tools"`;
	},
};

describe('ten turns in which tools are found, loaded by the user, changed, lost and reopened', () => {
	test.each([
		['Claude', withRules(messages), 'claude-opus-5'],
		['GPT', withRules(responses), 'gpt-5.4'],
		['a model on Ollama’s Responses API', withRules(responses), 'qwen3:8b'],
	])('%s: every request begins with the last one, byte for byte', async (_, protocol, model) => {
		const { refused, requests, loadings } = await chat(protocol, model);
		expect(refused).toEqual([]);
		expect(loadings[0]).toBe('native');
		expect(keptShares(requests.map(({ body }) => body)).filter((share) => share < 1)).toEqual([]);
	});

	test('a Claude whose thoughts are bound loses none of them', async () => {
		const { refused, requests } = await chat(withRules(boundClaude()), 'claude-fable-5-1', 'native');
		expect(refused).toEqual([]);
		expect(JSON.stringify(requests.at(-1)?.body)).toContain('tool_addition');
	});

	test.each([
		['Claude without system messages', withRules(messages, systemRefused), 'claude-opus-5', 'native'],
		['a gateway that knows two roles', withRules(messages, roleRefused), 'claude-opus-5', 'native'],
		['a gateway that does not say which part', withRules(messages, unnamed), 'claude-opus-5', 'native'],
		['a gateway without deferral', withRules(messages, deferralRefused), 'claude-sonnet-4-5', 'append'],
		['a gateway that does not say why', withRules(messages, wordless), 'claude-sonnet-4-5', 'append'],
		['GPT without tool search', withRules(responses, searchRefused), 'gpt-5.4', 'append'],
		['GPT without additional tools', withRules(responses, unknownItem), 'gpt-5.4', 'native'],
		['Ollama before it knew additional tools', withRules(responses, unknownItem), 'qwen3:8b', 'append'],
	])('%s: one request is refused, and every turn is answered', async (_, protocol, model, way) => {
		const { refused, events, loadings } = await chat(protocol, model);
		expect(refused).toHaveLength(1);
		expect(loadings[0]).toBe(way);
		expect(events.filter(({ type }) => type === 'toolDropped')).toEqual([]);
	});
});
