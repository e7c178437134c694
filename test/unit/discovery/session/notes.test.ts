import { describe, expect, test } from 'vitest';
import type { Loading } from '../../../../src/discovery/catalog/policy.ts';
import {
	begun,
	call,
	ids,
	keptLog,
	news,
	office,
	search,
	servers,
	sessionOf,
	surfaceOf,
	tool,
	toolset,
} from '../fixtures.ts';

const [slack, calendar] = office;
if (!slack || !calendar) throw new Error('the office has two servers');

/** The office after the server of the calendar has learned to invite guests. */
const changed = [
	slack,
	{
		...calendar,
		tools: [
			tool('calendar', 'create_event', 'Create an event in a calendar', { guests: 'array!' }),
			...calendar.tools.slice(1),
		],
	},
];

async function loaded(loading: Loading = 'append', names = ['create_event', 'send_message']) {
	const session = begun(loading);
	await search(session, { tool_names: names });
	session.nextRequest();
	return session;
}

const note = 'Changed since you loaded it: calendar__create_event; read its definition again.';

/** What is told besides where the request goes on with the definition as it was. */
const schema =
	'The input schema of calendar__create_event is now: {"type":"object","properties":{"guests":{"type":"array"}},"required":["guests"]}';

describe('given a chat that is resumed after a server changed a loaded tool', () => {
	test('then its next request has the note', async () => {
		const again = sessionOf(changed, {}, keptLog(await loaded()));
		expect(news(again)).toContain(note);
		expect(news(again)).toBeUndefined();
	});

	test('when only the order of keys changed, then there is no note', async () => {
		const turned = office.map((server) => ({
			...server,
			tools: server.tools.map((one) => ({
				...one,
				inputSchema: Object.fromEntries(Object.entries(one.inputSchema).reverse()),
			})),
		}));
		expect(news(sessionOf(turned, {}, keptLog(await loaded())))).toBeUndefined();
	});
});

describe('given a running chat in which a server changes a loaded tool', () => {
	test.each(['append', 'native'] as const)(
		'%s: the request’s tools stay the same, and the model gets the new schema once',
		async (loading) => {
			const session = await loaded(loading);
			const { tools } = session.nextRequest();
			session.surface = surfaceOf(changed);
			expect(news(session)).toBe(`${note} \n${schema}`);
			expect(news(session)).toBeUndefined();
			expect(session.nextRequest().tools).toEqual(tools);
			expect(session.resolve('calendar__create_event')).toMatchObject({ kind: 'tool', unchecked: true });
		},
	);

	test('then the note comes again after another change', async () => {
		const session = await loaded();
		session.surface = surfaceOf(changed);
		expect(news(session)).toContain(schema);
		session.surface = surfaceOf(office);
		expect(news(session)).toContain('calendar__create_event is now: ');
	});

	test('when the tool is always loaded, then there is a note as well', () => {
		const all = { deferAll: false, servers: new Map() };
		const session = begun('append', office, all);
		const { tools } = session.nextRequest();
		session.surface = surfaceOf(changed, all);
		expect(news(session)).toBe(`${note} \n${schema}`);
		expect(session.nextRequest().tools).toEqual(tools);
		session.surface = surfaceOf([slack], all);
		expect(news(session)).toContain('no longer available: calendar__create_event');
		expect(session.nextRequest().tools).toEqual(tools);
		expect(session.resolve('calendar__create_event').kind).toBe('refused');
	});

	test('when more tools changed than a note can hold, then the next request starts a new prefix', async () => {
		const many = (description: string) =>
			servers({ big: Array.from({ length: 60 }, (_, i) => tool('big', `t${i}`, description)) });
		const session = begun('append', many('one'), { maxActiveSchemas: null });
		session.load(session.surface.deferred);
		expect(session.nextRequest().tools.at(-1)?.description).toBe('one');
		session.surface = surfaceOf(many('two'), { maxActiveSchemas: null });
		const told = news(session);
		expect(told).toMatch(/big__t19, ... and 40 more; read/);
		expect(told).not.toContain('input schema');
		expect(session.nextRequest().tools.at(-1)?.description).toBe('two');
	});

	test('call: the note asks the model to load the outdated schema again', async () => {
		const session = await loaded('call');
		session.surface = surfaceOf(changed);
		expect(news(session)).toBe(
			`${note} The schema you have is outdated. Load it again with search_tools and tool_names ["calendar__create_event"].`,
		);
	});

	test('call: when the model loads the new schema first, then there is no note', async () => {
		const session = await loaded('call');
		session.surface = surfaceOf(changed);
		const { text } = await search(session, { tool_names: ['calendar__create_event'] });
		expect(text).toContain('"guests"');
		expect(text).not.toContain('Changed since you loaded it');
	});

	test.each([
		['call', ['calendar:create_event']],
		['append', []],
	] as const)(
		'%s: a reloaded tool is stale only if the model still sees the old definition',
		async (loading, stale) => {
			const session = await loaded(loading);
			session.unload(session.activated);
			session.surface = surfaceOf(changed);
			session.load(session.surface.deferred.filter(({ name }) => name === 'create_event'));
			expect(ids(session.changedTools)).toEqual(stale);
			expect(news(session) ?? '').toMatch(loading === 'call' ? note : /^$/);
			expect(news(session)).toBeUndefined();
		},
	);

	test('when the tool is not loaded, was unloaded or changed back, then there is no note', async () => {
		const session = await loaded('append', ['send_message']);
		session.surface = surfaceOf(changed);
		expect(news(session)).toBeUndefined();
		const other = await loaded();
		other.unload(other.activated);
		other.surface = surfaceOf(changed);
		expect(news(other)).toBeUndefined();
		const restored = await loaded();
		restored.surface = surfaceOf(changed);
		restored.surface = surfaceOf(structuredClone(office));
		expect(news(restored)).toBeUndefined();
	});

	test('when the user loaded the tool, then there is a note as well', async () => {
		const session = begun();
		const [event] = session.surface.deferred.filter(({ name }) => name === 'create_event');
		if (!event) throw new Error('the office creates events');
		session.load([event]);
		session.nextRequest();
		session.surface = surfaceOf(changed);
		expect(news(session)).toContain(note);
	});

	test('when discovery is off, then there is no note', async () => {
		const off = sessionOf(changed, { enabled: false }, keptLog(await loaded()));
		expect(news(off)).toBeUndefined();
		expect(sessionOf([slack], { enabled: false }, keptLog(await loaded())).goneTools).toEqual([]);
	});
});

describe('a loaded tool that is removed', () => {
	const renamed = [
		slack,
		{ ...calendar, tools: [tool('calendar', 'create_events', 'Create events'), ...calendar.tools.slice(1)] },
	];
	const gone =
		/Loaded earlier, no longer available: calendar__create_event \(closest names: calendar__create_events[^)]*\)\./;

	test('is reported once, with the closest names', async () => {
		const again = sessionOf(renamed, {}, keptLog(await loaded()));
		expect(news(again)).toMatch(gone);
		expect(news(again)).toBeUndefined();
		expect(again.goneTools).toEqual(['calendar:create_event']);
	});

	test('is loaded again when it returns, and reported again when it is removed again', async () => {
		const session = await loaded();
		session.surface = surfaceOf(renamed);
		expect(news(session)).toMatch(gone);
		session.surface = surfaceOf(office);
		expect(ids(session.activated)).toContain('calendar:create_event');
		expect(news(session)).toContain('new calendar__create_event');
		session.surface = surfaceOf(renamed);
		expect(news(session)).toMatch(gone);
	});

	test('is reported as changed when it returns with another definition', async () => {
		const session = await loaded();
		session.surface = surfaceOf([slack]);
		session.surface = surfaceOf(changed);
		expect(news(session)).toBe(`${note} \n${schema}`);
	});

	describe('given a tool that is always loaded', () => {
		const all = { deferAll: false, servers: new Map() };
		const away = () => {
			const session = begun('append', office, all);
			session.surface = surfaceOf([slack], all);
			expect(news(session)).toContain('no longer available: calendar__create_event');
			return session;
		};
		const back = 'Available again: calendar__create_event, calendar__delete_event, calendar__search.';

		test('is reported once as available again, unless it was removed again before the next request', () => {
			const session = away();
			session.surface = surfaceOf(office, all);
			session.surface = surfaceOf([slack], all);
			expect(news(session)).toBeUndefined();
			session.surface = surfaceOf(office, all);
			expect(news(session)).toBe(back);
			expect(news(session)).toBeUndefined();
		});

		test('is reported as available again and as changed when it returns with another definition', () => {
			const session = away();
			session.surface = surfaceOf(changed, all);
			expect(news(session)).toBe(`${back}\n\n${note} \n${schema}`);
			expect(news(session)).toBeUndefined();
		});

		test('is not reported as available again when the request starts a new prefix', () => {
			const session = away();
			session.surface = surfaceOf(office, all);
			session.beginTurn({ model: 'other', loading: 'append' });
			expect(news(session)).toBeUndefined();
			session.surface = surfaceOf([slack], all);
			expect(news(session)).toContain('no longer available: calendar__create_event');
		});
	});

	test('with call, is reported as available again when it has been pinned meanwhile', async () => {
		const session = await loaded('call', ['create_event']);
		session.surface = surfaceOf([slack]);
		expect(news(session)).toContain('no longer available: calendar__create_event');
		const pinned = {
			servers: new Map([['calendar', { deferLoading: true, pinned: ['create_event'], tools: new Map() }]]),
		};
		session.surface = surfaceOf(office, pinned);
		session.beginTurn({ model: 'other', loading: 'call' });
		expect(news(session)).toBe('Available again: calendar__create_event.');
		expect(news(session)).toBeUndefined();
	});

	describe('given a chat with a toolset', () => {
		const withoutMessages = [{ ...slack, tools: slack.tools.slice(1) }, ...renamed.slice(1)];
		const talk = toolset('talk', { slack: true });

		test('is reported, but no tool that the toolset excludes', async () => {
			const session = await loaded('call');
			session.surface = surfaceOf(withoutMessages, {}, talk);
			const text = news(session);
			expect(text).toContain('Loaded earlier, no longer available: slack__send_message');
			expect(text).not.toContain('calendar');
			expect(session.goneTools).toEqual(['slack:send_message']);
		});

		test('is loaded again when the chat leaves the toolset that excluded it', async () => {
			const session = await loaded();
			session.surface = surfaceOf(office, {}, talk);
			expect(ids(session.activated)).toEqual(['slack:send_message']);
			session.surface = surfaceOf(office);
			expect(ids(session.activated)).toEqual(['calendar:create_event', 'slack:send_message']);
		});
	});

	test('is remembered up to a limit, and the least recently used are dropped first', () => {
		const all = servers({ big: Array.from({ length: 100 }, (_, i) => `t${i}`), slack: ['send'] });
		const unbounded = { maxActiveSchemas: null, maxRequestTools: 200 };
		const session = sessionOf(all, unbounded);
		session.load(session.surface.deferred);
		call(session, 'big__t0');
		session.surface = surfaceOf(all.slice(1), unbounded);
		session.surface = surfaceOf(all, unbounded);
		const names = session.activated.map(({ name }) => name);
		expect(names).toHaveLength(65);
		expect(names).toEqual(expect.arrayContaining(['t0', 't99', 'send']));
		expect(names).not.toContain('t1');
	});
});
