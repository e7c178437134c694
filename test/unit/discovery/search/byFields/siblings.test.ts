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

describe('given tools for the same object', () => {
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
	])('then the tool for the requested action comes first: %s', (query, name) => {
		expect(first(keys, query)).toBe(name);
	});
});

describe('given tools for related objects, the tool for the requested object comes first', () => {
	test('when another tool’s name has the object and more', () => {
		const registries = [
			['registry_list', 'List container registries in a subscription'],
			['registry_repository_list', 'List repositories in container registries of a subscription'],
		] as const;
		expect(first(registries, 'Show me the container registries')).toBe('registry_list');
		expect(first(registries, 'Show me the repositories of the container registry')).toBe(
			'registry_repository_list',
		);
	});

	test('when another tool only mentions the object', () => {
		const hubs = [
			['eventhubs_eventhub_delete', 'Delete an event hub from a namespace'],
			['eventhubs_namespace_delete', 'Delete an Event Hubs namespace with each event hub in it'],
		] as const;
		expect(first(hubs, 'Delete my event hub in the namespace')).toBe('eventhubs_eventhub_delete');
		expect(first(hubs, 'Delete the namespace of my event hub')).toBe('eventhubs_namespace_delete');
	});
});

describe('given tools of several servers', () => {
	const tools = [
		tool('a', 'get_note', 'Get a single note'),
		tool('a', 'list_notes', 'List all notes'),
		tool('b', 'note_board', 'A board of notes, for a note'),
	];

	test('when a server’s tools swap ranks, then the order of the servers stays the same', () => {
		const servers = (query: string) => found(tools, query).map((id) => id.split(':')[0]);
		expect(servers('show the notes')).toEqual(servers('note'));
	});

	test('when a tool’s rank changes, then its relevance stays the same', () => {
		const index = new ToolIndex(tools);
		const relevances = (query: string) =>
			new Map(index.search(query, { unlikely: true }).map((hit) => [hit.tool.name, hit.relevance]));
		expect(relevances('notes')).toEqual(relevances('note'));
	});
});

test('when a query has two requests, then the action of one does not affect tools for the other', () => {
	const calendar = [
		['calendar_list', 'List the dates of a calendar'],
		['calendar_block', 'Block dates in a calendar'],
	] as const;
	expect(first(calendar, 'find a flat in Porto and block the dates in my calendar')).toBe('calendar_block');
});
