import { describe, expect, test } from 'vitest';
import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import type { DiscoveryPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import type { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { call, news, office, policyFor, search, servers, sessionOf, tool, toolset } from '../fixtures.ts';

const turn = { model: 'a', loading: 'append' } as const;

function names(session: DiscoverySession): string[] {
	return session.nextRequest().tools.map(({ name }) => name);
}

/** A chat whose model has been asked once. */
function begun(
	all: readonly CatalogServer[] = office,
	more: Partial<DiscoveryPolicy> = {},
): DiscoverySession {
	const session = sessionOf(all, more);
	session.beginTurn(turn);
	session.nextRequest();
	return session;
}

function surface(all: readonly CatalogServer[], more: Partial<DiscoveryPolicy> = {}): ToolSurface {
	return new ToolSurface(new Catalog(all, 2), policyFor(all, more));
}

describe('the prompt prefix of a chat', () => {
	test('grows only at its end, in the order in which tools are loaded', async () => {
		const session = begun();
		const before = JSON.stringify(session.nextRequest().tools);
		await search(session, { tool_names: ['send_message'] });
		const between = JSON.stringify(session.nextRequest().tools);
		await search(session, { tool_names: ['create_event'] });
		const after = JSON.stringify(session.nextRequest().tools);

		expect(between.startsWith(before.slice(0, -1))).toBe(true);
		expect(after.startsWith(between.slice(0, -1))).toBe(true);
		expect(names(session)).toEqual(['search_tools', 'slack__send_message', 'calendar__create_event']);
	});

	test('keeps its manifest and counts when servers are added or removed', () => {
		const session = begun();
		const { paragraph, tools } = session.nextRequest();
		session.surface = surface([...office, ...servers({ mail: ['send_mail'] })]);
		expect(session.nextRequest()).toMatchObject({ paragraph, tools, evicted: [], changed: [] });
		session.surface = surface(office.slice(1));
		expect(session.nextRequest()).toMatchObject({ paragraph, tools, evicted: [], changed: [] });
	});

	test('stays the same when a loaded tool changes, a tool is removed, or all tools are removed', async () => {
		const session = begun();
		await search(session, { tool_names: ['send_message'] });
		const { paragraph, tools, evicted } = session.nextRequest();
		const changed = servers({
			slack: [tool('slack', 'send_message', 'Send to a channel', { to: 'string!' }), 'other'],
		});
		for (const all of [changed, servers({ slack: ['other'] }), [], office]) {
			session.surface = surface(all);
			news(session);
			expect(session.nextRequest()).toMatchObject({ paragraph, tools, evicted });
		}
	});

	test('keeps search_tools while all deferred tools are unavailable', async () => {
		const session = begun();
		session.surface = surface([]);
		session.nextRequest();
		expect(session.resolve('search_tools').kind).toBe('synthetic');
		const { text } = await search(session, { query: 'send a message' });
		expect(text).toContain('No tools');
	});

	test('has a tool that is pinned during a chat at its end instead of in name order', async () => {
		const session = begun();
		await search(session, { tool_names: ['send_message'] });
		const before = names(session);
		const policy = policyFor(office);
		const calendar = { ...(policy.servers.get('calendar') ?? never()), pinned: ['search'] };
		session.surface = surface(office, { servers: new Map([...policy.servers, ['calendar', calendar]]) });
		expect(names(session)).toEqual([...before, 'calendar__search']);
	});

	test('is the same after a refresh that lists equal tools', async () => {
		const session = begun();
		await search(session, { tool_names: ['send_message'] });
		const before = JSON.stringify(session.nextRequest());
		session.surface = surface(structuredClone(office));
		expect(JSON.stringify(session.nextRequest())).toBe(before);
	});
});

describe('a new prefix starts, with the current tools', () => {
	const more = [...office, ...servers({ mail: ['send_mail'] })];

	test.each<[string, (session: DiscoverySession) => void]>([
		['for another model', (session) => session.beginTurn({ ...turn, model: 'b' })],
		['for another way of loading', (session) => session.beginTurn({ ...turn, loading: 'call' })],
		['after a reset', (session) => session.reset()],
	])('%s', (_when, change) => {
		const session = begun();
		session.surface = surface(more);
		expect(session.nextRequest().paragraph).toMatch(/^6 tools of 2/);
		change(session);
		expect(session.nextRequest().paragraph).toMatch(/^7 tools of 3/);
		expect(session.nextRequest().tools[0]?.description).toContain('send_mail');
	});

	test('when the user unloads a tool, which is then no longer sent', async () => {
		const session = begun();
		await search(session, { tool_names: ['send_message', 'create_event'] });
		session.nextRequest();
		session.unload(session.activated.slice(0, 1));
		expect(names(session)).toEqual(['search_tools', 'calendar__create_event']);
	});

	test('when a tool that is always loaded is deferred', () => {
		const session = begun(office, { servers: new Map() });
		expect(names(session)).toHaveLength(6);
		session.surface = surface(office);
		expect(names(session)).toEqual(['search_tools']);
	});

	test('when a toolset is chosen, whose excluded tools leave the manifest', () => {
		const session = begun();
		const chosen = toolset('only', { slack: true });
		session.surface = new ToolSurface(new Catalog(office, 2), policyFor(office), chosen);
		expect(session.nextRequest().tools[0]?.description).not.toContain('calendar');
	});

	test('when the definition of the chosen toolset changes, but not when its file is only read again', () => {
		const chosen = (calendar: boolean) =>
			toolset('mine', calendar ? { slack: true, calendar: true } : { slack: true });
		const narrowed = (calendar: boolean) =>
			new ToolSurface(new Catalog(office, 2), policyFor(office), chosen(calendar));
		const session = begun();
		session.surface = narrowed(true);
		const before = session.nextRequest();
		session.surface = narrowed(true);
		expect(session.nextRequest().tools[0]).toBe(before.tools[0]);
		session.surface = narrowed(false);
		expect(session.nextRequest().tools[0]?.description).not.toContain('calendar');
	});

	test('when the first deferred server connects late, and search_tools is added', () => {
		const session = begun([]);
		expect(names(session)).toEqual([]);
		session.surface = surface(office);
		expect(names(session)).toEqual(['search_tools']);
	});

	test('at every request when discovery is off', () => {
		const session = begun(servers({ b: ['x'] }), { enabled: false });
		session.surface = surface(servers({ b: ['x'], a: ['y'] }), { enabled: false });
		expect(names(session)).toEqual(['a__y', 'b__x']);
	});
});

describe('an evicted tool', () => {
	async function evicting(): Promise<DiscoverySession> {
		const session = begun(office, { maxActiveSchemas: 1 });
		await search(session, { tool_names: ['send_message'] });
		session.nextRequest();
		session.beginTurn(turn);
		const { evicted } = await search(session, { tool_names: ['create_event'] });
		expect(evicted).toEqual(['slack__send_message']);
		return session;
	}

	test('is still sent, because removing it would invalidate the cache', async () => {
		expect(names(await evicting())).toEqual([
			'search_tools',
			'slack__send_message',
			'calendar__create_event',
		]);
	});

	test('can be called without another search, and the call loads it again', async () => {
		const session = await evicting();
		session.beginTurn(turn);
		expect(call(session, 'slack__send_message')).toMatchObject({ kind: 'tool' });
		expect(session.activated.map(({ id }) => id)).toEqual(['slack:send_message']);
	});

	test('is dropped from the next prefix and must then be loaded by a search', async () => {
		const session = await evicting();
		session.beginTurn({ ...turn, model: 'b' });
		expect(names(session)).toEqual(['search_tools', 'calendar__create_event']);
		expect(session.resolve('slack__send_message').kind).toBe('refused');
	});

	test('is still sent when it changed or was removed, with a note to the model', async () => {
		for (const left of ['list_channels', tool('slack', 'send_message', 'Changed')]) {
			const session = await evicting();
			const before = names(session);
			session.surface = surface([...servers({ slack: [left] }), ...office.slice(1)]);
			expect(news(session)).toMatch(/(Changed since you loaded it|no longer available): slack__send_message/);
			expect(names(session)).toEqual(before);
		}
	});

	test('must be loaded by a search when no request has sent it yet', async () => {
		const session = begun(office, { maxActiveSchemas: 1 });
		await search(session, { tool_names: ['send_message'] });
		session.beginTurn(turn);
		await search(session, { tool_names: ['create_event'] });
		expect(session.resolve('slack__send_message').kind).toBe('refused');
	});
});

describe('given a request with too many tools', () => {
	const many = servers({ big: Array.from({ length: 200 }, (_, i) => `tool_${i}`) });

	test('then evicted tools are dropped first, then the least recently used', async () => {
		const session = begun(many, { maxActiveSchemas: null });
		const evicted: string[] = [];
		for (let i = 0; i < 5; i++) {
			const tool_names = Array.from({ length: 20 }, (_, n) => `tool_${i * 20 + n}`);
			evicted.push(...(await search(session, { tool_names })).evicted);
			session.nextRequest();
		}
		expect(evicted.length).toBe(37);
		expect(evicted).toContain('big__tool_0');
		const sent = names(session);
		expect(sent.length).toBe(64);
		expect(sent).toContain('big__tool_99');
		expect(session.activated.length).toBe(63);
	});

	test("then the model's own limit applies if it is lower", async () => {
		const session = begun(many, { maxActiveSchemas: null });
		await search(session, { tool_names: Array.from({ length: 20 }, (_, n) => `tool_${n}`) });
		session.beginTurn({ ...turn, maxTools: 10 });
		expect(names(session).length).toBe(10);
	});

	test('when discovery is off, then no loaded tool is evicted', async () => {
		const session = begun(many, { maxActiveSchemas: null });
		await search(session, { tool_names: ['tool_0', 'tool_1'] });
		session.surface = surface(many, { enabled: false, maxActiveSchemas: null });
		expect(session.nextRequest().evicted).toEqual([]);
		session.surface = surface(many, { maxActiveSchemas: null });
		expect(session.activated.map(({ name }) => name)).toEqual(['tool_0', 'tool_1']);
	});

	test('then always loaded tools are never dropped', () => {
		const session = begun(many, { servers: new Map() });
		session.beginTurn({ ...turn, maxTools: 100 });
		expect(names(session).length).toBe(200);
	});
});

describe('a change to the list of servers and tools', () => {
	test('is reported once, with the next search result', async () => {
		const session = begun();
		session.surface = surface([...office.slice(0, 1), ...servers({ mail: ['send_mail', 'read_mail'] })]);
		const { text } = await search(session, { tool_names: ['send_message'] });
		expect(text).toContain(
			'Changed since the server list was made:\n- New servers: mail (2 tools)\n- Servers that are gone: calendar',
		);
		expect((await search(session, { tool_names: ['send_message'] })).text).not.toContain('Changed since');
	});

	test('is reported with the names of added and removed tools', async () => {
		const session = begun();
		const [slack, calendar] = office;
		if (!slack || !calendar) throw never();
		session.surface = surface([
			{ ...slack, tools: [...slack.tools.slice(1), tool('slack', 'set_status')] },
			calendar,
		]);
		expect((await search(session, { tool_names: ['create_event'] })).text).toContain(
			'- slack: new slack__set_status; gone slack__send_message',
		);
	});

	test('is not reported when the same tools are listed again', async () => {
		const session = begun();
		session.surface = surface(structuredClone(office));
		expect((await search(session, { tool_names: ['create_event'] })).text).not.toContain('Changed since');
	});

	test('is truncated in the report when it is large', async () => {
		const session = begun();
		const all = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`new_server_${i}`, ['x']]));
		session.surface = surface([...office, ...servers(all)]);
		const { text } = await search(session, { tool_names: ['create_event'] });
		expect(text).toContain('and 480 more');
		expect(text.length).toBeLessThan(1500);
	});
});

function never(): never {
	throw new Error('the office has its servers');
}
