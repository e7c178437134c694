import { expect, test } from 'vitest';
import { Conversation, realServers } from './conversation.ts';

/** What a person types, what is searched for, and the call that must come of it. */
const table: readonly (readonly [string, string, string, Record<string, unknown>])[] = [
	[
		'create a file called hello.txt with the text Hello',
		'create a file',
		'filesystem__write_file',
		{ path: 'hello.txt', content: 'Hello' },
	],
	[
		'Create a file named notes/todo.md with content "buy milk, then rest"',
		'Create a file',
		'filesystem__write_file',
		{ path: 'notes/todo.md', content: 'buy milk, then rest' },
	],
	[
		'please write “Hello World” to greeting.txt',
		'write file',
		'filesystem__write_file',
		{ path: 'greeting.txt', content: 'Hello World' },
	],
	[
		'write Hello to hello.txt',
		'write Hello file',
		'filesystem__write_file',
		{ path: 'hello.txt', content: 'Hello' },
	],
	[
		'create a file a.txt saying that 3 > 2',
		'create a file',
		'filesystem__write_file',
		{ path: 'a.txt', content: 'that 3 > 2' },
	],
	[
		'create a file C:\\notes\\a.txt with text:\n```\nline 1\nline 2\n```',
		'create a file',
		'filesystem__write_file',
		{ path: 'C:\\notes\\a.txt', content: 'line 1\nline 2' },
	],
	['read README.md', 'read file', 'filesystem__read_file', { path: 'README.md' }],
	[
		'read the first 5 lines of README.md',
		'read the lines file',
		'filesystem__read_text_file',
		{ path: 'README.md', head: 5 },
	],
	['read a.txt and b.txt', 'read file', 'filesystem__read_multiple_files', { paths: ['a.txt', 'b.txt'] }],
	['list the files in docs', 'list the files in docs', 'filesystem__list_directory', { path: 'docs' }],
	['list the files in this folder', 'list the files', 'filesystem__list_directory', { path: '.' }],
	['move a.txt to b.txt', 'move file', 'filesystem__move_file', { source: 'a.txt', destination: 'b.txt' }],
	[
		'search for files matching *.md in .',
		'search for files',
		'filesystem__search_files',
		{ pattern: '*.md', path: '.' },
	],
	[
		'find all *.ts files in src',
		'find all files in src',
		'filesystem__search_files',
		{ pattern: '*.ts', path: 'src' },
	],
	[
		'edit a.txt edits=[{"oldText":"foo","newText":"bar"}]',
		'edit file',
		'filesystem__edit_file',
		{ path: 'a.txt', edits: [{ oldText: 'foo', newText: 'bar' }] },
	],
	[
		'edit a.txt {"oldText":"foo","newText":"bar"} with dry run',
		'edit file with dry run',
		'filesystem__edit_file',
		{ path: 'a.txt', edits: [{ oldText: 'foo', newText: 'bar' }], dryRun: true },
	],
	[
		'in a.txt replace "foo" with "bar"',
		'file replace',
		'filesystem__edit_file',
		{ path: 'a.txt', edits: [{ oldText: 'foo', newText: 'bar' }] },
	],
	['what is 2 + 3', 'what is sum of two numbers', 'everything__get-sum', { a: 2, b: 3 }],
	['add 2 and 3', 'add two numbers', 'everything__get-sum', { a: 2, b: 3 }],
	['get-sum b=3 a=2.5', 'get-sum', 'everything__get-sum', { a: 2.5, b: 3 }],
	['echo hello world', 'echo hello world', 'everything__echo', { message: 'hello world' }],
	['echo "it\'s 5 o\'clock"', 'echo', 'everything__echo', { message: "it's 5 o'clock" }],
	[
		'use the echo tool to say hello',
		'use the echo tool to say hello',
		'everything__echo',
		{ message: 'hello' },
	],
	[
		'get an annotated message of type error with image',
		'get an annotated message of type error with image',
		'everything__get-annotated-message',
		{ messageType: 'error', includeImage: true },
	],
	[
		'get structured content for New York',
		'get structured content for New York',
		'everything__get-structured-content',
		{ location: 'New York' },
	],
	[
		'run the long running operation with duration 3 and 5 steps',
		'run the long running operation with duration and steps',
		'everything__trigger-long-running-operation',
		{ duration: 3, steps: 5 },
	],
	['search my memory for Alice', 'search my memory for Alice', 'memory__search_nodes', { query: 'Alice' }],
	['open nodes Alice and Bob', 'open nodes Alice and Bob', 'memory__open_nodes', { names: ['Alice', 'Bob'] }],
	[
		'create entities name=Alice entityType=person observations="likes tea, and cake"',
		'create entities',
		'memory__create_entities',
		{ entities: [{ name: 'Alice', entityType: 'person', observations: ['likes tea', 'cake'] }] },
	],
	['git status', 'git status', 'git__git_status', {}],
	['commit with message "Fix typo"', 'commit', 'git__git_commit', { message: 'Fix typo' }],
	['show the last 3 commits', 'show the commits', 'git__git_log', { maxCount: 3 }],
	['stage a.txt and b.txt', 'stage file', 'git__git_add', { paths: ['a.txt', 'b.txt'] }],
	[
		'create a branch called feature-x',
		'create a branch',
		'git__git_branch',
		{ mode: 'create', branchName: 'feature-x' },
	],
];

test.each(table)('"%s" searches for "%s" and calls %s', async (prompt, query, tool, input) => {
	const chat = new Conversation();

	await chat.say(prompt);

	expect(chat.searches).toHaveLength(1);
	expect(chat.searches[0]).toMatchObject({ query });
	expect(chat.toolCalls).toEqual([[tool, input]]);
});

test.each([
	['everything:echo message="a"', 'everything:echo'],
	['use everything__echo with message "a"', 'everything__echo'],
	['run get-sum a=1 b=2', 'get-sum'],
	['read_text_file path=a.txt', 'read_text_file'],
])('a tool that is named ("%s") is loaded by its name', async (prompt, name) => {
	const chat = new Conversation();

	await chat.say(prompt);

	expect(chat.searches).toEqual([{ query: expect.stringMatching(/\S/), tool_names: [name] }]);
	expect(chat.toolCalls).toHaveLength(1);
});

test('a named tool that is loaded already needs no search', async () => {
	const chat = new Conversation();
	await chat.say('echo one');

	await chat.say('everything:echo message=two');

	expect(chat.searches).toHaveLength(1);
	expect(chat.toolCalls[1]).toEqual(['everything__echo', { message: 'two' }]);
});

test('a server and tool that do not exist are never replaced by others', async () => {
	const chat = new Conversation();

	const answer = await chat.say('mail:write_file path=a.txt content=b');

	expect(chat.toolCalls).toEqual([]);
	expect(answer).toContain('I found no tool');
	expect(answer).toContain('mail:write_file');
});

test('with discovery off the tool is chosen among the loaded ones, without a search', async () => {
	const chat = new Conversation(undefined, false);

	await chat.say('create a file called hello.txt with the text Hello');

	expect(chat.searches).toEqual([]);
	expect(chat.toolCalls).toEqual([['filesystem__write_file', { path: 'hello.txt', content: 'Hello' }]]);
});

test('a tool that is always loaded is chosen where it answers better than what the search found', async () => {
	const chat = new Conversation(undefined, true, realServers, ['filesystem']);

	await chat.say('create a file called hello.txt with the text Hello');
	await chat.say('git status');

	expect(chat.searches).toHaveLength(2);
	expect(chat.toolCalls.map(([name]) => name)).toEqual(['filesystem__write_file', 'git__git_status']);
});
