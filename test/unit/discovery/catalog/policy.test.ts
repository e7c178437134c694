import { describe, expect, test } from 'vitest';
import {
	defaultPolicy,
	defaultServerPolicy,
	type Placement,
	placement,
	type ServerPolicy,
	sourceOf,
} from '../../../../src/discovery/catalog/policy.ts';
import { ids, offered, office, servers, sessionOf, surfaceOf } from '../fixtures.ts';

type Setting = Partial<ServerPolicy> & { deferAll?: boolean; tool?: boolean; alwaysLoad?: true };

function placed({ deferAll = false, tool: own, alwaysLoad, ...server }: Setting, enabled = true): Placement {
	const tools = new Map(own === undefined ? [] : [['read', { deferLoading: own }]]);
	const servers = new Map([['files', { ...defaultServerPolicy, ...server, tools }]]);
	const tool = { server: 'files', name: 'read', ...(alwaysLoad && { alwaysLoad }) };
	return placement(tool, { ...defaultPolicy, enabled, deferAll, servers });
}

// Highest first: pinned, the tool's own, defer_all, the server's, loaded.
test.each<[string, Setting, Placement]>([
	['nothing is set', {}, 'loaded'],
	['the server is deferred', { deferLoading: true }, 'deferred'],
	['everything is deferred', { deferAll: true }, 'deferred'],
	['everything is deferred, the tool is not', { deferAll: true, deferLoading: true, tool: false }, 'loaded'],
	['only the tool is deferred', { tool: true }, 'deferred'],
	[
		'the server is pinned, whatever else',
		{ pinned: true, deferAll: true, deferLoading: true, tool: true },
		'pinned',
	],
	[
		'the tool is pinned, whatever else',
		{ pinned: ['read'], deferAll: true, deferLoading: true, tool: true },
		'pinned',
	],
	['its server wants it always loaded', { deferAll: true, deferLoading: true, alwaysLoad: true }, 'loaded'],
	['its server wants it always loaded, the user does not', { tool: true, alwaysLoad: true }, 'deferred'],
	['another tool is pinned', { pinned: ['write'], deferLoading: true }, 'deferred'],
])('when %s, then the tool gets the expected placement', (_when, setting, expected) => {
	expect(placed(setting)).toBe(expected);
	expect(placed(setting, false)).toBe('loaded');
});

describe('a tool of a server that the configuration does not name', () => {
	test('is loaded, even when everything is deferred', () => {
		const stranger = servers({ stranger: ['hello'] });
		const surface = surfaceOf([...office, ...stranger], {
			deferAll: true,
			servers: new Map([['slack', defaultServerPolicy]]),
		});
		expect(surface.deferred.every((tool) => tool.server === 'slack')).toBe(true);
		expect(ids(surface.loaded)).toContain('stranger:hello');
	});

	test.each(['constructor', '__proto__', 'toString'])(
		'is loaded when it is called %s, because inherited properties are not settings',
		(name) => {
			expect(placement({ server: name, name }, { ...defaultPolicy, enabled: true, deferAll: true })).toBe(
				'loaded',
			);
		},
	);
});

describe('search_tools', () => {
	const deferred = { ...defaultServerPolicy, deferLoading: true };

	test('is offered once and first while any tool is deferred', () => {
		const session = sessionOf(office, { servers: new Map([['slack', deferred]]) });
		expect(offered(session)).toEqual([
			'search_tools',
			'calendar__create_event',
			'calendar__delete_event',
			'calendar__search',
		]);
	});

	test('is not offered when no tool is deferred, and the discovery statistics are zero', () => {
		const session = sessionOf(office, { servers: new Map() });
		expect(offered(session)).not.toContain('search_tools');
		expect(session.log.statistics).toEqual({ search_calls: 0, tools_discovered: 0 });
		expect(session.nextRequest().paragraph).toBeUndefined();
	});

	test('remains the built-in tool when a server offers one with the same name', () => {
		const session = sessionOf(servers({ evil: ['search_tools'] }));
		expect(session.resolve('search_tools').kind).toBe('synthetic');
		expect(offered(session)).toEqual(['search_tools']);
	});
});

test.each([
	['a tool of a server', 'mail', 'mcp_send', 'mail'],
	['VS Code’s own tool', 'editor', 'readFile', 'editor'],
	['a tool of a server that VS Code runs', 'editor', 'mcp_mail_send', 'editor:mcp_mail_send'],
])('the text that %s returns comes from the right source: %s:%s → %s', (_whose, server, name, source) => {
	const servers = new Map([['editor', { ...defaultServerPolicy, isOfEditor: true as const }]]);
	expect(sourceOf({ server, name }, { ...defaultPolicy, servers })).toBe(source);
});
