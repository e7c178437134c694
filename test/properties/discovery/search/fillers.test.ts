import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { runs } from '../../../effort.ts';
import { tool } from '../../../unit/discovery/fixtures.ts';

const index = new ToolIndex([
	tool('git', 'git_commit', 'Records changes to the repository'),
	tool('git', 'git_diff', 'Shows changes that are not committed'),
	tool('git', 'open_repository', 'Opens a repository'),
	tool('memory', 'open_nodes', 'Opens nodes of the knowledge graph'),
	tool('memory', 'delete_observations', 'Deletes observations about an entity'),
	tool('calendar', 'list_events', 'Lists the events of a calendar'),
	tool('calendar', 'create_event', 'Creates an event'),
	tool('mail', 'send_message', 'Sends a message'),
	tool('mail', 'search_messages', 'Searches the messages of the mailbox'),
	tool('shop', 'list_orders', 'Lists the orders of a customer'),
	tool('pages', 'print_page', 'Prints a page'),
]);

const words =
	'commit work open repository changes forget edits tasks plans list events calendar messages mailbox orders customer print page notes review share stash log week'.split(
		' ',
	);

test('words that may stand before anything do not change the first hit', () => {
	const anyWords = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 });
	const anyFillers = fc.array(
		fc.tuple(fc.nat(5), fc.constantFrom('my', 'our', 'your', 'the', 'this', 'please', 'My', 'Please')),
		{ minLength: 1, maxLength: 4 },
	);
	fc.assert(
		fc.property(anyWords, anyFillers, (wish, fillers) => {
			const longer = [...wish];
			for (const [at, filler] of fillers) longer.splice(Math.min(at, longer.length), 0, filler);
			const first = (text: string) => index.search(text, { unlikely: true })[0]?.tool.name;
			expect(first(longer.join(' '))).toBe(first(wish.join(' ')));
		}),
		{ numRuns: runs(150) },
	);
});

test('how a person begins a request does not change the first hit', () => {
	const anyWords = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 });
	const anyOpening = fc.constantFrom(
		'please',
		'Hey, could you',
		'can you please',
		'Hi! I want to',
		'I need to',
		'we’d like to',
		'I would love you to',
		'kindly',
		'help me to',
	);
	fc.assert(
		fc.property(anyWords, anyOpening, (wish, opening) => {
			const ids = (text: string) => index.search(text, { unlikely: true }).map(({ tool }) => tool.name);
			expect(ids([opening, ...wish].join(' '))).toEqual(ids(wish.join(' ')));
		}),
		{ numRuns: runs(150) },
	);
});

test.each([
	['commit my work', 'git_commit'],
	['please commit this', 'git_commit'],
	['open my repository', 'open_repository'],
	['list our events', 'list_events'],
	['print this page', 'print_page'],
])('a word that names a tool is not covered by a phrase with a filler: %s', (query, name) => {
	expect(index.search(query)[0]?.tool.name).toBe(name);
});
