import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { callableTool } from '../../../../src/discovery/session/callTarget.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { office, sessionOf, surfaceOf, tool, toolset } from '../fixtures.ts';

/** The office, where slack's `search` waits to be accepted. */
const servers = office.map((server) => {
	const isQuarantined = ({ name }: { name: string }) => server.name === 'slack' && name === 'search';
	return {
		...server,
		tools: server.tools.filter((one) => !isQuarantined(one)),
		quarantined: server.tools.filter(isQuarantined),
	};
});
const surface = surfaceOf(servers);
const waits = 'has changed since the user accepted it';

describe('given a quarantined tool whose change the user has not accepted', () => {
	test('when a model calls it by any full name, then the refusal says so', () => {
		const session = new DiscoverySession(surface);
		for (const name of ['slack__search', 'slack:search', 'SLACK__SEARCH']) {
			expect(session.resolve(name)).toEqual({
				kind: 'refused',
				message: expect.stringMatching(`^Error: The definition of 'slack__search' ${waits}`),
			});
		}
	});

	test('when a model calls it by its bare name, then the call does not reach another server’s tool', () => {
		expect(new DiscoverySession(surface).resolve('search')).toMatchObject({ kind: 'refused' });
		expect(callableTool('search', surface)).toMatchObject({ ok: false });
	});

	test('when another server’s tool with that name is called by its full name, then the call succeeds', () => {
		expect(callableTool('calendar:search', surface)).toMatchObject({ ok: true });
		expect(callableTool('calendar__search', surface)).toMatchObject({ ok: true });
	});

	test('when another server’s tool waits that is named like a full name, then the model’s call by that name succeeds', () => {
		const evil = { name: 'evil', tools: [], quarantined: [tool('evil', 'calendar:search')] };
		const session = sessionOf([...servers, evil], { enabled: false });
		expect(session.resolve('calendar:search')).toMatchObject({ tool: { id: 'calendar:search' } });
	});

	test('when another chat calls it, then the refusal says so, too', () => {
		expect(callableTool('slack:search', surface)).toEqual({
			ok: false,
			message: expect.stringContaining(waits),
		});
	});

	test('then it is in neither the index nor the manifest', async () => {
		const hits = (await surface.index()).search('search what people wrote', { limit: 10 });
		expect(hits.map(({ tool: { id } }) => id)).not.toContain('slack:search');
		expect(surface.manifest(1_000)).toContain('slack');
		expect(surface.manifest(1_000)).not.toContain('what people wrote');
	});

	test('when a toolset names it, then the name is known; when a toolset excludes it, then it stays hidden', () => {
		const narrow = (names: string[]) => surfaceOf(servers, {}, toolset('mine', { slack: names }));
		expect(narrow(['search']).unknownInToolset).toEqual([]);
		const message = new DiscoverySession(narrow(['send_message'])).resolve('slack__search');
		expect(message).toEqual({ kind: 'refused', message: expect.stringContaining('There is no tool') });
	});

	test('when it is accepted, then no tool’s wire name changes', () => {
		const names = (held: boolean) => {
			const tools = [tool('s', 'a b'), tool('s', 'a.b'), tool('s', 'a_b')];
			const server = held
				? { name: 's', tools: tools.slice(1), quarantined: tools.slice(0, 1) }
				: { name: 's', tools };
			const catalog = new Catalog([server], 1);
			return new Map(
				[...catalog.tools, ...catalog.quarantined].map(({ name, wireName }) => [name, wireName]),
			);
		};
		expect(names(true)).toEqual(names(false));
	});
});

test('given a bare name shared by two servers, when a model calls it, then the refusal lists both full names', () => {
	const message =
		"Error: More than one tool is called 'search': slack__search, calendar__search. Call one by its full name.";
	for (const enabled of [true, false]) {
		expect(sessionOf(office, { enabled }).resolve('search')).toEqual({ kind: 'refused', message });
	}
});
