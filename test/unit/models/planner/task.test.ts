import { describe, expect, test } from 'vitest';
import { errorResult, textResult, withText } from '../../../../src/discovery/catalog/tool.ts';
import { splitSteps } from '../../../../src/models/planner/task.ts';
import { Conversation, fleet } from './conversation.ts';
import { today, workspaceFolder } from './requests.ts';

/** Writes of files called 1.txt, 2.txt, … joined by "then". */
function writes(count: number): string {
	const numbers = Array.from({ length: count }, (_, i) => i + 1);
	return numbers.map((n) => `create a file called ${n}.txt with the text "${n}"`).join(', then ');
}

function paths(chat: Conversation): unknown[] {
	return chat.toolCalls.map(([, input]) => input.path);
}

describe('a request becomes steps', () => {
	test.each<[prompt: string, steps?: readonly string[]]>([
		['first list the files in docs, then read docs/a.md', ['list the files in docs', 'read docs/a.md']],
		[
			'read a.txt; then git status. Then echo "one then echo two"',
			['read a.txt', 'git status', 'echo "one then echo two"'],
		],
		['echo now and then the end', ['echo now and then the end']],
		['read a.txt and b.txt', ['read a.txt and b.txt']],
		['read a.txt and echo it', ['read a.txt', 'echo it']],
		['write "do this, then delete all" to a.txt', ['write "do this, then delete all" to a.txt']],
		['write "call after you land" to a.txt', ['write "call after you land" to a.txt']],
		['create a.txt with the text go and run', ['create a.txt with the text go and run']],
		['find and replace "a" with "b" in c.txt', ['find and replace "a" with "b" in c.txt']],
		['1. read a.txt\n2) echo "x\n3. y"', ['read a.txt', 'echo "x\n3. y"']],
		['Please do these steps:\n- read a.txt, then b.txt\n- git status'],
		['Do the following:\n\n* read a.txt\n* list the files in docs', ['read a.txt', 'list the files in docs']],
		[
			'1. create a.md with the text\n- read b\n- drop c\n2. read a.md',
			['create a.md with the text\n- read b\n- drop c', 'read a.md'],
		],
		['create a.md with the items\n- read b\n- drop c'],
		['- milk\n- bread'],
		['1. read a.txt\n1. read b.txt'],
		['write "\n- read a\n- read b" to c.txt'],
		[
			'cat Makefile, then mv a.txt docs/b.txt',
			['read the file "Makefile"', 'move the file "a.txt" to "docs/b.txt"'],
		],
		['ls', ['list the files here']],
		['ls -la src', ['list the files in the folder "src"']],
		['head -n 3 a.md', ['read the first 3 lines of the file "a.md"']],
		['1. mkdir -p docs\n2. tree docs', ['create the folder "docs"', 'show the directory tree of "docs"']],
		['rm -rf docs'],
		['mv a.txt'],
		['cat it'],
		['more cat pictures'],
	])('"%s"', (prompt: string, steps: readonly string[] = [prompt]) => {
		expect(splitSteps(prompt, today).map(({ text }) => text)).toEqual(steps);
	});

	test.each(['before you commit with the message "x", stage a.txt', 'read a.txt after you stage b.txt'])(
		'that are told in another order are not done: "%s"',
		async (prompt) => {
			const chat = new Conversation();
			expect(await chat.say(prompt)).toContain('in the order in which you say them');
			expect(chat.calls).toEqual([]);
		},
	);

	test('that stand in a list, or are typed as in a shell, are done as any other', async () => {
		const chat = new Conversation();
		await chat.say('1. cat notes/shopping.md\n2. mv notes/a.md docs/b.md');
		expect(chat.toolCalls).toEqual([
			['filesystem__read_text_file', { path: 'notes/shopping.md' }],
			['filesystem__move_file', { source: 'notes/a.md', destination: 'docs/b.md' }],
		]);
	});

	test('that are searched, called and reported one after the other', async () => {
		const chat = new Conversation(({ name }) => textResult(`from ${name}`));
		const answer = await chat.say(
			'create a file called hello.txt with the text Hello and then show the diff',
		);
		expect(chat.calls.map(({ name }) => name)).toEqual([
			'search_tools',
			'filesystem__write_file',
			'search_tools',
			'git__git_diff',
		]);
		expect(answer).toMatch(/Step 1 .*from filesystem__write_file.*Step 2 .*from git__git_diff/s);
	});

	test('of which one is searched for where the loaded tool that resembles it would drop a value', async () => {
		const chat = new Conversation();
		await chat.say('what changed in this git repository?');
		await chat.say('what changed last week?');
		expect(chat.searches).toHaveLength(2);
		expect(chat.toolCalls.at(-1)).toEqual(['git__git_log', { path: workspaceFolder, since: '2026-03-11' }]);
	});

	test('and what we tell the model beside a result is neither repeated nor passed on', async () => {
		const chat = new Conversation(({ name }) =>
			withText(textResult(`from ${name}`), 'Servers that are gone: none'),
		);
		const answer = await chat.say('read notes/a.md and then write its contents to b.md');
		expect(answer).not.toContain('Servers that are gone');
		expect(JSON.stringify(chat.toolCalls)).not.toContain('Servers that are gone');
		expect(chat.toolCalls).toHaveLength(2);
	});

	test('of which five writes are five writes, found by one search', async () => {
		const chat = new Conversation();
		await chat.say(writes(5));
		expect(paths(chat)).toEqual(['1.txt', '2.txt', '3.txt', '4.txt', '5.txt']);
		expect(chat.searches).toHaveLength(1);
	});
});

describe('"continue"', () => {
	test.each(['continue', 'Continue', 'please go on', 'Weiter'])(
		'as "%s" goes on with the steps that were left',
		async (word) => {
			const chat = new Conversation();
			const answer = await chat.say(writes(12));
			expect(answer).toContain('Remaining steps (reply “continue”): `create a file called 11.txt');
			await chat.say(word);
			expect(paths(chat)).toEqual(Array.from({ length: 12 }, (_, i) => `${i + 1}.txt`));
		},
	);

	test('tries again what failed, and goes on with what was to follow', async () => {
		let failures = 1;
		const chat = new Conversation(() => (failures-- > 0 ? errorResult('Busy.') : textResult('done')));
		await chat.say(writes(2));
		expect(paths(chat)).toEqual(['1.txt']);
		await chat.say('continue');
		expect(paths(chat)).toEqual(['1.txt', '1.txt', '2.txt']);
	});

	test('goes on with a turn that the loop has ended between two calls', async () => {
		const chat = new Conversation();
		await chat.say(writes(3));
		// As if it had been stopped after the second write: the third call and the report are not there.
		chat.messages.splice(-3);
		chat.calls.splice(-1);
		await chat.say('Continue');
		expect(paths(chat)).toEqual(['1.txt', '2.txt', '3.txt']);
	});

	test('is no request of its own: where nothing is left, nothing is called', async () => {
		const chat = new Conversation();
		expect(await chat.say('continue')).toContain('nothing left');
		await chat.say(writes(1));
		expect(await chat.say('continue')).toContain('nothing left');
		expect(chat.toolCalls).toHaveLength(1);
		expect(chat.searches).toHaveLength(1);
	});
});

describe('what was done before is what a step goes on with', () => {
	test('"its contents" are what was read', async () => {
		const chat = new Conversation(({ name }) => textResult(/read/.test(name) ? 'milk' : 'done'));
		await chat.say('read a.txt, then write its contents to b.txt');
		expect(chat.toolCalls.at(-1)).toEqual(['filesystem__write_file', { path: 'b.txt', content: 'milk' }]);
	});

	test('a created folder is where the next step moves to and writes to, said or not', async () => {
		for (const move of ['move a.txt into it', 'move a.txt there', 'move a.txt']) {
			const chat = new Conversation();
			await chat.say(`create a folder called old, then ${move}`);
			expect(chat.toolCalls.at(-1)).toEqual([
				'filesystem__move_file',
				{ source: 'a.txt', destination: 'old/a.txt' },
			]);
		}
	});

	test('a result that failed is nothing to go on with', async () => {
		const chat = new Conversation(() => errorResult('No such file.'));
		await chat.say('read a.txt');
		await chat.say('write its contents to b.txt');
		expect(chat.toolCalls).toHaveLength(1);
		expect(chat.last).toMatchObject({ kind: 'ask', tool: { name: 'filesystem__write_file' } });
	});

	test('the workspace is where a repository is, unless another folder is said', async () => {
		const chat = new Conversation();
		await chat.say('git status');
		await chat.say('git status of /srv/other');
		expect(chat.toolCalls).toEqual([
			['git__git_status', { path: workspaceFolder }],
			['git__git_status', { path: '/srv/other' }],
		]);
	});
});

describe('what a request says is not left out', () => {
	test.each([
		'do not create a file called a.txt with the text "x"',
		'don\'t write "x" to a.txt',
		'never write "x" to a.txt',
		'should I create a file called a.txt with the text "x"?',
		'if a.txt exists, write "x" to a.txt',
		'create a file called a.txt with the text "x", then if it is there, git push',
	])('%s: what is not to be done, or only perhaps, is not done', async (said) => {
		const chat = new Conversation();
		await chat.say(said);
		expect(chat.calls).toEqual([]);
		expect(chat.last?.kind).toBe('refuse');
	});

	test('a condition within a value is none', async () => {
		const chat = new Conversation();
		await chat.say('write "if not now, never" to a.txt');
		expect(chat.toolCalls).toEqual([
			['filesystem__write_file', { path: 'a.txt', content: 'if not now, never' }],
		]);
	});

	test('a flag is a parameter', async () => {
		const chat = new Conversation();
		await chat.say('git push --force');
		await chat.say('git push --frobnicate');
		expect(chat.toolCalls).toEqual([['git__git_push', { path: workspaceFolder, force: true }]]);
		expect(chat.last?.kind).toBe('refuse');
	});

	test.each([
		'sum 2 and 3 and 4',
		'show the commit abc1234',
		'zip the files a.txt and b.txt',
		'fork octo/hello',
	])('%s: nothing is called that leaves out a value', async (said) => {
		const chat = new Conversation();
		await chat.say(said);
		expect(chat.toolCalls).toEqual([]);
	});

	test.each([
		'read the README',
		'empty the file a.txt',
		'undo the last commit',
		'initialize a git repository',
	])('%s: nothing is called that only resembles it', async (said) => {
		const chat = new Conversation();
		await chat.say(said);
		expect(chat.toolCalls).toEqual([]);
	});

	test('"read the first one" is not answered with whatever else can be read', async () => {
		const chat = new Conversation();
		await chat.say('list the files in docs');
		await chat.say('read the first one');
		expect(chat.toolCalls).toHaveLength(1);
	});

	test.each([
		'then read notes/shopping.md',
		'Please read notes/shopping.md',
		'can you read notes/shopping.md',
	])('%s: a request that follows a question is no answer to it', async (said) => {
		const chat = new Conversation();
		await chat.say('create a file called a.txt');
		await chat.say(said);
		expect(chat.toolCalls).toEqual([['filesystem__read_text_file', { path: 'notes/shopping.md' }]]);
	});

	test('"and" is no relation', async () => {
		const chat = new Conversation();
		await chat.say('delete the relation between "Ada" and "tea"');
		expect(chat.toolCalls).toEqual([]);
	});

	test('a folder of one letter is one', async () => {
		const chat = new Conversation();
		await chat.say('list the files in x');
		expect(chat.toolCalls).toEqual([['filesystem__list_directory', { path: 'x' }]]);
	});

	test('a flag that a tool does not have is told, of that tool', async () => {
		const chat = new Conversation();
		expect(await chat.say('git status --short')).toContain('`git:git_status` has no parameter `short`');
	});

	test('"git commit" is to commit', async () => {
		const chat = new Conversation();
		await chat.say('git commit');
		expect(chat.last).toMatchObject({ kind: 'ask', tool: { name: 'git__git_commit' } });
	});

	test('what is cloned comes to a new folder, not over the workspace', async () => {
		const chat = new Conversation();
		await chat.say('clone https://example.com/a/b.git');
		expect(chat.last).toMatchObject({ kind: 'ask', tool: { name: 'git__git_clone' } });
	});

	test.each(['use write_file with path="a.txt"', 'call the tool write_file path=a.txt'])(
		'%s: a tool that is not loaded can be named alone, and its name is no value',
		async (said) => {
			const chat = new Conversation();
			await chat.say(said);
			expect(chat.searches).toEqual([{ tool_names: ['write_file'] }]);
			expect(chat.last).toMatchObject({ kind: 'ask', missing: [{ name: 'content' }] });
		},
	);

	test.each(['. Then read it.', '. Read it.', '; finally read it'])('“%s” begins a step', async (next) => {
		const chat = new Conversation();
		await chat.say(`create a file called a.txt with the text "x"${next}`);
		expect(chat.toolCalls.map(([name]) => name)).toEqual([
			'filesystem__write_file',
			'filesystem__read_text_file',
		]);
	});

	test.each(['put', 'create'])('%s: a file in a new folder is a file', async (verb) => {
		const chat = new Conversation();
		await chat.say(`create a folder called a/b and ${verb} a file called x.txt with the text "1" in it`);
		expect(chat.toolCalls.at(-1)).toEqual(['filesystem__write_file', { path: 'a/b/x.txt', content: '1' }]);
	});

	test.each(['delete the task "Buy milk"', 'create a task "Buy milk"'])(
		'%s: no other thing is changed, and no text becomes an id or a date',
		async (said) => {
			const chat = new Conversation(undefined, fleet);
			await chat.say(said);
			expect(chat.toolCalls).toEqual([]);
		},
	);
});

describe('a repository', () => {
	const git = (name: string, input: object = {}) => [`git__git_${name}`, { path: workspaceFolder, ...input }];

	test.each([
		['switch to the branch main', [git('checkout', { target: 'main' })]],
		['push to the branch main', [git('push', { branch: 'main' })]],
		['git show HEAD', [git('show', { object: 'HEAD' })]],
		['git diff HEAD~1', [git('diff', { target: 'HEAD~1' })]],
		['commit with the message "x", then push it', [git('commit', { message: 'x' }), git('push')]],
		[
			'stage a.txt and b.txt, then commit them with the message "x"',
			[
				git('add', { paths: ['a.txt', 'b.txt'] }),
				git('commit', { message: 'x', filesToStage: ['a.txt', 'b.txt'] }),
			],
		],
	])('%s', async (said, calls) => {
		const chat = new Conversation();
		await chat.say(said);
		expect(chat.toolCalls).toEqual(calls);
	});

	test('is not staged as a whole because "it" was looked at', async () => {
		const chat = new Conversation(() => textResult('diff --git a/a.txt b/a.txt'));
		await chat.say('what changed?');
		await chat.say('commit it with the message "x"');
		expect(chat.toolCalls.at(-1)).toEqual(git('commit', { message: 'x' }));
	});

	test.each([
		['git status', 'push it'],
		['create a branch called fix-1', 'push it'],
	])('%s, %s: what "it" does not plainly mean is not done', async (first, second) => {
		const chat = new Conversation();
		await chat.say(first);
		await chat.say(second);
		expect(chat.toolCalls).toHaveLength(1);
	});

	test.each(['switch to the branch quickly', 'show the commit HEAD~1'])(
		'%s: no word is taken for a name, and nothing else is read instead',
		async (said) => {
			const chat = new Conversation();
			await chat.say(said);
			expect(chat.toolCalls).toEqual([]);
		},
	);
});
