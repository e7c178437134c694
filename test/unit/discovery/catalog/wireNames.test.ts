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
])('%o is legal as it stands, so it is %s', (tool, expected) => {
	expect(wireName(tool)).toBe(expected);
});

test('the server and the tool of `a__b` + `c` and of `a` + `b__c` are not mistaken for each other', () => {
	expect(wireName({ server: 'a__b', name: 'c' })).not.toBe(wireName({ server: 'a', name: 'b__c' }));
	expect(wireName({ server: 'a_', name: 'b' })).not.toBe(wireName({ server: 'a', name: '_b' }));
});

test('a name that has to be changed still reads like the tool', () => {
	expect(wireName({ server: 'my notes', name: 'Créer une note' })).toMatch(
		/^my_notes__Creer_une_note_[a-z0-9]{7}$/,
	);
	expect(wireName({ server: '🚀', name: '🛸' })).toMatch(/^server__tool_[a-z0-9]{7}$/);
});

test('a tool that copies the shortened name of another does not get that name from it', () => {
	const victim = { server: 'notes', name: 'write it down' };
	const copycat = { server: 'notes', name: wireName(victim).slice('notes__'.length) };
	const [first, second] = allocateWireNames([victim, copycat]);
	expect(first).not.toBe(second);
	expect(allocateWireNames([copycat, victim])).toEqual([second, first]);
});

test('a name that a server lists twice counts once, the first time', () => {
	const [server] = servers({ s: ['echo', 'echo', 'other'] });
	const catalog = new Catalog(server ? [server] : [], 1);
	expect(catalog.tools.map((tool) => tool.wireName)).toEqual(['s__echo', 's__other']);
	expect(catalog.get('s__echo')?.name).toBe('echo');
});
