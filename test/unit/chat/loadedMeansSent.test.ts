import { describe, expect, test } from 'vitest';
import type { CatalogServer } from '../../../src/discovery/catalog/catalog.ts';
import type { ToolCall } from '../../../src/discovery/catalog/message.ts';
import {
	type DiscoveryPolicy,
	defaultServerPolicy,
	type Loading,
} from '../../../src/discovery/catalog/policy.ts';
import { resultText, type ToolDefinition } from '../../../src/discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import type { ChatRequest } from '../../../src/models/chatModel.ts';
import { policyFor, sessionOf, tool } from '../discovery/fixtures.ts';
import { asks, call, lastTexts, type Round, ScriptedModel, says, turn } from './conversation.ts';

function server(name: string, count: number): CatalogServer {
	const tools = Array.from({ length: count }, (_, i) => tool(name, `${name}_${i}`, `Draw shape ${i}`));
	return { name, tools };
}

/** So many tools that are always loaded, and servers to be searched. */
function studio(always: number, ...deferred: readonly CatalogServer[]) {
	const all = [server('always', always), ...deferred];
	const known = policyFor(all).servers;
	const policy = (more: Partial<DiscoveryPolicy> = {}): Partial<DiscoveryPolicy> => ({
		servers: new Map([...known, ['always', { ...defaultServerPolicy, pinned: true }]]),
		...more,
	});
	return { all, policy };
}

const search = (input: Readonly<Record<string, unknown>>) => call('search_tools', input);
const ofServer = (name: string) => search({ server_name: name });

/** A turn. Each request must have the tools that the searches before it called loaded. */
async function kept(
	rounds: readonly (readonly ToolCall[])[],
	session: DiscoverySession,
	{ maxTools = 128, ...more }: { readonly maxTools?: number } & Parameters<typeof turn>[1] = {},
) {
	const due: string[] = [];
	const checked =
		(round: Round): Round =>
		(request, signal) => {
			expect([...reachableIn(request)]).toEqual(expect.arrayContaining(due.splice(0)));
			return round(request, signal);
		};
	const scripts = [...rounds.map((calls) => asks(...calls)), says('Done.')].map(checked);
	const model = new ScriptedModel(scripts, maxTools);
	/** How many tools each search has loaded. */
	const loaded: number[] = [];
	const { events, end } = await turn(model, {
		session,
		...more,
		onEvent: (event) => {
			if (event.type !== 'searchFinished') return;
			const hits = event.outcome.ok ? event.outcome.hits.filter(({ state }) => state === 'loaded') : [];
			loaded.push(hits.length);
			due.push(...hits.map(({ tool }) => tool.wireName));
		},
	});
	if (end?.reason === 'failed') throw end.error;
	return { model, events, loaded };
}

/** Tools that a model can call: those of the request, and those in its messages. */
function reachableIn({ tools, messages }: ChatRequest): ReadonlySet<string> {
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	const told = results.flatMap(({ loaded = [] }) => loaded);
	return new Set([...tools, ...told].map(({ name }) => name));
}

describe.each(['append', 'native', 'call'] satisfies Loading[])('%s', (loading) => {
	test.each([
		[50, 13],
		[60, 5],
		[64, 5],
		[100, 5],
	])(
		'with %i pinned tools and a server of 20, the next request has every tool that a search calls loaded',
		async (always, room) => {
			const { all, policy } = studio(always, server('big', 20));
			const { model, loaded } = await kept([[ofServer('big')]], sessionOf(all, policy({ loading })));
			expect(loaded).toEqual([loading === 'append' ? room : 20]);
			const text = lastTexts(model)[0] ?? '';
			if (loading !== 'append') return expect(text).not.toContain('Not loaded');
			expect(model.requests[1]?.tools.length).toBe(Math.max(64, always + 1 + 5));
			expect(text).toContain(`Found ${room} tools:`);
			expect(text).toContain('Not loaded, because this turn cannot load more tools: ');
			expect(text.match(/big__big_\d+/g)?.length).toBe(20);
		},
	);

	test('a search loads only as many tools as the model’s limit allows besides the pinned ones', async () => {
		const { all, policy } = studio(100, server('big', 20));
		const { loaded } = await kept(
			[[search({ query: 'draw', server_name: 'big' })]],
			sessionOf(all, policy({ loading })),
			{
				maxTools: loading === 'call' ? 102 : 101,
			},
		);
		expect(loaded).toEqual([loading === 'append' ? 0 : 5]);
	});

	test('parallel searches do not evict each other’s tools', async () => {
		const { all, policy } = studio(50, server('one', 10), server('two', 10), server('three', 10));
		const session = sessionOf(all, policy({ loading }));
		const { loaded, model } = await kept([['one', 'two', 'three'].map(ofServer)], session);
		expect(loaded).toEqual(loading === 'append' ? [10, 3, 0] : [10, 10, 4]);
		if (loading !== 'append') return;
		expect(lastTexts(model)[2]).toMatch(/^Not loaded, because this turn cannot load more tools/);
	});

	test('a search does not evict a tool that the same answer calls', async () => {
		const { all, policy } = studio(60, server('one', 5), server('two', 5));
		const session = sessionOf(all, policy({ loading }));
		const use =
			loading === 'call' ? call('call_tool', { name: 'one__one_0', arguments: {} }) : call('one__one_0');
		const { model } = await kept([[ofServer('one')], [ofServer('two'), use]], session);
		expect(reachableIn(model.requests[2] ?? fail()).has('one__one_0')).toBe(true);
	});

	test('tools named in the user’s message are loaded while there is room', async () => {
		const { all, policy } = studio(60, server('one', 8));
		const session = sessionOf(all, policy({ loading, maxSearchResults: 5 }));
		const text = 'Use one:one_0, one:one_1, one:one_2, one:one_3 and one:one_4.';
		const { model, events } = await kept([[search({ tool_names: ['one_7'] })]], session, {
			maxTools: 64,
			messages: [{ role: 'user', text }],
		});
		const synthetic = loading === 'call' ? 2 : 1;
		const preloaded = events.find(({ type }) => type === 'prefetched');
		expect(preloaded).toMatchObject({ tools: { length: 64 - 60 - synthetic } });
		expect(model.requests[0]?.tools.length).toBe(64);
	});
});

function fail(): never {
	throw new Error('There is no such request.');
}

test.each([
	['all 70 tools of its server', 'shop__shop_69', studio(0, server('shop', 70))],
	['40 others, with 40 always loaded', 'own__own_0', studio(40, server('own', 1), server('shop', 40))],
])(
	'a called tool stays loaded for the rest of the turn despite a search for %s',
	async (_, wireName, { all, policy }) => {
		const rounds = [
			[search({ tool_names: [wireName] })],
			[call(wireName)],
			[ofServer('shop')],
			[call(wireName)],
		];
		const { model, events } = await kept(rounds, sessionOf(all, policy({ maxActiveSchemas: null })));
		const sent = model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
		expect(sent).toContain(wireName);
		expect(sent).toHaveLength(64);
		const failed = events.filter((event) => event.type === 'toolFinished' && event.result.isError);
		expect(failed).toEqual([]);
	},
);

test('when the model takes fewer tools, then the user’s message says which were unloaded', async () => {
	const { all, policy } = studio(20, server('one', 20));
	const session = sessionOf(all, policy({ loading: 'append' }));
	const messages = [{ role: 'user' as const, text: 'Do it.' }];
	const first = new ScriptedModel([asks(ofServer('one')), says('Done.')], 128);
	await turn(first, { session, messages });
	messages.push({ role: 'user', text: 'Go on.' });
	const second = new ScriptedModel([says('Done.')], 31);
	await turn(second, { session, messages });
	const last = second.requests[0]?.messages.at(-1);
	expect(last).toMatchObject({
		news: expect.stringMatching(/^Unloaded to make room: (one__one_\d+(, )?){10}$/),
	});
});

test('loading by hand never promises more than the next request has room for', () => {
	const { all, policy } = studio(60, server('one', 20));
	const session = sessionOf(all, policy());
	session.beginTurn({ model: 'a', loading: 'append', maxTools: 128 });
	expect(session.load(session.surface.deferred).map(({ name }) => name)).toEqual([
		'one_0',
		'one_1',
		'one_2',
		'one_3',
		'one_4',
	]);
	expect(session.nextRequest()).toMatchObject({ tools: { length: 66 }, evicted: [] });
});

/** A model whose provider is not sent one tool. */
class PickyModel extends ScriptedModel {
	refusalOf(definition: ToolDefinition): string | undefined {
		return definition.name === 'shop__order' ? 'Its schema is too large.' : undefined;
	}
}

test.each(['append', 'native'] satisfies Loading[])(
	'%s: a tool rejected by the provider is not called loaded, and the model gets the reason',
	async (loading) => {
		const { all, policy } = studio(1, {
			name: 'shop',
			tools: [tool('shop', 'order', 'Order goods'), tool('shop', 'price', 'Price of goods')],
		});
		const session = sessionOf(all, policy({ loading }));
		const model = new PickyModel([
			asks(search({ tool_names: ['shop:order'] })),
			asks(search({ tool_names: ['shop:order', 'shop:price'] })),
			says('Done.'),
		]);
		const { events } = await turn(model, { session });
		const [first, second] = model.requests.slice(1).map(({ messages }) => {
			const message = messages.at(-1);
			return message?.role === 'tool' ? resultText(message.results[0]?.result ?? fail()) : '';
		});
		const refusal =
			'Not loaded, because your provider rejects its definition; do not call it: shop__order. Its schema is too large.';
		expect(first).toBe(refusal);
		expect(second).toContain(refusal);
		expect(session.activated.map(({ id }) => id)).toEqual(['shop:price']);
		const loaded = events.flatMap((event) => (event.type === 'activated' ? event.tools : []));
		expect(loaded.map(({ id }) => id)).toEqual(['shop:price']);
	},
);
