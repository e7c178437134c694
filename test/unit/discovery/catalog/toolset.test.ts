import { describe, expect, test } from 'vitest';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { searchToolsDefinition } from '../../../../src/discovery/tools/searchTools.ts';
import { begun, ids, news, office, search, surfaceOf, toolset } from '../fixtures.ts';

describe('given a toolset without the calendar', () => {
	const session = () => new DiscoverySession(surfaceOf(office, {}, toolset('talk', { slack: true })));

	test.each([
		{ query: 'create an event in the calendar' },
		{ query: 'calendar' },
		{ query: 'select:create_event' },
		{ query: '+calendar' },
		{ tool_names: ['calendar:create_event'] },
		{ tool_names: ['calendar__create_event'] },
		{ tool_names: ['create_evnt'] },
		{ server_name: 'calendar' },
		{ server_name: 'calender' },
		{ server_name: 'calendar', query: 'event' },
		{ server_name: 'slack', tool_names: ['delete_event'] },
	])(
		'when a search asks for %j, then it finds no calendar tool and does not mention the calendar',
		async (input) => {
			const { text, newlyLoaded } = await search(session(), input);
			// Of what the answer says, only the words of the caller may name the calendar.
			const asked = Object.values(input).flatMap((value) => [value].flat());
			const words = asked.flatMap((value) => [value, value.replace('select:', '')]);
			const own = words.reduce((rest, word) => rest.replaceAll(word, ''), text);
			expect(own).not.toMatch(/calendar|event/i);
			expect(newlyLoaded.filter((name) => name.startsWith('calendar'))).toEqual([]);
		},
	);

	test('when a calendar tool is called, then the call is refused and no calendar tool is suggested', () => {
		const target = session().resolve('calendar__create_events');
		const message = target.kind === 'refused' ? target.message : 'calendar';
		expect(message.replace('calendar__create_events', '')).not.toMatch(/calendar|event/);
	});

	test('when a bare name is shared by two servers, then it means the permitted server’s tool', async () => {
		expect((await search(session(), { tool_names: ['search'] })).newlyLoaded).toEqual(['slack__search']);
	});
});

describe('given a toolset that is chosen in the middle of a chat', () => {
	const talk = toolset('talk', { slack: true });

	/** A chat that has loaded a tool of the calendar, and then leaves the calendar out. */
	async function narrowed(more = {}) {
		const session = begun('append', office, more);
		await search(session, { tool_names: ['calendar:create_event'] });
		session.nextRequest();
		session.surface = surfaceOf(office, more, talk);
		return session;
	}

	test('when a search follows in the same turn, then its text does not mention the excluded tools', async () => {
		const { text } = await search(await narrowed(), { query: 'list the channels' });
		expect(text).not.toMatch(/calendar|gone/);
	});

	test('when a search evicts an excluded tool, then neither its text nor the timeline says so', async () => {
		const session = await narrowed({ maxActiveSchemas: 1 });
		session.beginTurn({ model: 'm', loading: 'append' });
		const { text } = await search(session, { tool_names: ['slack:search'] });
		expect(ids(session.activated)).toEqual(['slack:search']);
		expect(text).not.toContain('calendar');
		expect(session.log.timeline.filter(({ kind }) => kind === 'evict')).toEqual([]);
		expect(session.nextRequest().evicted).toEqual([]);
	});

	test('when the next request begins, then no note to the model mentions the excluded tools', async () => {
		const session = await narrowed();
		session.surface = surfaceOf(office, { maxActiveSchemas: 0 }, talk);
		expect(news(session)).toBeUndefined();
		expect(session.activations).toEqual([]);
	});
});

test('given a toolset with part of a server, then only that part is searched, listed and counted', async () => {
	const some = surfaceOf(
		office,
		{},
		toolset('plan', { calendar: { exclude: ['delete_event'] }, slack: ['search'] }),
	);
	expect(ids(some.deferred)).toEqual(['slack:search', 'calendar:create_event', 'calendar:search']);
	expect(searchToolsDefinition(some).description).toContain('- calendar (2 tools): create_event, search');
	expect((await search(new DiscoverySession(some), { query: 'delete event' })).text).not.toContain(
		'delete_event (',
	);
});

test('a toolset is applied before pinning and deferral, so tools that it excludes are not loaded', () => {
	const surface = surfaceOf(office, { enabled: false }, toolset('talk', { slack: ['send_message'] }));
	expect(ids(surface.loaded)).toEqual(['slack:send_message']);
});

test('unknown names in a toolset are reported, and the other names still apply', () => {
	const surface = surfaceOf(
		office,
		{},
		toolset('odd', {
			slack: ['send_message', 'fly'],
			calendar: { exclude: ['nap'] },
			teams: true,
			constructor: ['x'],
		}),
	);
	expect(surface.unknownInToolset).toEqual(['slack:fly', 'calendar:nap', 'teams', 'constructor']);
	expect(ids(surface.tools)).toEqual([
		'slack:send_message',
		'calendar:create_event',
		'calendar:delete_event',
		'calendar:search',
	]);
});
