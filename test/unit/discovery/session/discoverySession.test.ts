import { describe, expect, test } from 'vitest';
import { Catalog, toolDefinition } from '../../../../src/discovery/catalog/catalog.ts';
import { defaultPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { contextReport } from '../../../../src/discovery/report.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { ids, keptLog, offered, office, policyFor, search, servers, sessionOf, tool } from '../fixtures.ts';

describe('while discovery is off', () => {
	const all = [...office].reverse();
	const off = () =>
		new DiscoverySession(
			new ToolSurface(new Catalog(all, 1), { ...policyFor(all), enabled: false, deferAll: true }),
		);

	test('the model is offered every tool unchanged, sorted by wire name, and nothing else', () => {
		const plain = new Catalog(all, 1).tools.map(toolDefinition).sort((a, b) => (a.name < b.name ? -1 : 1));
		expect(off().definitions).toEqual(plain);
	});

	test('the system prompt does not mention discovery, and there are no statistics', () => {
		expect(off().nextRequest().paragraph).toBeUndefined();
		expect(contextReport(off())).not.toHaveProperty('statistics');
		expect(off().discovers).toBe(false);
	});

	test('search_tools does not exist', () => {
		expect(off().resolve('search_tools')).toMatchObject({ kind: 'refused' });
	});

	test('discovery is off by default', () => {
		expect(defaultPolicy.enabled).toBe(false);
	});
});

describe('a tool loaded by a search', () => {
	test('is offered once, even if found again, and stays in the manifest', async () => {
		const session = sessionOf();
		const manifest = session.definitions[0]?.description;
		await search(session, {
			tool_names: ['create_event', 'calendar:create_event', 'calendar__create_event'],
		});
		await search(session, { query: 'create event' });
		expect(offered(session).filter((name) => name === 'calendar__create_event')).toHaveLength(1);
		expect(session.definitions[0]?.description).toBe(manifest);
	});

	test('stays loaded for the whole session', async () => {
		const session = sessionOf();
		await search(session, { tool_names: ['create_event'] });
		for (let turn = 0; turn < 50; turn++) session.beginTurn({ model: 'm', loading: 'append' });
		expect(ids(session.activated)).toEqual(['calendar:create_event']);
	});
});

describe('a call', () => {
	test('of a deferred tool that is not loaded is refused with advice', () => {
		const session = sessionOf();
		for (const name of ['calendar__create_event', 'calendar:create_event', 'create_event']) {
			expect(session.resolve(name)).toEqual({
				kind: 'refused',
				message: `Error: Tool '${name}' is not yet loaded. Use the 'search_tools' tool to discover and load it first, then call it again.`,
			});
		}
	});

	test('of a loaded tool succeeds, also by `server:tool`', async () => {
		const session = sessionOf();
		await search(session, { tool_names: ['create_event'] });
		for (const name of ['calendar__create_event', 'calendar:create_event']) {
			expect(session.resolve(name)).toMatchObject({ kind: 'tool', tool: { id: 'calendar:create_event' } });
		}
	});

	test('can be resolved without side effects; only making it marks the tool as used', async () => {
		const session = sessionOf(office, { maxActiveSchemas: 1 });
		session.beginTurn({ model: 'm', loading: 'append' });
		await search(session, { tool_names: ['create_event'] });
		session.nextRequest();
		session.beginTurn({ model: 'm', loading: 'append' });
		await search(session, { tool_names: ['send_message'] });
		session.beginTurn({ model: 'm', loading: 'append' });
		let changes = 0;
		session.onDidChange(() => changes++);
		const before = keptLog(session);
		const target = session.resolve('calendar__create_event');
		session.resolve('slack__send_message');
		expect(keptLog(session)).toEqual(before);
		expect(changes).toBe(0);
		session.called(target);
		expect(ids(session.activated)).toContain('calendar:create_event');
	});

	test('of an unknown tool is refused with the closest names', () => {
		expect(sessionOf().resolve('calendar__create_evnt')).toEqual({
			kind: 'refused',
			message: expect.stringMatching(
				/^Error: There is no tool 'calendar__create_evnt'\. Closest names: calendar__create_event/,
			),
		});
		expect(sessionOf().resolve('constructor').kind).toBe('refused');
	});
});

describe('when the servers’ tools change in the middle of a chat', () => {
	const refreshed = (all: typeof office, more = {}) =>
		new ToolSurface(new Catalog(all, 2), policyFor(all, more));

	test('loaded tools stay loaded with their new schema, and index and manifest are updated', async () => {
		const session = sessionOf();
		await search(session, { tool_names: ['create_event', 'send_message'] });
		const changed = tool('calendar', 'create_event', 'Create an event, with guests', { guests: 'array' });
		session.surface = refreshed([
			...servers({ calendar: [changed, 'invite_guests'] }),
			...servers({ slack: ['send_message'] }),
		]);
		expect(offered(session)).toEqual(['search_tools', 'calendar__create_event', 'slack__send_message']);
		expect(session.definitions[1]?.description).toBe('Create an event, with guests');
		expect(session.definitions[0]?.description).toContain('invite_guests');
		expect((await search(session, { query: 'invite guests' })).newlyLoaded).toEqual([
			'calendar__invite_guests',
		]);
	});

	test('listeners are notified only if the tools changed', () => {
		const session = sessionOf();
		let told = 0;
		session.onDidChange(() => told++);
		const { surface } = session;
		session.surface = surface;
		expect(told).toBe(0);
		session.surface = refreshed(office);
		expect(told).toBe(1);
	});
});

test('the manifest is in the system prompt when the policy says so', () => {
	expect(sessionOf(office, { manifestPlacement: 'system' }).nextRequest().paragraph).toMatch(
		/<manifest>\n.*- slack \(3 tools\).*<\/manifest>$/s,
	);
});

test('a user can load tools, unload tools and reset the session', () => {
	const session = sessionOf();
	const [first, second] = session.surface.deferred;
	if (!first || !second) throw new Error('the office has tools');
	expect(ids(session.load([first, second, first]))).toEqual(['slack:send_message', 'slack:list_channels']);
	expect(session.load([first])).toEqual([]);
	expect(ids(session.unload([first]))).toEqual(['slack:send_message']);
	expect(session.unload([first])).toEqual([]);
	session.reset();
	expect(offered(session)).toEqual(['search_tools']);
});
