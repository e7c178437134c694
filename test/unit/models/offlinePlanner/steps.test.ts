import { expect, test } from 'vitest';
import { textResult } from '../../../../src/discovery/toolResult.ts';
import { splitSteps } from '../../../../src/models/offlinePlanner/steps.ts';
import { Conversation } from './conversation.ts';

test('two steps are searched, called and reported one after the other', async () => {
	const chat = new Conversation(({ name }) => textResult(`from ${name}`));

	const answer = await chat.say('create a file called hello.txt with the text Hello and then read it');

	expect(chat.calls.map(({ name }) => name)).toEqual([
		'search_tools',
		'filesystem__write_file',
		'search_tools',
		'filesystem__read_file',
	]);
	expect(chat.toolCalls[1]?.[1]).toEqual({ path: 'hello.txt' });
	expect(answer).toMatch(/Step 1 .*from filesystem__write_file.*Step 2 .*from filesystem__read_file/s);
	expect(new Set(chat.calls.map(({ id }) => id)).size).toBe(4);
	expect(chat.calls[0]?.id).toBe('planner-1');
});

test.each([
	['first list the files in docs, then read docs/a.md', ['list the files in docs', 'read docs/a.md']],
	[
		'read a.txt; then git status. Then echo "one then echo two"',
		['read a.txt', 'git status', 'echo "one then echo two"'],
	],
	['echo now and then the end', ['echo now and then the end']],
	['write "a" to b.txt, then delete it', ['write "a" to b.txt', 'delete b.txt']],
])('"%s" is taken apart', (prompt, steps) => {
	expect(splitSteps(prompt).steps).toEqual(steps);
});

test('more than five steps: the rest is named as not done', async () => {
	const chat = new Conversation();

	const answer = await chat.say(
		Array.from({ length: 7 }, (_, index) => `echo "${index}"`).join(' and then '),
	);

	expect(chat.toolCalls).toHaveLength(5);
	expect(answer).toContain('Not done, because I take at most 5 steps at a time: `echo "5"` and `echo "6"`.');
});
