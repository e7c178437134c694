import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FixtureResponse } from '@copilotkit/aimock';
import { afterAll, describe, expect } from 'vitest';
import { publishedServer } from '../servers/launches.ts';
import { ContextPage } from './contextPage.ts';
import { eventually } from './eventually.ts';
import { calling, LoopbackProvider, tokens } from './loopbackProvider.ts';
import { configText, openFiles } from './openFiles.ts';
import { workbenchTest } from './workbenchTest.ts';

const provider = await LoopbackProvider.start();
afterAll(() => provider[Symbol.asyncDispose]());

const clients = {
	workshop: { provider: 'openai', base_url: `${provider.url}/v1` },
	study: { provider: 'anthropic', base_url: provider.url },
};
const models = {
	Hammer: { client: 'workshop', model: 'gpt-4.1', price: { input: 2, output: 8 } },
	Saw: { client: 'workshop', model: 'gpt-4.1-mini', template: 'unfinished' },
	Quill: { client: 'study', model: 'claude-sonnet-4-5', template: 'brief' },
};

const test = workbenchTest(async () => {
	const workbench = await openFiles({
		'casual_mcp_config.json': configText({ clients, models }),
		'prompt-templates/brief.j2': 'Be brief. You have{% for tool in tools %} {{ tool.name }}{% endfor %}.',
		'prompt-templates/unfinished.j2': 'You are a saw.\n{% if tools %}\nYou have tools.',
	});
	// A message that comes before the server has listed its tools finds none of them.
	await workbench.page.locator('.statusbar-item', { hasText: '% tokens' }).waitFor({ timeout: 60_000 });
	// A busy machine may take longer to make an index than a message waits for it.
	await workbench.runCommand('Discovery: Rebuild Index');
	await workbench.page.locator('.statusbar-item', { hasText: 'index rebuilt' }).waitFor();
	return workbench;
});

describe('a person talks to a model of the configuration', () => {
	test('picks it, and it finds a tool, asks before it writes a file, and says what it did', async ({
		workbench: { chat, folder },
	}) => {
		await chat.pickModel('Hammer');
		provider.willSay(
			calling('I look for a tool.', 'search_tools', { query: 'write a file' }, tokens(1000, 10)),
			calling(
				'Now I write it.',
				'files__write_file',
				{ path: 'hello.txt', content: 'Hello' },
				tokens(1500, 20),
			),
			{ content: 'It is **written**.', ...tokens(1600, 5) },
		);
		await chat.send('@discovery write Hello into hello.txt');
		const question = await chat.confirmation();
		expect(question.text).toContain('Run write file (files)?');
		expect(existsSync(path.join(folder, 'hello.txt'))).toBe(false);
		// Once all is done, VS Code may fold these lines into one.
		expect(await chat.responseText()).toMatch(
			/Preloaded for your request: files:write_file.*I look for a tool\..*files:write_file already loaded.*Now I write it\./s,
		);
		await chat.allow();
		await chat.waitForIdle();

		expect(readFileSync(path.join(folder, 'hello.txt'), 'utf8')).toBe('Hello');
		expect(await chat.responseText()).toContain('It is written.');
	});

	test('sees in /context what the provider has counted, what that cost, and the call', async ({
		workbench,
	}) => {
		await workbench.chat.send('/context');
		await workbench.chat.waitForIdle();
		const said = await workbench.chat.responseText();
		expect(said).toMatch(/measured by the provider\s+tokens\s+input of 3 answers\s+4,100\s+output\s+35/);
		expect(said).toMatch(/files: 1 call, [\d.,]+ ms each: write_file 1/);
		expect(said).toContain('$0.0085');
		await workbench.screenshot('model-context');
	});

	test('sees on the page what the chat cost, and would have cost', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Show Context');
		const page = new ContextPage(workbench.page);
		await eventually(() => page.body.innerText()).toMatch(/\$0\.0085/);
		await workbench.screenshot('model-cost');
		await workbench.page.keyboard.press('Control+F4');
	});

	test('asks on, and the model is told all that was said and done before', async ({ workbench }) => {
		provider.willSay({ content: 'It says Hello.' });
		await workbench.chat.send('what does it say?');
		await workbench.chat.waitForIdle();
		const [before, now] = provider.requests.slice(-2);
		expect(now?.tools).toEqual(before?.tools);
		expect(now?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
		expect(now?.messages.slice(-4)).toMatchObject([
			{ role: 'assistant', tool_calls: [{ function: { name: 'files__write_file' } }] },
			{ role: 'tool', content: expect.stringContaining('Successfully wrote') },
			{ role: 'assistant', content: 'It is **written**.' },
			{ role: 'user', content: 'what does it say?' },
		]);
	});

	test('sees that it thinks, and reads what below the answer', async ({ workbench }) => {
		const { chat } = workbench;
		provider.willSay({ content: 'It is a greeting.', reasoning: 'Hello is **a word** that people say.' });
		await chat.send('and what is that?');
		await chat.waitForIdle();
		expect(await chat.responseText()).toMatch(/It is a greeting\./);
		expect(await chat.responseText()).not.toContain('people say');
		await workbench.screenshot('model-thinking');
		await chat.pressInAnswer('Show Thinking');
		await workbench.page.locator('.tab', { hasText: 'Thinking' }).waitFor();
		await workbench.screenshot('model-thought');
		await workbench.page.keyboard.press('Control+F4');
	});

	test('is told that it waits for a provider with too much to do, and gets the answer', async ({
		workbench,
	}) => {
		const busy = { message: 'One at a time', type: 'rate_limit_error' };
		provider.willSay({ error: busy, status: 429, retryAfter: 2 }, { content: 'Your turn.' });
		await workbench.chat.send('are you there?');
		// It is gone once the answer is there.
		await workbench.chat.waitForText(/One at a time.*Retrying in 2 s/);
		await workbench.screenshot('model-busy');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('Your turn.');
	});

	test('reads an answer while it comes, and stops it', async ({ workbench: { chat } }) => {
		provider.willSaySlowly(`One, two, three, ${'and so on, '.repeat(50)}`);
		await chat.send('count');
		await chat.waitForText('One, two');
		expect(await chat.isBusy()).toBe(true);
		await chat.stop();
		await chat.waitForIdle();
		await eventually(async () => provider.abandoned).toBe(1);
	});

	test('selects a key in a file and asks on: neither the model nor anything that is kept gets the key', async ({
		workbench,
	}) => {
		const { chat, page, folder } = workbench;
		// In two pieces, so that this test is not what is found.
		const key = ['q7GbT2xVw9Lk', 'Zr4'].join('');
		const file = path.join(folder, 'casual_mcp_config.json');
		const text = readFileSync(file, 'utf8');
		const env = { NOTES_TOKEN: key };
		const notes = { disabled: true, command: 'notes', args: ['--token', 'plainword'], env };
		writeFileSync(file, configText({ clients, models, mcpServers: { notes } }));
		// A file with two warnings is opened without asking which one.
		await page.locator('[id="status.problems"]', { hasText: '2' }).waitFor();
		await workbench.runCommand('Discovery: Open Configuration');
		await page.locator('.editor-group-container .view-lines', { hasText: 'NOTES_TOKEN' }).click();
		await page.keyboard.press('Control+A');
		// The editor attaches the selection a moment later.
		await page.locator('.chat-attached-context', { hasText: 'casual_mcp_config.json:' }).first().waitFor();
		provider.willSay({ content: 'A configuration.' });
		await chat.send('what is this?');
		await chat.waitForIdle();
		await workbench.screenshot('model-masked');
		const sent = JSON.stringify(provider.requests.at(-1)?.messages.at(-1));
		expect(sent).toContain('NOTES_TOKEN');
		expect(sent).not.toContain(key);
		expect(sent).not.toContain('plainword');
		expect(await chat.responseText()).toContain(
			'Masked 2 values in casual_mcp_config.json that look like keys',
		);
		await workbench.runCommand('View: Close All Editors');
		expect(workbench.filesWith(key)).toEqual(['casual_mcp_config.json']);
		writeFileSync(file, text);
	});

	test('has written a template: it is the system prompt', async ({ workbench: { chat } }) => {
		await chat.pickModel('Quill');
		provider.willSay({ content: 'Brief.' });
		await chat.send('who are you?');
		await chat.waitForIdle();
		expect(await chat.responseText()).toBe('Brief.');
		expect(provider.lastSystemPrompt).toMatch(/^Be brief\. You have search_tools .*files__write_file.*\./);
	});

	test('has left a template unfinished: is told which one, is answered, and mends it', async ({
		workbench,
	}) => {
		const { chat, folder } = workbench;
		await chat.pickModel('Saw');
		provider.willSay({ content: 'All the same.' }, { content: 'Thanks.' });
		await chat.send('and who are you?');
		await chat.waitForIdle();
		const said = await chat.responseText();
		expect(said).toMatch(/prompt-templates\/unfinished\.j2: .*ends inside a tag or block.*All the same\./s);
		expect(provider.lastSystemPrompt).toMatch(/^You are a helpful assistant/);
		await workbench.screenshot('model-template');

		writeFileSync(path.join(folder, 'prompt-templates/unfinished.j2'), 'You are a saw.');
		await chat.send('who?');
		await chat.waitForIdle();
		expect(await chat.responseText()).toBe('Thanks.');
		expect(provider.lastSystemPrompt).toMatch(/^You are a saw\./);
	});

	test('changes the file, and the picker has the new model and no longer the old one', async ({
		workbench: { chat, folder },
	}) => {
		const ofWorkshop = async () => (await chat.modelsFor('workshop')).toSorted();
		expect(await ofWorkshop()).toEqual(['Hammer', 'Saw']);
		const { Hammer, Quill } = models;
		const text = configText({ clients, models: { Hammer, Chisel: Hammer, Quill } });
		writeFileSync(path.join(folder, 'casual_mcp_config.json'), text);
		await eventually(ofWorkshop).toEqual(['Chisel', 'Hammer']);
		await chat.pickModel('Chisel');
		provider.willSay({ content: 'A chisel.' });
		await chat.send('and now?');
		await chat.waitForIdle();
		expect(await chat.responseText()).toBe('A chisel.');
	});
});

describe('a person teaches search what their tools are for', () => {
	const taught = [
		['search_files', 'A person has forgotten where they put something.', 'where are the recipes of granny'],
		['move_file', 'A person wants something to be kept elsewhere.', 'put the holiday snaps into the attic'],
		['list_allowed_directories', 'A person wonders what may be seen.', 'which rooms may you enter'],
	];

	test('as a search that finds nothing offers it, and reads first what is sent, to whom, and what it costs', async ({
		workbench,
	}) => {
		const { chat, folder, page } = workbench;
		await chat.startNew();
		writeFileSync(
			path.join(folder, 'house.queries.json'),
			JSON.stringify([{ query: 'granny recipes', tools: ['files:search_files'] }]),
		);
		await chat.send('@discovery /find granny recipes');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain(
			'Search finds more after a language model describes your tools',
		);
		await workbench.screenshot('teach-offer');
		await chat.pressInAnswer('Teach Search…');
		await workbench.quickPickRow('Hammer').waitFor();
		expect(await workbench.quickPickRow('Offline Planner').count()).toBe(0);
		await workbench.screenshot('teach-models');
		await workbench.pick('Hammer');
		await page
			.locator('.monaco-dialog-box', { hasText: 'Teach search 14 tools of 1 server with “Hammer”?' })
			.waitFor();
		await workbench.screenshot('teach-consent');
	});

	test('agrees, and reads tool by tool what was learned, and that it helps', async ({ workbench }) => {
		const tools = taught.map(([name, when, query]) => ({ name, when, queries: [query] }));
		const empty = { content: '', toolCalls: [{ name: 'describe_tools', arguments: '{"tools": []}' }] };
		// Of the others it says nothing: it is asked about them in two smaller requests, and in four.
		provider.willSay(calling('', 'describe_tools', { tools }), ...Array.from({ length: 6 }, () => empty));
		const before = provider.requests.length;
		await workbench.answerDialog('Teach search', 'Teach');
		await workbench.page.locator('.tab', { hasText: 'What Search Learned' }).waitFor();
		await eventually(() => workbench.notifications().then((all) => all.join())).toMatch(
			/learned 3 tools\. Results improved\./,
		);
		const [lesson, ...rest] = provider.requests.slice(before);
		expect(JSON.stringify(lesson)).toContain('search_files');
		for (const request of rest) expect(JSON.stringify(request)).not.toContain('search_files');
	});

	test('finds it then by the words that people use, and takes it back', async ({ workbench }) => {
		const { chat } = workbench;
		await workbench.runCommand('Notifications: Clear All Notifications');
		await chat.send('/find granny recipes');
		await chat.waitForIdle();
		expect(await chat.responseText()).toMatch(/search_files[\s\S]*known as/);
		await workbench.screenshot('teach-report');
		await workbench.runCommand('Discovery: Undo Last Change');
		await chat.send('/find granny recipes');
		await chat.waitForIdle();
		expect(await chat.responseText()).not.toContain('known as');
	});
});

/** A secret, and what would fetch something if it were drawn. */
const secret = 'The alarm goes off with ![4711](https://evil.example/x.png), says Ada.';

describe('what one server has told, on its way to another', () => {
	test('is shown as text before it goes', async ({ workbench }) => {
		const { chat, page, folder } = workbench;
		const everything = {
			command: process.execPath,
			args: [publishedServer('everything')],
			defer_loading: false,
		};
		const files = {
			command: process.execPath,
			args: [publishedServer('filesystem'), '.'],
			defer_loading: false,
		};
		const text = configText({ clients, models, servers: { files, everything } });
		writeFileSync(path.join(folder, 'house.txt'), `Bins: Monday\n${secret}\n`);
		writeFileSync(path.join(folder, 'casual_mcp_config.json'), text);
		await workbench.approveServers();
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('everything', 'tools');
		await workbench.runCommand('Chat: New Chat');
		const asked: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		await chat.pickModel('Hammer');
		provider.willSay(
			calling('I read.', 'files__read_text_file', { path: 'house.txt' }),
			calling('I pass it on.', 'everything__echo', { message: `Listen: ${secret}` }),
			{ content: 'Done.' },
		);
		await chat.send('@discovery read house.txt and echo it');
		const question = await chat.confirmation();
		expect(question.text).toContain('Run echo (everything)?');
		expect(question.text).toContain(`Contains text that came from files: “${secret}”`);
		// Allowing it is no rule for the next one.
		expect(question.buttons).toEqual(['Allow Once', 'Skip']);
		await workbench.screenshot('result-flow');
		await chat.allow();
		await chat.waitForIdle();
		expect(asked.filter((url) => url.includes('evil.example'))).toEqual([]);
	});
});

describe('a person is asked before a call in which something hides', () => {
	test('and sees it, all of a long path and both ends of a long text', async ({ workbench }) => {
		const { chat, page } = workbench;
		await workbench.runCommand('Chat: New Chat');
		const secret = [...'sk-live-4242'].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0)));
		const written = {
			path: 'files/deeply/nested/folder/with/a/very/long/name/thanks.txt',
			content: `Thank you,  all is well.${secret.join('')}\n\tsecond line\n${'and so on '.repeat(400)}\nlast line`,
		};
		provider.willSay(calling('I write.', 'files__write_file', written), { content: 'Done.' });
		await chat.send('@discovery write a note of thanks');
		const question = await chat.confirmation();
		await workbench.screenshot('question-hidden');
		expect(question.text).toContain('content contains 12 hidden or look-alike characters');
		expect(question.text).toContain('Thank you, \\u{20}all is well.\\u{E0073}\\u{E006B}');
		const message = page.locator('.chat-tool-confirmation-carousel .chat-confirmation-widget-message').last();
		const isCut = () => message.evaluate((element) => element.scrollWidth > element.clientWidth);
		expect(await isCut()).toBe(false);
		await page.mouse.move(0, 0);
		await message.hover();
		await page.mouse.wheel(0, 400);
		await workbench.screenshot('question-long');
		await chat.choose('Show All Arguments');
		await page.locator('.tab.active', { hasText: 'write_file' }).waitFor();
		const opened = page.frameLocator('iframe.webview.ready').frameLocator('iframe').locator('body');
		await opened.getByText('last line').waitFor();
		await chat.confirmation();
		await workbench.screenshot('question-whole');
		await chat.skip();
		await chat.waitForIdle();
		await workbench.runCommand('View: Close All Editors');
	});
});

/** Wishes to write so many files, all in one answer. */
function writing(...names: readonly string[]): FixtureResponse {
	const toolCalls = names.map((name) => ({
		name: 'files__write_file',
		arguments: JSON.stringify({ path: name, content: `This is ${name}.` }),
	}));
	return { content: 'I write.', toolCalls };
}

describe('a person has many files written', () => {
	test('by one click, as it is allowed in this chat', async ({ workbench }) => {
		const { chat, folder } = workbench;
		await workbench.runCommand('Chat: New Chat');
		provider.willSay(writing('1.txt', '2.txt'), writing('3.txt'), writing('4.txt'), writing('5.txt'), {
			content: 'All five are written.',
		});
		await chat.send('@discovery write five files');
		const question = await chat.confirmation();
		expect(question.buttons).toEqual(['Allow Once', 'Skip']);
		expect(question.text).toContain('files:write_file\n');
		expect(question.text).toContain('May delete or overwrite data.');
		// Nothing about the editor's internals.
		expect(question.text).not.toMatch(/restricted|chat\.tools|eligible/i);
		await workbench.screenshot('permission-question');
		expect(await chat.openAnswers()).toEqual([
			'Allow in This Chat',
			'Always Allow in This Workspace',
			'Never Allow in This Workspace',
		]);
		await workbench.screenshot('permission-menu');
		await workbench.page.keyboard.press('Escape');
		await chat.choose('Allow in This Chat');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain('All five are written.');
		const isThere = (n: number) => existsSync(path.join(folder, `${n}.txt`));
		expect([1, 2, 3, 4, 5].map(isThere)).toEqual([true, true, true, true, true]);
		await workbench.screenshot('permission-five');
	});

	test('and sees that in the tree, where it is taken back, so that the next one asks', async ({
		workbench,
	}) => {
		const { chat, folder } = workbench;
		const tree = workbench.tree('Servers');
		await tree.expand('files');
		await tree.waitForRow('write_file', 'allowed in this chat');
		await workbench.screenshot('permission-row');
		await tree.contextMenu('write_file', 'Manage Permissions…');
		await workbench.pick('files:write_file');
		await workbench.quickPickRow('Undo').waitFor();
		await workbench.page.keyboard.press('Escape');
		await eventually(
			async () => (await tree.rows()).find(({ label }) => label === 'write_file')?.description,
		).not.toContain('allowed');
		provider.willSay(writing('6.txt'), { content: 'Not written.' });
		await chat.send('one more');
		await chat.choose('Never Allow in This Workspace');
		await chat.waitForIdle();
		expect(existsSync(path.join(folder, '6.txt'))).toBe(false);
		expect(await chat.responseText()).toContain('files:write_file is blocked by your permission settings.');
		await workbench.screenshot('permission-never');
		await workbench.runCommand('Notifications: Clear All Notifications');
		await workbench.runCommand('Discovery: Manage Permissions…');
		await workbench.quickPickRow('files:write_file').waitFor();
		await workbench.screenshot('permission-manage');
		await workbench.pick('files:write_file');
		await workbench.quickPickRow('Undo').waitFor();
		await workbench.screenshot('permission-undo');
		await workbench.page.keyboard.press('Escape');
		provider.willSay(writing('7.txt'), { content: 'Skipped.' });
		await chat.send('and another');
		await chat.skip();
		await chat.waitForIdle();
		expect(existsSync(path.join(folder, '7.txt'))).toBe(false);
	});
});
