import { describe, expect, test } from 'vitest';
import { errorResult } from '../../../../src/discovery/toolResult.ts';
import { toolVerb, verbFit } from '../../../../src/models/offlinePlanner/verb.ts';
import { Conversation, realServers, workServers } from './conversation.ts';

const repository = workServers.filter(({ name }) => name === 'repository');
const servers = [...realServers, ...workServers.filter((server) => !repository.includes(server))];

function chatWith(
	pinned: readonly string[] = [],
	hints: Readonly<Record<string, string>> = {},
): Conversation {
	return new Conversation(undefined, true, servers, pinned, hints);
}

describe('what a request asks for is what the tool does', () => {
	test.each<[string, string, Record<string, unknown>]>([
		['show the last 3 commits', 'git__git_log', { maxCount: 3 }],
		['show 3 commits', 'git__git_log', { maxCount: 3 }],
		['list my trello boards', 'trello__list_boards', {}],
		['create a trello board called Home', 'trello__create_board', { name: 'Home' }],
		[
			'send a slack message "hi" to channel C123',
			'slack__slack_post_message',
			{ channel_id: 'C123', text: 'hi' },
		],
		[
			'get the last 5 messages from channel C123',
			'slack__slack_get_channel_history',
			{ channel_id: 'C123', limit: 5 },
		],
		['search for files named *.md', 'filesystem__search_files', { path: '.', pattern: '*.md' }],
		['find *.ts in src', 'filesystem__search_files', { path: 'src', pattern: '*.ts' }],
		['list the files', 'filesystem__list_directory', { path: '.' }],
		['run a long operation for 3 seconds', 'everything__trigger-long-running-operation', { duration: 3 }],
		['delete the entity Anna', 'memory__delete_entities', { entityNames: ['Anna'] }],
		['delete the branch feature-x', 'git__git_branch', { mode: 'delete', branchName: 'feature-x' }],
		['write "x" to a.txt', 'filesystem__write_file', { path: 'a.txt', content: 'x' }],
		['show the git history since 2024-01-01', 'git__git_log', { since: '2024-01-01' }],
	])('"%s" calls %s', async (prompt, tool, input) => {
		const chat = chatWith();

		await chat.say(prompt);

		expect(chat.toolCalls).toEqual([[tool, input]]);
	});

	test('a search that finds nothing for "delete all files in docs" names the nearest', async () => {
		const chat = chatWith();

		const answer = await chat.say('delete all files in docs');

		expect(chat.toolCalls).toEqual([]);
		expect(answer).toMatch(/^I found no tool .*The closest: .*`memory:delete_observations`/);
	});

	test.each([
		['append "milk" to notes/shopping.md', 'append', 'filesystem:write_file'],
		['add "milk" to notes/shopping.md', 'add', 'git:git_add'],
		['delete the file notes/shopping.md', 'delete', 'memory:delete_observations'],
		['delete bye.txt', 'delete', 'memory:delete_observations'],
	])('"%s" takes no tool that cannot %s it, and names the nearest', async (prompt, verb, nearest) => {
		const chat = chatWith();

		const answer = await chat.say(prompt);

		expect(chat.toolCalls).toEqual([]);
		expect(answer).toContain(`I found no tool that says it can \`${verb}\` this, so I called none.`);
		expect(answer).toContain(nearest);
	});

	test('a reading request is not answered by asking for the values of a tool that creates', async () => {
		const chat = new Conversation(undefined, true, [
			{
				name: 'git',
				tools: servers.flatMap(({ tools }) => tools).filter(({ name }) => name === 'git_commit'),
			},
		]);

		const answer = await chat.say('show the commits');

		expect(answer).toContain('do something else than `show`');
		expect(answer).toContain('git:git_commit');
	});

	test('the newest of something is found where its history is', async () => {
		const chat = new Conversation(undefined, true, repository);

		await chat.say('show the last 3 commits');

		expect(chat.searches).toEqual([{ query: 'show the commits' }]);
		expect(chat.toolCalls).toEqual([['repository__git_log', { maxCount: 3 }]]);
	});

	test('a mode that reads by its name does not make a tool that deletes harmless', async () => {
		const inputSchema = { type: 'object', properties: { view: { enum: ['list', 'table'] } } };
		const tool = { server: 'desk', name: 'delete_notes', description: 'Deletes the notes.', inputSchema };
		const chat = new Conversation(undefined, true, [{ name: 'desk', tools: [tool] }]);

		await chat.say('list notes');

		expect(chat.toolCalls).toEqual([]);
	});

	test('a file that is to be changed is not written anew', async () => {
		const chat = chatWith();

		await chat.say('update the file a.txt with the text "x"');

		expect(chat.toolCalls).toEqual([]);
	});

	test.each(['delete all files in docs', 'drop table users', 'clear the list', 'how do I delete a file?'])(
		'"%s" deletes nothing where no tool is for it',
		async (prompt) => {
			const chat = new Conversation(undefined, true, realServers);

			await chat.say(prompt);

			expect(chat.toolCalls).toEqual([]);
		},
	);

	test('a folder is assumed for looking around only, and only if none is named', async () => {
		const read = await chatWith().say('read the config file');
		const other = await chatWith().say('list the files in my Documents folder');
		const boards = new Conversation(undefined, true, realServers);
		await boards.say('list my trello boards');

		expect(read).toContain('`path`');
		expect(other).toContain('`path`');
		expect(boards.toolCalls).toEqual([]);
	});

	test.each([
		['git__git_commit', '', 'create'],
		['git__git_log', 'View commit history.', 'read'],
		['any__thread_delete', 'Lists threads.', 'delete'],
		['any__get_or_create_user', '', 'create'],
		['trello__add_list_to_board', '', 'add'],
		['any__frobnicate', 'A thing.', undefined],
	])('%s, described as "%s", is taken for one of the class %s', (name, description, verb) => {
		expect(toolVerb({ name, description })).toBe(verb);
	});

	test('nothing is deleted unasked, and reading is done by reading alone', () => {
		expect(verbFit(undefined, 'delete')).toBe('conflicts');
		expect(verbFit('change', 'delete')).toBe('conflicts');
		expect(verbFit('read', 'run')).toBe('conflicts');
		expect(verbFit('read', undefined)).toBe('neutral');
		expect(verbFit('delete', undefined)).toBe('conflicts');
		expect(verbFit('append', 'create')).toBe('conflicts');
		expect(verbFit('add', 'read')).toBe('neutral');
		expect(verbFit('create', 'add')).toBe('fits');
	});
});

describe('a question for tools', () => {
	test.each([
		['which tools can read a git log?', 'read a git log', 'git:git_log', 'View commit history'],
		['is there a tool to send messages?', 'send messages', 'slack:slack_post_message', 'Post a new message'],
		['what tool lists boards', 'lists boards', 'trello:list_boards', 'List all boards'],
	])('"%s" lists what was found and calls nothing', async (prompt, query, tool, description) => {
		const chat = chatWith();

		const answer = await chat.say(prompt);

		expect(chat.searches).toEqual([{ query }]);
		expect(chat.toolCalls).toEqual([]);
		expect(answer).toMatch(new RegExp(`- \`${tool}\` — \`${description}`));
	});
});

test('a tool found through a hint of the user is asked about, and the answer may be its values', async () => {
	const chat = chatWith([], { memory: 'remember facts about people' });

	const answer = await chat.say('remember that Anna likes tea');
	expect(chat.toolCalls).toEqual([]);
	expect(answer).toContain('Did you mean `memory:');
	expect(answer).toContain('I need one more value');
	await chat.say('observations=[{"entityName":"Anna","contents":["likes tea"]}]');

	expect(chat.toolCalls).toEqual([
		['memory__add_observations', { observations: [{ entityName: 'Anna', contents: ['likes tea'] }] }],
	]);
});

test('an always-loaded tool whose name is the verb is called without a search', async () => {
	const chat = chatWith(['everything']);

	await chat.say('echo "good morning"');
	await chat.say('echo hello world');

	expect(chat.searches).toEqual([]);
	expect(chat.toolCalls).toEqual([
		['everything__echo', { message: 'good morning' }],
		['everything__echo', { message: 'hello world' }],
	]);
});

describe('a failure report', () => {
	test('says nothing of values where none were sent', async () => {
		const chat = new Conversation(() => errorResult('no repository'));

		const answer = await chat.say('git status');

		expect(answer).toBe('`git:git_status` failed: `no repository`');
	});

	test.each(['The server "everything" crashed.', 'everything is not reachable', 'The server has stopped.'])(
		'gives no advice on values where the server is the reason: %s',
		async (error) => {
			const chat = new Conversation(() => errorResult(error));

			const answer = await chat.say('echo hi');

			expect(answer).toContain('It was called with');
			expect(answer).not.toContain('If a value is wrong');
		},
	);
});
