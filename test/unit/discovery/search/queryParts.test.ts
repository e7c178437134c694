import { describe, expect, test } from 'vitest';
import { queryParts, withoutPastedText } from '../../../../src/discovery/search/queryParts.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { tool } from '../fixtures.ts';

const LOG = `2026-03-01 10:22:31,482 INFO  Starting the worker for queue mail
2026-03-01 10:22:32,001 ERROR Cannot send the message to the calendar
WARN  the event of the file was not found in the list
Traceback (most recent call last):
  File "app/worker.py", line 12, in run
    send(message)
requests.exceptions.ConnectionError: HTTPSConnectionPool(host='mail', port=443)`;
const STACK = `TypeError: Cannot read properties of undefined (reading 'id')
    at listEvents (/srv/app/calendar.js:41:17)
    at processTicksAndRejections (node:internal/process/task_queues:95:5)
    at async createEvent (/srv/app/calendar.js:77:3)`;
const JSON_TEXT = `{
  "title": "Meeting with the board",
  "attendees": ["ada@example.com", "bob@example.com"],
  "duration_minutes": 30
}`;
const CODE = `export async function createFile(path) {
  const file = await open(path, 'w');
  return file.write('hello');
}`;
const FENCED = `\`\`\`
please send the message to everybody in the list
\`\`\``;
const DIFF = `diff --git a/readme.md b/readme.md
index 3b18e51..a0423896 100644
--- a/readme.md
+++ b/readme.md`;

describe.each(Object.entries({ LOG, STACK, JSON_TEXT, CODE, FENCED, DIFF }))(
	'given a request with a pasted %s',
	(_, pasted) => {
		test.each([
			['before', (wish: string) => `${wish}\n\n${pasted}`],
			['behind', (wish: string) => `${pasted}\n${wish}`],
			['around', (wish: string) => `${wish}\n${pasted}\nThanks for your help!`],
		])('then only the request %s it is searched for', (_, written) => {
			const read = withoutPastedText(written('Please open a ticket about this failure for me.'));
			expect(read.replace('Thanks for your help!', '').trim()).toBe(
				'Please open a ticket about this failure for me.',
			);
		});

		test('when there is no request, then it is searched for itself', () => {
			expect(withoutPastedText(pasted).length).toBeGreaterThan(0);
		});
	},
);

test.each([
	'list the open pull requests',
	'create a ticket: title "Login fails", priority high',
	'Read the notes.\n- Add what is missing to the calendar.\n- Send a summary to Ada.',
	'1. find the customer\n2. refund the last payment\n3. tell the customer about it',
	'Lies die Datei.\nSchreibe eine Zusammenfassung für Zoë.\nSchicke sie ab.',
])('a request without anything pasted stays as it is: %j', (wish) => {
	expect(withoutPastedText(wish)).toBe(wish);
});

test('of a very long text, the end is read as well as the beginning', () => {
	const read = withoutPastedText(
		`First find the customer. ${'Some more of the story. '.repeat(1000)} Then refund the payment.`,
	);
	expect(read).toContain('First find the customer.');
	expect(read).toContain('Then refund the payment.');
	expect(read.length).toBeLessThan(4100);
});

test.each([
	['list the files', []],
	['list the files and folders of the project', ['list the files', 'folders of the project']],
	[
		'Check the weather, then add it to my notes. Email Bob.',
		['Check the weather', 'add it to my notes.', 'Email Bob.'],
	],
])('the clauses of %j', (query, clauses) => {
	expect(queryParts(query).clauses).toEqual(clauses);
});

test('given a request with several needs, then the tool of each clause is among the first five, and the first hit stays', () => {
	const listed = [
		...Array.from({ length: 8 }, (_, i) =>
			tool('notes', `note_${i}`, `Adds a note of the weather, the payment and the customer to notebook ${i}`),
		),
		tool('weather', 'get_forecast', 'Tells the weather forecast of a city'),
		tool('payments', 'refund_payment', 'Refunds a payment'),
	];
	const index = new ToolIndex(listed);
	const wish =
		'add a note of the weather and the customer to a notebook, then refund a payment, then get the weather forecast';
	const names = index.search(wish, { limit: 5 }).map(({ tool: { name } }) => name);
	expect(names).toHaveLength(5);
	expect(names).toEqual(expect.arrayContaining(['refund_payment', 'get_forecast']));
	for (const query of [
		wish,
		'add a note of the weather and the customer to a notebook, then refund a payment',
	])
		for (const limit of [1, 2, 3, 5]) expect(index.search(query, { limit })).toHaveLength(limit);
	const scores = index.search(wish).map(({ score }) => score);
	expect(scores).toEqual(scores.toSorted((a, b) => b - a));
	expect(
		index.search(wish, { limit: 5, server: 'notes' }).every(({ tool: { server } }) => server === 'notes'),
	).toBe(true);
});
