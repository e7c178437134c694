import { describe, expect, test } from 'vitest';
import type { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { ids, office, servers, surfaceOf } from '../fixtures.ts';

/** The tool a name leads to, or how it does not. */
function resolved(
	name: string,
	surface: ToolSurface = surfaceOf(office),
	server?: string,
): string | string[] {
	const resolution = surface.names.resolve(name, server);
	switch (resolution.kind) {
		case 'found':
			return resolution.tool.id;
		case 'ambiguous':
			return ids(resolution.candidates);
		case 'unknown':
			return 'unknown';
	}
}

test.each([
	'slack__send_message',
	'slack:send_message',
	'send_message',
	' Send_Message ',
	'SLACK:SEND_MESSAGE',
])('%j finds the tool', (name) => {
	expect(resolved(name)).toBe('slack:send_message');
});

test('a bare name that two servers have is ambiguous, unless the server is said', () => {
	expect(resolved('search')).toEqual(['slack:search', 'calendar:search']);
	expect(resolved('search', surfaceOf(office), 'calendar')).toBe('calendar:search');
	expect(resolved('calendar:search')).toBe('calendar:search');
});

describe('where two tools differ in case only', () => {
	const surface = surfaceOf(servers({ s: ['find', 'Find'], t: ['FIND'] }));

	test('the one written so is meant', () => {
		expect(resolved('find', surface)).toBe('s:find');
		expect(resolved('Find', surface)).toBe('s:Find');
		expect(resolved('FIND', surface)).toBe('t:FIND');
	});

	test('and one written otherwise is ambiguous', () => {
		expect(resolved('fIND', surface)).toEqual(['s:find', 's:Find', 't:FIND']);
	});
});

test('a full name goes before a bare one that looks like it', () => {
	const surface = surfaceOf(servers({ a: ['b'], x: ['a__b', 'a:b'] }));
	expect(resolved('a__b', surface)).toBe('a:b');
	expect(resolved('a:b', surface)).toBe('a:b');
});

test.each(['constructor', '__proto__', 'toString', ''])('%j is the name of nothing', (name) => {
	expect(resolved(name)).toBe('unknown');
});

describe('the closest names', () => {
	const closest = (name: string, surface = surfaceOf(office)) => ids(surface.names.closest(name));

	test('mend a slip of the pen', () => {
		expect(closest('send_mesage')[0]).toBe('slack:send_message');
		expect(closest('slack__send_masage')[0]).toBe('slack:send_message');
	});

	test('are none for a name that is like nothing', () => {
		expect(closest('xylophone')).toEqual([]);
	});

	test('do not offer a tool of one letter for whatever contains it', () => {
		expect(closest('create_event', surfaceOf(servers({ s: ['c', 'ev'] })))).toEqual([]);
	});

	test('are the same each time, at most three', () => {
		const surface = surfaceOf(servers({ b: ['read'], a: ['read'], d: ['read'], c: ['read'] }));
		expect(closest('reed', surface)).toEqual(['a:read', 'b:read', 'c:read']);
	});

	test('take a name of ten thousand characters', () => {
		expect(closest('y'.repeat(10_000))).toEqual([]);
	});
});
