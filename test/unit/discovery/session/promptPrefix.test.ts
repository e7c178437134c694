import { describe, expect, test } from 'vitest';
import type { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { begun, call, news, office, search, sent, servers, surfaceOf, tool, toolset } from '../fixtures.ts';

const turn = { model: 'm', loading: 'append' } as const;

describe('the prompt prefix of a chat', () => {
	test('keeps search_tools while all deferred tools are unavailable', async () => {
		const session = begun();
		session.surface = surfaceOf([]);
		session.nextRequest();
		expect(session.resolve('search_tools').kind).toBe('synthetic');
		const { text } = await search(session, { query: 'send a message' });
		expect(text).toContain('No tools');
	});
});

describe('a new prefix starts, with the current tools', () => {
	const more = [...office, ...servers({ mail: ['send_mail'] })];

	test.each<[string, (session: DiscoverySession) => void]>([
		['for another model', (session) => session.beginTurn({ ...turn, model: 'b' })],
		['for another way of loading', (session) => session.beginTurn({ ...turn, loading: 'call' })],
		['after a reset', (session) => session.log.append({ kind: 'reset' })],
	])('%s', (_when, change) => {
		const session = begun();
		session.surface = surfaceOf(more);
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
		expect(sent(session)).toEqual(['search_tools', 'calendar__create_event']);
	});

	test('when a tool that is always loaded is deferred', () => {
		const session = begun('append', office, { servers: new Map() });
		expect(sent(session)).toHaveLength(6);
		session.surface = surfaceOf(office);
		expect(sent(session)).toEqual(['search_tools']);
	});

	test('when the definition of the chosen toolset changes, but not when its file is only read again', () => {
		const chosen = (calendar: boolean) =>
			toolset('mine', calendar ? { slack: true, calendar: true } : { slack: true });
		const narrowed = (calendar: boolean) => surfaceOf(office, {}, chosen(calendar));
		const session = begun();
		session.surface = narrowed(true);
		const before = session.nextRequest();
		session.surface = narrowed(true);
		expect(session.nextRequest().tools[0]).toBe(before.tools[0]);
		session.surface = narrowed(false);
		expect(session.nextRequest().tools[0]?.description).not.toContain('calendar');
	});

	test('when the first deferred server connects late, and search_tools is added', () => {
		const session = begun('append', []);
		expect(sent(session)).toEqual([]);
		session.surface = surfaceOf(office);
		expect(sent(session)).toEqual(['search_tools']);
	});

	test('at every request when discovery is off', () => {
		const session = begun('append', servers({ b: ['x'] }), { enabled: false });
		session.surface = surfaceOf(servers({ b: ['x'], a: ['y'] }), { enabled: false });
		expect(sent(session)).toEqual(['a__y', 'b__x']);
	});
});

describe('an evicted tool', () => {
	async function evicting(): Promise<DiscoverySession> {
		const session = begun('append', office, { maxActiveSchemas: 1 });
		await search(session, { tool_names: ['send_message'] });
		session.nextRequest();
		session.beginTurn(turn);
		await search(session, { tool_names: ['create_event'] });
		expect(session.nextRequest().evicted).toEqual(['slack:send_message']);
		return session;
	}

	test('can be called without another search, and the call loads it again', async () => {
		const session = await evicting();
		session.beginTurn(turn);
		expect(call(session, 'slack__send_message')).toMatchObject({ kind: 'tool' });
		expect(session.activated.map(({ id }) => id)).toEqual(['slack:send_message']);
	});

	test('is dropped from the next prefix and must then be loaded by a search', async () => {
		const session = await evicting();
		session.beginTurn({ ...turn, model: 'b' });
		expect(sent(session)).toEqual(['search_tools', 'calendar__create_event']);
		expect(session.resolve('slack__send_message').kind).toBe('refused');
	});

	test('must be loaded by a search when no request has sent it yet', async () => {
		const session = begun('append', office, { maxActiveSchemas: 1 });
		await search(session, { tool_names: ['send_message'] });
		session.beginTurn(turn);
		await search(session, { tool_names: ['create_event'] });
		expect(session.resolve('slack__send_message').kind).toBe('refused');
	});
});

describe('given a request with too many tools', () => {
	const many = servers({ big: Array.from({ length: 200 }, (_, i) => `tool_${i}`) });

	test('then evicted tools are dropped first, then the least recently used', async () => {
		const session = begun('append', many, { maxActiveSchemas: null });
		const evicted: string[] = [];
		for (let i = 0; i < 5; i++) {
			const tool_names = Array.from({ length: 20 }, (_, n) => `tool_${i * 20 + n}`);
			await search(session, { tool_names });
			evicted.push(...session.nextRequest().evicted);
		}
		expect(evicted.length).toBe(37);
		expect(evicted).toContain('big:tool_0');
		const names = sent(session);
		expect(names.length).toBe(64);
		expect(names).toContain('big__tool_99');
		expect(session.activated.length).toBe(63);
	});

	test('when discovery is off, then no loaded tool is evicted', async () => {
		const session = begun('append', many, { maxActiveSchemas: null });
		await search(session, { tool_names: ['tool_0', 'tool_1'] });
		session.surface = surfaceOf(many, { enabled: false, maxActiveSchemas: null });
		expect(session.nextRequest().evicted).toEqual([]);
		session.surface = surfaceOf(many, { maxActiveSchemas: null });
		expect(session.activated.map(({ name }) => name)).toEqual(['tool_0', 'tool_1']);
	});

	test('then always loaded tools are never dropped', () => {
		const session = begun('append', many, { servers: new Map() });
		session.beginTurn({ ...turn, maxTools: 100 });
		expect(sent(session).length).toBe(200);
	});
});

describe('a change to the list of servers and tools', () => {
	test('is reported once, with the next request', () => {
		const session = begun();
		session.surface = surfaceOf([...office.slice(0, 1), ...servers({ mail: ['send_mail', 'read_mail'] })]);
		expect(news(session)).toBe(
			'Changed since the server list was made:\n- New servers: mail (2 tools)\n- Servers that are gone: calendar',
		);
		expect(news(session)).toBeUndefined();
	});

	test('is reported with the names of added and removed tools', () => {
		const session = begun();
		const [slack, calendar] = office;
		if (!slack || !calendar) throw new Error('the office has its servers');
		session.surface = surfaceOf([
			{ ...slack, tools: [...slack.tools.slice(1), tool('slack', 'set_status')] },
			calendar,
		]);
		expect(news(session)).toContain('- slack: new slack__set_status; gone slack__send_message');
	});

	test('is not reported when the same tools are listed again', () => {
		const session = begun();
		session.surface = surfaceOf(structuredClone(office));
		expect(news(session)).toBeUndefined();
	});

	test('is truncated in the report when it is large', () => {
		const session = begun();
		const all = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`new_server_${i}`, ['x']]));
		session.surface = surfaceOf([...office, ...servers(all)]);
		const text = news(session);
		expect(text).toContain('and 480 more');
		expect(text?.length).toBeLessThan(1500);
	});
});
