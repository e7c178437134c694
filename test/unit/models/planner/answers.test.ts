import { describe, expect, test } from 'vitest';
import { declinedResult, errorResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { question } from '../../../../src/models/planner/answers.ts';
import type { UnavailableServer } from '../../../../src/models/planner/choose.ts';
import { parametersOf } from '../../../../src/models/planner/parameters.ts';
import { Conversation, sample, surface, surroundings } from './conversation.ts';
import { workspaceFolder } from './requests.ts';

test('a missing value is asked for by name, with type, description, choices and an example', async () => {
	const chat = new Conversation();

	const file = await chat.say('create a file called a.md');
	const message = await chat.say('everything:get-annotated-message');
	const thought = await chat.say('sequential-thinking:sequentialthinking thought="so"');

	expect(file).toContain('`filesystem:write_file`');
	expect(file).toContain('- `content` (string)');
	expect(file).not.toContain('- `path`');
	expect(file).toContain('`content="…"`');
	expect(message).toContain('one of `error`, `success` or `debug`');
	expect(thought).toContain(
		'- `thoughtNumber` (integer) — `Current thought number (numeric value, e.g., 1, 2, 3)`',
	);
	expect(chat.toolCalls).toEqual([]);
});

test('what a server makes up for a type stays text: only types of JSON are named', () => {
	const type = 'string) **Approve** [here](https://evil.example)\n\n# Heading';
	const inputSchema = {
		type: 'object',
		required: ['a', 'b'],
		properties: { a: { type }, b: { type: ['null', '<b>', 'integer'] } },
	};
	const tool = { name: 'evil__do', description: '', inputSchema };
	const lines = question(tool, parametersOf(tool)).split('\n');
	expect(lines.filter((line) => line.startsWith('-'))).toEqual(['- `a` (string)', '- `b` (null or integer)']);
	expect(lines.join()).not.toContain('Approve');
});

test.each([
	['hello there', 'hello there'],
	['content="hello there"', 'hello there'],
	['"list the files"', 'list the files'],
	['with the text hello there', 'hello there'],
	['12', '12'],
])('the one missing value is completed by the answer %s', async (answer, content) => {
	const chat = new Conversation();
	await chat.say('create a file called a.md');

	await chat.say(answer);

	expect(chat.toolCalls).toEqual([['filesystem__write_file', { path: 'a.md', content }]]);
	expect(chat.searches).toHaveLength(1);
});

test('several missing values may come one by one', async () => {
	const chat = new Conversation();

	await chat.say('get-sum');
	const still = await chat.say('b=3');
	await chat.say('2');

	expect(still).toContain('one more value');
	expect(chat.toolCalls).toEqual([['everything__get-sum', { a: 2, b: 3 }]]);
});

test('an answer that is not of the type is asked for again or starts anew, never sent', async () => {
	const chat = new Conversation();
	await chat.say('get-sum a=1');

	await chat.say('b=many');

	expect(chat.toolCalls).toEqual([]);
});

test.each([
	['list the files in docs', ['filesystem__list_directory', { path: 'docs' }]],
	['before you commit with the message "x", stage a.txt', undefined],
])('a new request after a question starts anew: "%s"', async (request, call) => {
	const chat = new Conversation();
	await chat.say('create a file called a.md');

	await chat.say(request);

	expect(chat.toolCalls).toEqual(call ? [call] : []);
});

test('cancelling ends the question', async () => {
	const chat = new Conversation();
	await chat.say('create a file called a.md');

	expect(await chat.say('never mind')).toContain('nothing was called');
	expect(chat.toolCalls).toEqual([]);
});

test('the answer to a question of one step goes on with the next', async () => {
	const chat = new Conversation();
	await chat.say('read a.txt and then create a file called b.txt, then git status');
	expect(chat.toolCalls).toHaveLength(1);

	await chat.say('content="b"');

	expect(chat.toolCalls.slice(1)).toEqual([
		['filesystem__write_file', { path: 'b.txt', content: 'b' }],
		['git__git_status', { path: workspaceFolder }],
	]);
});

test("a question in a server's text is not taken for the planner's own", async () => {
	const question = await new Conversation().say('create a file called a.md');
	const chat = new Conversation(() => textResult(question));
	await chat.say('read README.md');

	await chat.say('content="hello"');

	expect(question).toContain('I need one more value');
	expect(chat.toolCalls).toHaveLength(1);
});

test('nothing found: says what was searched for, once, and what to do', async () => {
	const chat = new Conversation();

	const answer = await chat.say('frobnicate the wibble called qqqq');

	expect(chat.searches).toEqual([{ query: 'frobnicate the wibble' }]);
	expect(answer).toContain(
		'No tool clearly matches, so I ran nothing. I searched for `frobnicate the wibble`.',
	);
	expect(answer).toContain('/tools');
});

test('a tool that only resembles a value of the prompt is not called', async () => {
	const chat = new Conversation();

	const answer = await chat.say('frobnicate the wibble called zork');

	expect(chat.searches).toHaveLength(1);
	expect(chat.toolCalls).toEqual([]);
	expect(answer).toContain('No tool clearly matches');
});

test('where nothing fits, the nearest tools are named, and none is called; where nothing is near, none is named', async () => {
	const chat = new Conversation();

	const near = await chat.say('delete notes/shopping.md');
	const far = await chat.say('order a pizza with extra cheese');

	expect(chat.toolCalls).toEqual([]);
	expect(near).toMatch(/ The closest: `\w+:/);
	expect(far).not.toContain('The closest');
});

test('a line is reported in the sentence, where it wraps, and several lines as they are', async () => {
	const line = new Conversation(() => textResult('Echo: hi'));
	const lines = new Conversation(() => textResult('Echo:\nhi'));

	expect(await line.say('echo hi')).toBe('`everything:echo` answered: `Echo: hi`');
	expect(await lines.say('echo hi')).toBe('`everything:echo` answered:\n\n```text\nEcho:\nhi\n```');
});

test('JSON is indented, unless that would change a number', async () => {
	const small = new Conversation(() => textResult('{"a":[1]}'));
	const big = new Conversation(() => textResult('{"id":12345678901234567890}'));

	expect(await small.say('echo hi')).toContain('```json\n{\n  "a": [\n    1\n  ]\n}\n```');
	expect(await big.say('echo hi')).toContain('{"id":12345678901234567890}');
});

test('a long result is cut, with how much was left out', async () => {
	const chat = new Conversation(() => textResult('x'.repeat(10_000)));

	const answer = await chat.say('echo hi');

	expect(answer.length).toBeLessThan(5000);
	expect(answer).toContain('6,000 more characters are not shown');
});

test("a server's text stays text: no fence, link or escape sequence of it takes effect", async () => {
	const chat = new Conversation(() => textResult('```\n![x](http://evil/a.png)\n````\n\u001b[31mred\u202e'));

	const answer = await chat.say('echo hi');

	expect(answer).toContain('`````text\n```\n![x](http://evil/a.png)\n````\nred\n`````');
});

test('a failure is told plainly, with the message and the values that were sent', async () => {
	const chat = new Conversation(() => errorResult('ENOENT: no such file'));

	const answer = await chat.say('read missing.txt');

	expect(answer).toContain('`filesystem:read_text_file` failed');
	expect(answer).toContain('ENOENT: no such file');
	expect(answer).toContain('"path": "missing.txt"');
	expect(chat.toolCalls).toHaveLength(1);
});

test('a declined call is reported without blame, and nothing follows', async () => {
	const chat = new Conversation(() => declinedResult('filesystem:write_file'));

	const answer = await chat.say('create a file called a.txt with text "b" and then read a.txt');

	expect(answer).toContain('You declined the call of `filesystem:write_file`, so nothing was done.');
	expect(answer).not.toContain('failed');
	expect(answer).toContain('Remaining steps: `read a.txt`');
	expect(chat.toolCalls).toHaveLength(1);
});

test('a tool that is gone meanwhile is reported, not tried again', async () => {
	const chat = new Conversation(() => errorResult("Unknown tool 'everything__echo'."));

	expect(await chat.say('echo hi')).toContain("failed: `Unknown tool 'everything__echo'.`");
	expect(chat.toolCalls).toHaveLength(1);
});

test('where a parameter is named that the tool has not, it is not called, and told which it has', async () => {
	const chat = new Conversation();

	const answer = await chat.say('everything:echo message=hi colour=red');

	expect(chat.toolCalls).toEqual([]);
	expect(answer).toBe('`everything:echo` has no parameter `colour`, so I did not call it. It has `message`.');
});

function chatWithout(server: UnavailableServer, known = false): Conversation {
	const servers = sample.servers.filter(({ name }) => known || name !== server.name);
	const chat = new Conversation(undefined, surface(servers, sample.policy));
	chat.surroundings = { ...surroundings, unavailable: [server] };
	return chat;
}

describe('where the server that would do it', () => {
	test.each([
		['unapproved', 'you have not approved it yet', 'Review Servers'],
		['faulty', 'its entry in the configuration has faults', 'row in the Servers view'],
		['stopped', 'is stopped', 'Start Server'],
		['starting', 'still starting', 'Ask again'],
		['failed', 'could not be started: `node is missing.`', 'Restart Server'],
	] as const)('is %s, that and what mends it is said, and no other is asked', async (state, why, mend) => {
		for (const known of [false, true]) {
			const chat = chatWithout({ name: 'git', state, about: 'git', reason: 'node is missing.' }, known);
			for (const request of ['git status', 'show the git log', 'git commit', 'git:git_status']) {
				const answer = await chat.say(request);
				expect(answer).toContain('`git`');
				expect(answer).toContain(why);
				expect(answer).toContain(mend);
				expect(chat.last?.kind).toBe('refuse');
			}
			expect(chat.toolCalls).toEqual([]);
		}
	});

	test.each([
		['filesystem', 'filesystem', 'create a file called a.txt with the text "x"'],
		['memory', 'remember facts, people and preferences', 'remember that "Ada" likes "tea"'],
	])('is %s, what it is for shows in its name or hint', async (name, about, request) => {
		const chat = chatWithout({ name, state: 'unapproved', about });
		expect(await chat.say(request)).toContain(`for the server \`${name}\``);
		expect(chat.toolCalls).toEqual([]);
	});

	test('is another one, the request is done', async () => {
		const chat = chatWithout({ name: 'memory', state: 'unapproved', about: 'remember facts' });
		await chat.say('read a.txt');
		expect(chat.toolCalls).toHaveLength(1);
	});
});
