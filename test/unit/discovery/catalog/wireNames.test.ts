import { expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { wireName } from '../../../../src/discovery/catalog/wireNames.ts';
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
		/^my_notes__Creer_une_note_\d[a-z0-9]{11}$/,
	);
	expect(wireName({ server: '🚀', name: '🛸' })).toMatch(/^server__tool_\d[a-z0-9]{11}$/);
});

test('a wire name begins with a letter or an underscore, which Gemini requires', () => {
	expect(wireName({ server: '12306', name: 'get' })).toMatch(/^_12306__get_\d[a-z0-9]{11}$/);
	expect(wireName({ server: '-x', name: 'get' })).toMatch(/^_-x__get_\d[a-z0-9]{11}$/);
});

test.each([
	['of the same server', { server: 'notes', name: 'write it down' }, 'notes'],
	['of a server with a similar name', { server: 'my notes!', name: 'add' }, 'my_notes'],
	['of a server with a long name', { server: 'the notes of everybody', name: 'add' }, 'the_notes_of_everybo'],
	['with a long name', { server: 'notes', name: `add_${'x'.repeat(80)}` }, 'notes'],
	['that looks like a hash itself', { server: 'notes', name: 'backup_202601011230' }, 'notes'],
	['without a legal letter', { server: '笔记', name: '添加' }, 'server'],
])('a tool that copies the wire name of one %s gets another', (_which, victim, server) => {
	const name = wireName(victim);
	const copycat = { server, name: name.slice(server.length + '__'.length) };
	expect(`${server}__${copycat.name}`).toBe(name);
	expect(wireName(copycat)).not.toBe(name);
	const tools = [victim, copycat].map((tool) => ({ ...tool, inputSchema: {} }));
	for (const order of [tools, tools.toReversed()]) {
		const catalog = new Catalog(
			order.map((tool) => ({ name: tool.server, tools: [tool] })),
			1,
		);
		expect(catalog.get(name)).toMatchObject(victim);
	}
});

test.each(['get_notification', 'list_2026', 'sha_a1b2c3d4e5f6', 'v2_0123456789abc'])(
	'%s looks like no hash and stays as it is',
	(name) => {
		expect(wireName({ server: 's', name })).toBe(`s__${name}`);
	},
);

test('when a server lists a tool name twice, then the first one is used', () => {
	const [server] = servers({ s: ['echo', 'echo', 'other'] });
	const catalog = new Catalog(server ? [server] : [], 1);
	expect(catalog.tools.map((tool) => tool.wireName)).toEqual(['s__echo', 's__other']);
	expect(catalog.get('s__echo')?.name).toBe('echo');
});
