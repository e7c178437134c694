import { describe, expect, test } from 'vitest';
import { lookingToolNames } from '../../../../src/discovery/catalog/syntheticTool.ts';
import { declinedResult, errorResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { answerText, callsOf } from '../../../../src/models/answerParts.ts';
import type { ChatModelEvent, ChatRequest } from '../../../../src/models/chatModel.ts';
import { purpose } from '../../../../src/models/planner/answers.ts';
import { OfflinePlanner } from '../../../../src/models/planner/offlinePlanner.ts';
import { ScriptedModel, says, turn } from '../../chat/conversation.ts';
import { servers, sessionOf } from '../../discovery/fixtures.ts';
import { Conversation, deferred, fleet } from './conversation.ts';
import { workspaceFolder } from './requests.ts';

async function answer(request: Partial<ChatRequest>, signal = new AbortController().signal) {
	const planner = new OfflinePlanner(() => workspaceFolder, String);
	const events: ChatModelEvent[] = [];
	const emit = (event: ChatModelEvent) => void events.push(event);
	const parts = await planner.answer({ system: '', messages: [], tools: [], ...request }, signal, emit);
	return { events, parts };
}

function paths(chat: Conversation): unknown[] {
	return chat.toolCalls.map(([, input]) => input.path);
}

describe('the planner as a model', () => {
	test('reports no usage, and sends nothing once it is cancelled', async () => {
		const messages = [{ role: 'user', text: 'hi' } as const];
		expect((await answer({ messages })).events.map(({ type }) => type)).toEqual(['text']);
		await expect(answer({ messages }, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
	});

	test('counts no saved tokens, because it calls no model; a real model does', async () => {
		const names = Array.from({ length: 200 }, (_, i) => `read_the_record_number_${i}`);
		const session = sessionOf(servers({ archive: names }));
		const messages = [{ role: 'user', text: 'read record 7' } as const];
		await turn(new OfflinePlanner(() => workspaceFolder, String), { session, messages });
		const made = session.log.timeline.filter(({ kind }) => kind === 'request').length;
		expect(made).toBeGreaterThan(0);
		expect(session.log.usage).toMatchObject({ requests: made, definitionTokens: 0, everyToolTokens: 0 });
		await turn(new ScriptedModel([says('Hello.')]), { session });
		const { requests, definitionTokens, everyToolTokens } = session.log.usage;
		expect(requests).toBe(made + 1);
		expect(everyToolTokens).toBeGreaterThan(definitionTokens);
	});

	test('introduces itself in its first answer only', async () => {
		const chat = new Conversation();
		expect(await chat.say('hello')).toContain(purpose());
		expect(await chat.say('thanks')).not.toContain(purpose());
		expect(chat.calls).toEqual([]);
	});

	test('without tools, says so and what to do', async () => {
		const { parts } = await answer({ messages: [{ role: 'user', text: 'read a.txt' }] });
		expect(answerText(parts)).toContain('No MCP tools are available');
	});

	test('never calls tools that only help a real model', async () => {
		const tools = [...lookingToolNames].map((name) => ({
			name,
			description: 'Lists tools, tells details of a tool, reads a page of a result, searches tools',
			inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
		}));
		for (const text of ['list the available tools', 'read the result', 'list_tool_details of files']) {
			const { parts } = await answer({ tools, messages: [{ role: 'user', text }] });
			expect(callsOf(parts).filter(({ name }) => name !== 'search_tools')).toEqual([]);
		}
	});
});

describe('the planner asks, with the closest tools, when it cannot act', () => {
	test('a word that it cannot place is named, and the call is offered with the known values', async () => {
		const chat = new Conversation();
		const answer = await chat.say('write "# Title" at the top of notes/meeting.md');
		expect(answer).toContain('I could not use `top`.');
		expect(chat.last).toMatchObject({ kind: 'ask' });
		expect(chat.last?.kind === 'ask' && chat.last.offers).toContainEqual({
			name: 'filesystem__write_file',
			input: { path: 'notes/meeting.md', content: '# Title' },
		});
		expect(chat.last?.kind === 'ask' && chat.last.offers.length).toBeLessThanOrEqual(3);
	});

	test('each offer follows the text of the answer', async () => {
		const chat = new Conversation();
		await chat.say('create a file called a.md');
		const { messages, session, found = [] } = chat;
		const { tools } = session.nextHead;
		const { events } = await answer({ messages: messages.slice(0, -1), tools, found });
		expect(events[0]?.type).toBe('text');
		expect(events[1]).toEqual({ type: 'offer', name: 'filesystem__write_file', input: { path: 'a.md' } });
	});

	test('it says which values are missing', async () => {
		expect(await new Conversation().say('create a file called a.md')).toContain(
			'`filesystem:write_file` needs `content`',
		);
	});

	test('when nothing is found, then it says what it searched for, and searches once', async () => {
		const chat = new Conversation();
		expect(await chat.say('frobnicate the wibble called qqqq')).toContain(
			'No tool matches `frobnicate the wibble`',
		);
		expect(chat.searches).toEqual([{ query: 'frobnicate the wibble' }]);
		expect(chat.toolCalls).toEqual([]);
	});

	test('when a search names only tools that share no word with the request, then none is loaded', async () => {
		const chat = new Conversation();
		expect(await chat.say('send an email to bob about the meeting')).toContain('No tool matches');
		expect(chat.session.activated).toEqual([]);
	});

	test('a value of the wrong type is never sent', async () => {
		const chat = new Conversation();
		await chat.say('get the sum a=many b=3');
		expect(chat.toolCalls).toEqual([]);
		await chat.say('get the sum a=2 b=3');
		expect(chat.toolCalls).toEqual([['everything__get-sum', { a: 2, b: 3 }]]);
	});

	test('a new request replaces the question', async () => {
		const chat = new Conversation();
		await chat.say('create a file called a.md');
		await chat.say('can you read notes/shopping.md');
		expect(paths(chat)).toEqual(['notes/shopping.md']);
	});
});

describe('the planner answers everyday requests', () => {
	const everyday = (said: string) => {
		const chat = new Conversation(undefined, deferred);
		return chat.say(said).then(() => chat);
	};

	test('it loads only the tool that it calls', async () => {
		const chat = await everyday('which files are in the notes folder?');
		expect(chat.toolCalls).toEqual([['filesystem__list_directory', { path: 'notes' }]]);
		expect(chat.session.activated.map(({ id }) => id)).toEqual(['filesystem:list_directory']);
	});

	test.each([
		'what did I put on my shopping list?',
		'are there any uncommitted changes?',
		'remember that Anna likes tea',
	])('%s: it loads nothing while it only offers tools', async (said) => {
		const chat = await everyday(said);
		expect(chat.last?.kind === 'ask' && chat.last.offers.length).toBeGreaterThan(0);
		expect(chat.session.activated).toEqual([]);
	});

	test('tools that are always loaded are among those that it chooses from', async () => {
		const chat = new Conversation();
		expect(chat.session.surface.loaded.map(({ id }) => id)).toContain('everything:echo');
		await chat.say('echo "hi"');
		expect(chat.toolCalls).toEqual([['everything__echo', { message: 'hi' }]]);
	});

	test.each([
		'what did I put on my shopping list?',
		'which branch am I on?',
		'are there any uncommitted changes?',
		'where is the release plan?',
	])('%s: a question offers no tool that changes something before those that read', async (said) => {
		const { last, session } = await everyday(said);
		const offered = last?.kind === 'ask' ? last.offers.map(({ name }) => session.surface.get(name)) : [];
		const isReading = offered.map((tool) => tool?.annotations?.readOnlyHint === true);
		expect(isReading[0]).toBe(true);
		expect(isReading).toEqual(isReading.toSorted((a, b) => Number(b) - Number(a)));
	});

	test('a guessed value fills the form of a tool that changes something, which is not called', async () => {
		const chat = await everyday('rename notes/meeting.md to notes/tuesday.md');
		expect(chat.toolCalls).toEqual([]);
		expect(chat.last?.kind === 'ask' && chat.last.offers[0]).toEqual({
			name: 'filesystem__move_file',
			input: { source: 'notes/meeting.md', destination: 'notes/tuesday.md' },
		});
	});
});

describe('the planner makes one call a message', () => {
	test('a failed call is not repeated, but offered with its values', async () => {
		const chat = new Conversation(() => errorResult('Busy.'));
		const failed = await chat.say('create a file called a.txt with the text "1"');
		expect(failed).toContain('`filesystem:write_file` failed:\n\n> Busy\\.');
		expect(chat.last).toMatchObject({
			offers: [{ name: 'filesystem__write_file', input: { path: 'a.txt', content: '1' } }],
		});
		expect(paths(chat)).toEqual(['a.txt']);
	});

	test('“Continue” makes the call of a stopped turn, and repeats no call that was made', async () => {
		const chat = new Conversation();
		await chat.say('create a file called a.txt with the text "1"');
		chat.messages.splice(1);
		chat.calls.splice(0);
		await chat.say('Continue');
		await chat.say('Continue');
		expect(paths(chat)).toEqual(['a.txt']);
	});

	test.each(['it', 'skip', '"later"'])('after it, “%s” makes none', async (word) => {
		const chat = new Conversation();
		await chat.say('create a file called a.txt with the text "1"');
		await chat.say(word);
		expect(paths(chat)).toEqual(['a.txt']);
	});

	test('the repository of a tool of git is the workspace', async () => {
		const chat = new Conversation();
		await chat.say('git status');
		expect(paths(chat)).toEqual([workspaceFolder]);
	});
});

describe('the planner asks instead of ignoring part of a request', () => {
	test.each([
		'create a file called a.txt with the text below',
		'create a file called a.txt with the text of b.txt',
		'stage and commit a.txt',
		'create a branch',
		'create a file like a.txt with the text "x"',
		'write "x" from a.txt',
		'move a.txt from docs/',
		'commit docs/a.md',
		'git:git_commit everything with the message "x"',
		'show the commit abc1234 of yesterday',
		'switch to the branch quickly',
		'git push --force',
		'move a.txt b.txt',
		'move a.txt and b.txt to docs/',
		'move a.txt to docs/',
		'move a.txt to ./docs',
		'create a folder called new folder',
		'commit with the message "x" and push',
		'create a file called a.txt and b.txt with the text "x"',
		'write "a" or "b" to c.txt',
		'stage a.txt',
		'clone https://example.com/a/b.git',
		'what is git worktree good for',
		'delete the relation "Ada" "likes" "tea"',
		'create a branch from main called hotfix',
	])('%s', async (said) => {
		const chat = new Conversation();
		await chat.say(said);
		expect(chat.toolCalls).toEqual([]);
		expect(chat.last?.kind).toBe('ask');
	});

	test.each([
		'delete the folder docs/',
		'delete the task "Buy milk"',
		'delete the card abc123',
		'delete the todoist task 12',
		'delete the asana project 12',
		'delete the calendar "Work"',
		'pay the invoice in_1',
		'archive it',
	])('%s: nothing else is changed, and no text is used as an id', async (said) => {
		const chat = new Conversation(undefined, fleet);
		await chat.say(said);
		expect(chat.toolCalls).toEqual([]);
	});

	test('a file is not created as a folder, even where nothing else creates anything', async () => {
		const inputSchema = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } };
		const tools = [{ name: 'disk__create_directory', description: 'Create a new directory', inputSchema }];
		const said = async (text: string) =>
			(await answer({ tools, messages: [{ role: 'user', text }] })).parts[0]?.type;
		expect(await said('create the folder docs/')).toBe('toolCall');
		expect(await said('create a.txt')).toBe('text');
	});

	test('a word of refusal in a description makes no refusal a request', async () => {
		const inputSchema = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } };
		const description = 'Deletes a file, never a folder, not even an empty one';
		const tools = [{ name: 'disk__delete_file', description, inputSchema }];
		const said = async (text: string) =>
			(await answer({ tools, messages: [{ role: 'user', text }] })).parts[0]?.type;
		expect(await said('delete the file a.txt')).toBe('toolCall');
		expect(await said('never delete the file a.txt')).toBe('text');
		expect(await said('not delete the file a.txt')).toBe('text');
	});

	test('conditions and choices within a quoted value are ignored', async () => {
		const chat = new Conversation();
		await chat.say('write "if not now, never" to a.txt');
		await chat.say('git stash message="drop it"');
		expect(chat.toolCalls).toEqual([
			['filesystem__write_file', { path: 'a.txt', content: 'if not now, never' }],
			['git__git_stash', { path: workspaceFolder, message: 'drop it' }],
		]);
	});
});

describe('the planner reports results', () => {
	test('as they are, on one line or several, and truncates long ones', async () => {
		const say = (text: string) => new Conversation(() => textResult(text)).say('echo "hi"');
		expect(await say('Echo: hi')).toContain('`everything:echo` returned:\n\n> Echo\\: hi');
		expect(await say('Echo:\nhi')).toContain('returned:\n\n```text\nEcho:\nhi\n```');
		const diff = JSON.stringify({ diff: '- a\n+ b', path: 'C:\\new' });
		expect(await say(diff)).toContain('{"diff":"- a\n+ b","path":"C:\\\\new"}');
		const long = await say('x'.repeat(10_000));
		expect(long.length).toBeLessThan(5000);
		expect(long).toContain('6,000 more characters are not shown');
	});

	test('with the reason if a call failed, and without blame if the user declined it', async () => {
		const failing = new Conversation(() => errorResult('ENOENT: no such file'));
		const answer = await failing.say('read missing.txt');
		expect(answer).toContain('`filesystem:read_text_file` failed:\n\n> ENOENT\\: no such file');
		const declining = new Conversation(() => declinedResult('filesystem:write_file'));
		const declined = await declining.say('create a file called a.txt with the text "b"');
		expect(declined).toContain('You did not allow `filesystem:write_file` to run');
		expect(declined).not.toContain('failed');
		expect(declining.toolCalls).toHaveLength(1);
	});
});
