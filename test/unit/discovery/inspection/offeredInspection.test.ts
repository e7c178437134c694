import { describe, expect, test } from 'vitest';
import { defaultServerPolicy } from '../../../../src/discovery/policy.ts';
import { offered, office, search, sessionOf, surfaceOf } from '../fixtures.ts';
import { inspecting } from './inspecting.ts';

const both = ['list_available_tools', 'list_tool_details'];
const nothingDeferred = new Map(office.map(({ name }) => [name, defaultServerPolicy]));

describe('a model is offered inspection', () => {
	test('behind search_tools and before what is hosted and loaded, at the same place when tools are loaded', async () => {
		const session = inspecting();
		const hosted = [{ name: 'run_agent', description: '', inputSchema: {} }];
		session.beginTurn({ model: 'a', loading: 'append', hosted });
		session.nextPrompt();
		await search(session, { tool_names: ['send_message'] });
		expect(session.nextPrompt().tools.map(({ name }) => name)).toEqual([
			'search_tools',
			...both,
			'run_agent',
			'slack__send_message',
		]);
	});

	test('behind call_tool where that calls what is loaded', () => {
		const session = inspecting();
		session.beginTurn({ model: 'a', loading: 'call' });
		expect(offered(session)).toEqual(['search_tools', 'call_tool', ...both]);
	});

	test('also while nothing is deferred', () => {
		expect(offered(inspecting(office, { servers: nothingDeferred })).slice(0, 3)).toEqual([
			...both,
			'calendar__create_event',
		]);
	});

	test('never while discovery is off, nor unless the user wants it', () => {
		const off = inspecting(office, { enabled: false });
		expect(offered(off)).not.toContain(both[0]);
		expect(off.resolve('list_available_tools')).toMatchObject({ kind: 'refused' });
		expect(offered(sessionOf())).toEqual(['search_tools']);
		expect(sessionOf().resolve('list_tool_details')).toMatchObject({ kind: 'refused' });
	});

	test('from the next request on where the user turns it on in the middle of a chat', () => {
		const session = sessionOf();
		session.beginTurn({ model: 'a', loading: 'append' });
		session.nextPrompt();
		session.surface = surfaceOf(office, { inspectionTools: true });
		expect(session.nextPrompt().tools.map(({ name }) => name)).toEqual(['search_tools', ...both]);
	});
});
