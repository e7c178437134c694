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
])('%j resolves to slack:send_message', (name) => {
	expect(resolved(name)).toBe('slack:send_message');
});

test('a bare name shared by two servers is ambiguous unless the server is given', () => {
	expect(resolved('search')).toEqual(['slack:search', 'calendar:search']);
	expect(resolved('search', surfaceOf(office), 'calendar')).toBe('calendar:search');
	expect(resolved('calendar:search')).toBe('calendar:search');
});

describe('given tools whose names differ only in case', () => {
	const surface = surfaceOf(servers({ s: ['find', 'Find'], t: ['FIND'] }));

	test('when the case matches exactly, then that tool is chosen', () => {
		expect(resolved('find', surface)).toBe('s:find');
		expect(resolved('Find', surface)).toBe('s:Find');
		expect(resolved('FIND', surface)).toBe('t:FIND');
	});

	test('when the case matches none of them, then the name is ambiguous', () => {
		expect(resolved('fIND', surface)).toEqual(['s:find', 's:Find', 't:FIND']);
	});
});

test('a full name takes precedence over an identical bare name', () => {
	const surface = surfaceOf(servers({ a: ['b'], x: ['a__b', 'a:b'] }));
	expect(resolved('a__b', surface)).toBe('a:b');
	expect(resolved('a:b', surface)).toBe('a:b');
});

test.each(['constructor', '__proto__', 'toString', ''])('%j resolves to no tool', (name) => {
	expect(resolved(name)).toBe('unknown');
});

describe('the closest names', () => {
	const closest = (name: string, surface = surfaceOf(office)) => ids(surface.names.closest(name));

	test('correct a typo', () => {
		expect(closest('send_mesage')[0]).toBe('slack:send_message');
		expect(closest('slack__send_masage')[0]).toBe('slack:send_message');
	});

	test('are empty for a name that resembles no tool', () => {
		expect(closest('xylophone')).toEqual([]);
	});

	test('do not include one-letter tools just because the name contains that letter', () => {
		expect(closest('create_event', surfaceOf(servers({ s: ['c', 'ev'] })))).toEqual([]);
	});

	test('are at most three, in alphabetical order', () => {
		const surface = surfaceOf(servers({ b: ['read'], a: ['read'], d: ['read'], c: ['read'] }));
		expect(closest('reed', surface)).toEqual(['a:read', 'b:read', 'c:read']);
	});

	test('are empty for a name of 10,000 characters', () => {
		expect(closest('y'.repeat(10_000))).toEqual([]);
	});
});
