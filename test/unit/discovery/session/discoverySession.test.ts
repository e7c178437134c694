import { describe, expect, test } from 'vitest';
import { Catalog, toolDefinition } from '../../../../src/discovery/catalog/catalog.ts';
import { defaultPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { contextReport } from '../../../../src/discovery/report.ts';
import { ids, keptLog, offered, office, search, servers, sessionOf, surfaceOf, tool } from '../fixtures.ts';

describe('while discovery is off', () => {
	const all = [...office].reverse();
	const off = () => sessionOf(all, { enabled: false, deferAll: true });

	test('the model is offered every tool unchanged, sorted by wire name, and nothing else', () => {
		const plain = new Catalog(all, 1).tools.map(toolDefinition).sort((a, b) => (a.name < b.name ? -1 : 1));
		expect(off().nextHead.tools).toEqual(plain);
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
		const manifest = session.nextHead.tools[0]?.description;
		await search(session, {
			tool_names: ['create_event', 'calendar:create_event', 'calendar__create_event'],
		});
		await search(session, { query: 'create event' });
		expect(offered(session).filter((name) => name === 'calendar__create_event')).toHaveLength(1);
		expect(session.nextHead.tools[0]?.description).toBe(manifest);
	});
});

describe('given searches in a row without a call', () => {
	const goesRound = /searches in a row found nothing new/;
	const queries = ['send a message', 'message to send', 'please send messages'];

	test.each([queries, ['launch a rocket', 'fly a rocket', 'start the rocket']])(
		'when the third finds only what the others found, or nothing, then the model is told to go on without it',
		async (...asked) => {
			const session = sessionOf();
			const texts = [];
			for (const query of asked) texts.push((await search(session, { query })).text);
			expect(texts.map((text) => goesRound.test(text))).toEqual([false, false, true]);
		},
	);

	test.each(['list_channels', 'call', 'turn', 'same'])(
		'when the third finds something new or is the same, or a call or a message came between, then it is not: %s',
		async (between) => {
			const session = sessionOf();
			const [first, second, third] = queries;
			await search(session, { query: first });
			if (between === 'turn') session.beginTurn({ model: 'm', loading: 'append' });
			if (between === 'call') session.called(session.resolve('slack__send_message'));
			await search(session, { query: second });
			const last =
				between === 'list_channels'
					? { tool_names: [between] }
					: { query: between === 'same' ? second : third };
			expect((await search(session, last)).text).not.toMatch(goesRound);
		},
	);
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
});

describe('when the servers’ tools change in the middle of a chat', () => {
	test('then tools of a server that is gone take no place from those that exist, and count again once it is back', async () => {
		const session = sessionOf(office, { maxActiveSchemas: 2 });
		// The tool that goes was used last.
		await search(session, { tool_names: ['send_message', 'create_event'] });
		session.beginTurn({ model: 'm', loading: 'append' });
		const left = office.filter(({ name }) => name !== 'calendar');
		session.surface = surfaceOf(left, { maxActiveSchemas: 2 });
		const other = session.surface.deferred.find(({ id }) => id !== 'slack:send_message');
		await search(session, { tool_names: [other?.name ?? ''] });
		expect(ids(session.activated)).toEqual(['slack:send_message', other?.id]);
		session.surface = surfaceOf(office, { maxActiveSchemas: 2 });
		expect(session.activated).toHaveLength(2);
	});

	test('loaded tools stay loaded with their new schema, and index and manifest are updated', async () => {
		const session = sessionOf();
		await search(session, { tool_names: ['create_event', 'send_message'] });
		const changed = tool('calendar', 'create_event', 'Create an event, with guests', { guests: 'array' });
		session.surface = surfaceOf([
			...servers({ calendar: [changed, 'invite_guests'] }),
			...servers({ slack: ['send_message'] }),
		]);
		expect(offered(session)).toEqual(['search_tools', 'calendar__create_event', 'slack__send_message']);
		expect(session.nextHead.tools[1]?.description).toBe('Create an event, with guests');
		expect(session.nextHead.tools[0]?.description).toContain('invite_guests');
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
		session.surface = surfaceOf(office);
		expect(told).toBe(1);
	});
});
