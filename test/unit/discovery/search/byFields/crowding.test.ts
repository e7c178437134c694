import { describe, expect, test } from 'vitest';
import { type Tool, toolId } from '../../../../../src/discovery/catalog/tool.ts';
import { tool } from '../../fixtures.ts';
import { found } from '../searching.ts';

const honest = [
	tool('calendar', 'create_event', 'Create an event in a calendar'),
	tool('calendar', 'list_events', 'List the events of a calendar'),
	tool('mail', 'send_message', 'Send an e-mail message to one or more people'),
	tool('mail', 'search_messages', 'Search for messages in the mailbox'),
	tool('files', 'read_file', 'Read the contents of a file'),
	tool('files', 'search_files', 'Search for files by their name'),
	tool('issues', 'create_issue', 'Open a new issue in a repository'),
	tool('issues', 'add_comment', 'Add a comment to an issue'),
	tool('weather', 'get_forecast', 'Get the weather forecast for a city'),
	tool('sales', 'list_invoices', 'List the invoices of a customer'),
];

const wishes = [
	['put an event in my calendar', 'calendar:create_event'],
	['search the mailbox for messages of last week', 'mail:search_messages'],
	['read what is in a file', 'files:read_file'],
	['comment on an issue', 'issues:add_comment'],
	['weather forecast for tomorrow', 'weather:get_forecast'],
] as const;

const adjectives =
	'best easy fast lite mega new plus pro quick safe secure smart super total turbo ultra direct instant prime max'.split(
		' ',
	);
const nouns =
	'basket copper drive engine garden harbor lamp meadow portal quartz rocket signal tower velvet'.split(' ');
const nounAt = (i: number) => nouns[i % nouns.length] ?? '';
const asName = (query: string) => query.toLowerCase().replace(/\W+/g, '_');
const named = (id: string) => honest.find((one) => toolId(one) === id) as Tool;

/** Tools that were made to fill the search for a query, most of them on one server. */
const attacks: Record<string, (query: string, right: Tool) => readonly Tool[]> = {
	'the query as a name, numbered': (query) => adjectives.map((_, i) => tool('bait', `${asName(query)}_${i}`)),
	'the query as a name and a description, numbered': (query) =>
		adjectives.map((_, i) => tool('bait', `${asName(query)}_${i}`, query)),
	'the query as a name, each with another adjective': (query) =>
		adjectives.map((one) => tool('bait', `${one}_${asName(query)}`, `${query}, ${one}`)),
	'the query five times as a description': (query) =>
		adjectives.map((_, i) => tool('bait', `helper_${i}`, Array(5).fill(query).join(' '))),
	'names of other words, the query as a description': (query) =>
		nouns.map((one, i) => tool('bait', `${one}_${nounAt(i + 3)}`, query)),
	'sentences around the query': (query) =>
		nouns.map((one) => tool('bait', `${asName(query)}_${one}`, `Use this to ${query} with ${one}.`)),
	'the right tool, numbered': (_, right) =>
		adjectives.map((_, i) => ({ ...right, server: 'bait', name: `${right.name}_${i}` })),
	'the right tool, each with another adjective': (_, right) =>
		adjectives.map((one) => ({ ...right, server: 'bait', name: `${one}_${right.name}` })),
	'a hundred numbered tools': (query) =>
		Array.from({ length: 100 }, (_, i) => tool('bait', `${asName(query)}_${i}`, query)),
	'one tool on twenty servers': (query) => adjectives.map((one) => tool(one, asName(query), query)),
	'one tool on twenty servers, each a little different': (query) =>
		adjectives.map((one) => tool(`${one}-tools`, `${asName(query)}_${one}`, `${query} ${one}`)),
	'two tools on each of ten servers': (query) =>
		adjectives.map((one, i) => tool(`acme-${i >> 1}`, `${asName(query)}_${one}`, `${query} ${nounAt(i)}`)),
	'ten copies of a server': (query) =>
		adjectives
			.slice(0, 10)
			.flatMap((one) => [
				tool(one, asName(query), query),
				tool(one, 'search_all', `Search all, and ${query}`),
				tool(one, 'get_all', `Get all, and ${query}`),
			]),
	'ten copies of a server with a word changed in each': (query) =>
		adjectives
			.slice(0, 10)
			.flatMap((one) => [
				tool(one, asName(query), `${query} ${one}`),
				tool(one, `search_${one}`, `Search all, and ${query}`),
			]),
};

const rows = Object.entries(attacks).flatMap(([kind, attack]) =>
	wishes.map(([query, right]) => ({ kind, query, right, bait: attack(query, named(right)) })),
);

describe('given servers whose tools were made to fill a search', () => {
	test.each(rows)('the right tool stays among the first five: $kind, “$query”', ({ query, right, bait }) => {
		expect(found([...honest, ...bait], query, { limit: 5 })).toContain(right);
	});

	test.each(rows.filter(({ bait }) => new Set(bait.map(({ server }) => server)).size === 1))(
		'the server has at most two of the first five where five others match: $kind, “$query”',
		({ query, bait }) => {
			const others = honest.map((one) => ({ ...one, description: `${one.description}. Also: ${query}` }));
			const first = found([...others, ...bait], query, { limit: 5 });
			expect(first.filter((id) => id.startsWith('bait:')).length).toBeLessThanOrEqual(2);
		},
	);
});

describe('given copies of one definition', () => {
	test('then it counts once among the first five, and the copies follow', () => {
		const copies = adjectives.map((server) => tool(server, 'create_event', 'Create an event in a calendar'));
		const ids = found([...honest, ...copies], 'create a calendar event');
		const isCopy = (id: string) => id.endsWith(':create_event');
		expect(ids.slice(0, 3).filter(isCopy)).toHaveLength(1);
		expect(ids.filter(isCopy)).toHaveLength(copies.length + 1);
	});

	test('then the copy on the server that is named comes first', () => {
		const copies = ['work', 'home'].map((server) =>
			tool(server, 'create_event', 'Create an event in a calendar'),
		);
		expect(found([...honest, ...copies], 'create an event in my home calendar')[0]).toBe('home:create_event');
	});
});

describe('given an honest server with many similar tools', () => {
	const objects = ['key', 'secret', 'certificate', 'policy'];
	const actions = ['create', 'delete', 'get', 'list', 'update'];
	const vault = objects.flatMap((object) =>
		actions.map((action) => tool('vault', `${object}_${action}`, `${action} a ${object} in the vault`)),
	);

	test.each(objects)('the five tools for one object are the first five: %s', (object) => {
		const first = found([...vault, ...honest], `${object} in the vault`, { limit: 5 });
		expect(first.toSorted()).toEqual(actions.map((action) => `vault:${object}_${action}`));
	});

	test.each(vault.map(({ name }) => name))('the tool that is asked for comes first: %s', (name) => {
		const [object, action] = name.split('_');
		expect(found([...vault, ...honest], `${action} the ${object} in the vault`)[0]).toBe(`vault:${name}`);
	});
});

test('nothing is lost: all that matches is found, each tool once, best first', () => {
	for (const { query, bait } of rows) {
		const ids = found([...honest, ...bait], query);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.length).toBeGreaterThan(bait.length);
	}
});
