import { describe, expect, test } from 'vitest';
import { ToolIndex } from '../../../../../src/discovery/search/toolIndex.ts';
import { tool } from '../../fixtures.ts';
import { found } from '../searching.ts';

/** Tools of one server, in an order by name that is mostly not the right one. */
function first(tools: readonly (readonly [name: string, description: string])[], query: string): string {
	const own = tools.map(([name, description]) => tool('s', name, description));
	return found(own, query)[0]?.replace('s:', '') ?? '';
}

const keys = [
	['vault_key_create', 'Create a key in a vault'],
	['vault_key_delete', 'Delete a key from a vault'],
	['vault_key_get', 'Get the details of a single key in a vault. Not for listing multiple keys'],
	['vault_key_list', 'List all keys in a vault. Not for fetching a single key'],
	['vault_key_update', 'Update a key in a vault'],
] as const;

describe('of tools for the same object', () => {
	test.each([
		['Show me the keys in the vault', 'vault_key_list'],
		['What keys are in the vault?', 'vault_key_list'],
		['Do I have any keys in the vault', 'vault_key_list'],
		['How many keys are in the vault', 'vault_key_list'],
		['Show key names in the vault', 'vault_key_list'],
		['Show the key "signing" in the vault', 'vault_key_get'],
		['Show me the details of a key in the vault', 'vault_key_get'],
		['Make a new key in the vault', 'vault_key_create'],
		['I need a new key in the vault', 'vault_key_create'],
		['Please get rid of the key in the vault', 'vault_key_delete'],
		['In the vault, modify the key', 'vault_key_update'],
		['Elimina la chiave dal vault: key', 'vault_key_delete'],
	])('the one for what is asked to be done comes first: %s', (query, name) => {
		expect(first(keys, query)).toBe(name);
	});
});

describe('of tools for related objects, the one for the object comes first', () => {
	test('and not one whose name goes further', () => {
		const registries = [
			['registry_list', 'List container registries in a subscription'],
			['registry_repository_list', 'List repositories in container registries of a subscription'],
		] as const;
		expect(first(registries, 'Show me the container registries')).toBe('registry_list');
		expect(first(registries, 'Show me the repositories of the container registry')).toBe(
			'registry_repository_list',
		);
	});

	test('and not one that only mentions it', () => {
		const hubs = [
			['eventhubs_eventhub_delete', 'Delete an event hub from a namespace'],
			['eventhubs_namespace_delete', 'Delete an Event Hubs namespace with each event hub in it'],
		] as const;
		expect(first(hubs, 'Delete my event hub in the namespace')).toBe('eventhubs_eventhub_delete');
		expect(first(hubs, 'Delete the namespace of my event hub')).toBe('eventhubs_namespace_delete');
	});
});

describe('the place of a server among others', () => {
	const tools = [
		tool('a', 'get_note', 'Get a single note'),
		tool('a', 'list_notes', 'List all notes'),
		tool('b', 'note_board', 'A board of notes, for a note'),
	];

	test('stays when its tools change places', () => {
		const servers = (query: string) => found(tools, query).map((id) => id.split(':')[0]);
		expect(servers('show the notes')).toEqual(servers('note'));
	});

	test('and the sureness of a tool is that of its words, whatever its place', () => {
		const index = new ToolIndex(tools);
		const sureness = (query: string) =>
			new Map(index.search(query, { unlikely: true }).map((hit) => [hit.tool.name, hit.confidence]));
		expect(sureness('notes')).toEqual(sureness('note'));
	});
});

test('of several needs, the action of one says nothing of tools for the other', () => {
	const calendar = [
		['calendar_list', 'List the dates of a calendar'],
		['calendar_block', 'Block dates in a calendar'],
	] as const;
	expect(first(calendar, 'find a flat in Porto and block the dates in my calendar')).toBe('calendar_block');
});
