import { expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { allocateWireNames, wireName } from '../../../../src/discovery/catalog/wireNames.ts';
import { servers } from '../fixtures.ts';

test.each([
	[{ server: 'slack', name: 'send_message' }, 'slack__send_message'],
	[{ server: 'git-hub', name: 'a' }, 'git-hub__a'],
	[{ server: 's', name: 'constructor' }, 's__constructor'],
	[{ server: 's', name: '__proto__' }, 's____proto__'],
	[{ server: 'a', name: 'x'.repeat(61) }, `a__${'x'.repeat(61)}`],
])('%o needs no change and becomes %s', (tool, expected) => {
	expect(wireName(tool)).toBe(expected);
});

test('tool `c` of server `a__b` and tool `b__c` of server `a` get different wire names', () => {
	expect(wireName({ server: 'a__b', name: 'c' })).not.toBe(wireName({ server: 'a', name: 'b__c' }));
	expect(wireName({ server: 'a_', name: 'b' })).not.toBe(wireName({ server: 'a', name: '_b' }));
});

test('a name with illegal characters becomes a readable wire name with a hash', () => {
	expect(wireName({ server: 'my notes', name: 'Créer une note' })).toMatch(
		/^my_notes__Creer_une_note_[a-z0-9]{7}$/,
	);
	expect(wireName({ server: '🚀', name: '🛸' })).toMatch(/^server__tool_[a-z0-9]{7}$/);
});

test('a tool that copies the wire name of another tool does not get that wire name', () => {
	const victim = { server: 'notes', name: 'write it down' };
	const copycat = { server: 'notes', name: wireName(victim).slice('notes__'.length) };
	const [first, second] = allocateWireNames([victim, copycat]);
	expect(first).not.toBe(second);
	expect(allocateWireNames([copycat, victim])).toEqual([second, first]);
});

test('when a server lists a tool name twice, then the first one is used', () => {
	const [server] = servers({ s: ['echo', 'echo', 'other'] });
	const catalog = new Catalog(server ? [server] : [], 1);
	expect(catalog.tools.map((tool) => tool.wireName)).toEqual(['s__echo', 's__other']);
	expect(catalog.get('s__echo')?.name).toBe('echo');
});
