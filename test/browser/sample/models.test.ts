import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FixtureResponse } from '@copilotkit/aimock';
import { afterAll, describe, expect } from 'vitest';
import { offlinePlannerDescription } from '../../../src/models/planner/description.ts';
import { titleOf } from '../../localizedPackage.ts';
import type { ChatPanel } from '../chatPanel.ts';
import { ContextPage } from '../contextPage.ts';
import { calling, LoopbackProvider, tokens } from '../loopbackProvider.ts';
import { test } from '../workbenchTest.ts';

const storedKey = 'sk-vault-0123456789abcdef';
const provider = await LoopbackProvider.start();
const vault = await LoopbackProvider.start({ key: storedKey });
afterAll(async () => {
	await provider[Symbol.asyncDispose]();
	await vault[Symbol.asyncDispose]();
});

const clients = {
	workshop: { provider: 'openai', base_url: `${provider.url}/v1` },
	vault: { provider: 'anthropic', base_url: vault.url },
	attic: { provider: 'openai', base_url: `${provider.url}/v1` },
};
const models = {
	Hammer: { client: 'workshop', model: 'gpt-4.1', price: { input: 2, output: 8 } },
	Keeper: { client: 'vault', model: 'claude-sonnet-4-5' },
	Ghost: { client: 'attic', model: 'gpt-4.1' },
};

/** Wishes to write files, all in one answer. */
function writing(...names: readonly string[]): FixtureResponse {
	const toolCalls = names.map((name) => ({
		name: 'filesystem__write_file',
		arguments: JSON.stringify({ path: name, content: `This is ${name}.` }),
	}));
	return { content: 'I write.', toolCalls };
}

describe('a person talks to a model of the configuration', () => {
	test('picks it, and it finds a tool, asks before it writes a file, and says what it did', async ({
		workbench,
	}) => {
		const { chat, folder } = workbench;
		workbench.addToConfiguration({ clients, models });
		await chat.pickModel('Hammer');
		provider.willSay(
			calling('I look for a tool.', 'search_tools', { query: 'write a file' }, tokens(1000, 10)),
			calling(
				'Now I write it.',
				'filesystem__write_file',
				{ path: 'hello.txt', content: 'Hello' },
				tokens(1500, 20),
			),
			{ content: 'It is **written**.', ...tokens(1600, 5) },
		);
		await chat.send('@discovery write Hello into hello.txt');
		const question = await chat.confirmation();
		expect(question.text).toContain('Run “write file” from filesystem?');
		expect(existsSync(path.join(folder, 'hello.txt'))).toBe(false);
		await chat.allow();
		await chat.waitForIdle();
		expect(readFileSync(path.join(folder, 'hello.txt'), 'utf8')).toBe('Hello');
		expect(await chat.responseText()).toContain('It is written.');
	});

	test('sees in /context and on the page what the provider counted and what that cost', async ({
		workbench,
	}) => {
		await workbench.chat.send('/context');
		await workbench.chat.waitForIdle();
		const said = await workbench.chat.responseText();
		expect(said).toMatch(/measured by the provider\s+tokens\s+input of 3 answers\s+4,100\s+output\s+35/);
		expect(said).toContain('$0.0085');
		await workbench.run('showContext');
		const page = new ContextPage(workbench);
		await expect.poll(() => page.body.innerText()).toMatch(/\$0\.0085/);
		await workbench.runCommand('View: Close All Editors');
	});

	test('reads an answer while it comes, and stops it', async ({ workbench: { chat } }) => {
		provider.willSaySlowly(`One, two, three, ${'and so on, '.repeat(50)}`);
		await chat.send('count');
		await chat.waitForText('One, two');
		expect(await chat.isBusy()).toBe(true);
		await chat.stop();
		await chat.waitForIdle();
		await expect.poll(async () => provider.abandoned).toBe(1);
	});

	test('selects a key in a file and asks on: neither the model nor anything that is kept gets the key', async ({
		workbench,
	}) => {
		const { chat, page } = workbench;
		// In two pieces, so that the search below does not find this file.
		const key = ['q7GbT2xVw9Lk', 'Zr4'].join('');
		const env = { NOTES_TOKEN: key };
		const notes = { disabled: true, command: 'notes', args: ['--token', 'plainword'], env };
		workbench.addToConfiguration({ mcpServers: { notes } });
		// A file with two warnings opens without a picker.
		await page.locator('[id="status.problems"]', { hasText: '2' }).waitFor();
		await workbench.run('openConfig');
		await page.locator('.tab.active', { hasText: 'casual_mcp_config.json' }).waitFor();
		// The cursor is at the warning, and nothing is selected that the chat would attach.
		await expect.poll(() => workbench.statusItem('Ln ')).toMatch(/^Ln \d+, Col \d+$/);
		await page.locator('.editor-group-container .view-lines').first().click();
		await page.keyboard.press('Control+A');
		// The editor attaches the selection a moment later.
		await page.locator('.chat-attached-context', { hasText: 'casual_mcp_config.json:' }).first().waitFor();
		provider.willSay({ content: 'A configuration.' });
		await chat.send('what is this?');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain(
			'Masked 2 values in casual_mcp_config.json that look like keys',
		);
		provider.willSay({ content: 'The same one.' });
		await chat.send('and this?');
		await chat.waitForIdle();
		const sent = JSON.stringify(provider.requests.at(-1)?.messages);
		expect(sent).toContain('NOTES_TOKEN');
		expect(sent).not.toContain(key);
		expect(sent).not.toContain('plainword');
		await workbench.runCommand('View: Close All Editors');
		expect(workbench.filesWith(key)).toEqual(['casual_mcp_config.json']);
	});

	test('has no key for another: is told so, sets it with a button, and is answered', async ({
		workbench,
	}) => {
		const { chat, page } = workbench;
		await chat.pickModel('Keeper');
		await chat.send('open up');
		await chat.waitForIdle();
		expect(await chat.responseText()).toMatch(new RegExp(`${vault.host}.*API key`));
		await chat.pressInAnswer('Set API Key…');
		const input = page.locator('.quick-input-widget', { hasText: 'Set API Key of “vault”' });
		await input.filter({ hasText: vault.host }).waitFor();
		await input.locator('input[type=password]').waitFor();
		vault.willSay({ content: 'It is open.' });
		await workbench.answerInput(storedKey);
		// The message that failed is sent again.
		await workbench.answerNotification('stored the key of “vault”', 'Try Again');
		await expect.poll(() => chat.responseText()).toBe('It is open.');
		await chat.waitForIdle();
		expect(vault.keys).toEqual([undefined, storedKey]);
		expect(workbench.filesWith(storedKey)).toEqual([]);
	});
});

test('a person whose model is not known there opens the configuration at its client', async ({
	workbench,
}) => {
	const { chat, page, configFile } = workbench;
	await chat.startNew();
	await chat.pickModel('Ghost');
	provider.willSay({ error: { message: 'no such model' }, status: 404 });
	await chat.send('anybody here?');
	await chat.waitForIdle();
	await chat.pressInAnswer(titleOf('openConfig'));
	const before = readFileSync(configFile, 'utf8').split('"attic": ')[0]?.split('\n') ?? [];
	await page.locator('.statusbar-item', { hasText: `Ln ${before.length},` }).waitFor();
	await workbench.runCommand('View: Close All Editors');
});

test('a person whose model cannot call tools opens the model picker from the answer', async ({
	workbench,
}) => {
	const { chat, page } = workbench;
	provider.willSay({ error: { message: 'No endpoints found that support tool use.' }, status: 404 });
	await chat.send('call something');
	await chat.waitForIdle();
	await chat.pressInAnswer('Pick Another Model');
	await page.locator('.action-widget .monaco-list-row.action', { hasText: 'Hammer' }).waitFor();
	await page.keyboard.press('Escape');
});

async function startChat(chat: ChatPanel): Promise<void> {
	await chat.startNew();
	await chat.pickModel('Hammer');
}

describe('a person lets a model call tools', () => {
	test('and reads as text what one server sent before it goes to another', async ({ workbench }) => {
		const { chat, page, folder } = workbench;
		await startChat(chat);
		const secret = 'The alarm goes off with ![4711](https://evil.example/x.png), says Ada.';
		writeFileSync(path.join(folder, 'house.txt'), `Bins: Monday\n${secret}\n`);
		const asked: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		provider.willSay(
			calling('I load.', 'search_tools', {
				tool_names: ['filesystem:read_text_file', 'everything:echo'],
			}),
			calling('I read.', 'filesystem__read_text_file', { path: 'house.txt' }),
			calling('I pass it on.', 'everything__echo', { message: `Listen: ${secret}` }),
			{ content: 'Done.' },
		);
		await chat.send('@discovery read house.txt and echo it');
		const question = await chat.confirmation();
		expect(question.text).toContain('Run “echo” from everything?');
		expect(question.text).toContain(`Contains text from filesystem: “${secret}”`);
		// Such a call can only be allowed once.
		expect(question.buttons).toEqual(['Allow Once', 'Skip']);
		await chat.allow();
		await chat.waitForIdle();
		expect(asked.filter((url) => url.includes('evil.example'))).toEqual([]);
	});

	test('and sees hidden characters, all of a long path and both ends of a long text', async ({
		workbench,
	}) => {
		const { chat, page } = workbench;
		await startChat(chat);
		const hidden = [...'sk-live-4242'].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0)));
		const written = {
			path: 'files/deeply/nested/folder/with/a/very/long/name/thanks.txt',
			content: `Thank you,  all is well.${hidden.join('')}\n\tsecond line\n${'and so on '.repeat(400)}\nlast line`,
		};
		provider.willSay(
			calling('I load.', 'search_tools', { tool_names: ['filesystem:write_file'] }),
			calling('I write.', 'filesystem__write_file', written),
			{ content: 'Done.' },
		);
		await chat.send('@discovery write a note of thanks');
		const question = await chat.confirmation();
		expect(question.text).toContain('content contains 12 hidden or look-alike characters');
		expect(question.text).toContain('Thank you, \\u{20}all is well.\\u{E0073}\\u{E006B}');
		const message = page.locator('.chat-tool-confirmation-carousel .chat-confirmation-widget-message').last();
		expect(await message.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
		await chat.choose('Show All Arguments');
		await page.locator('.tab.active', { hasText: 'write_file' }).waitFor();
		await workbench.webview.locator('body').getByText('last line').waitFor();
		await chat.confirmation();
		await chat.skip();
		await chat.waitForIdle();
		await workbench.runCommand('View: Close All Editors');
	});

	test('and has five files written by one click, as that is allowed in this chat', async ({ workbench }) => {
		const { chat, folder } = workbench;
		await startChat(chat);
		provider.willSay(
			calling('I load.', 'search_tools', { tool_names: ['filesystem:write_file'] }),
			...[writing('1.txt', '2.txt'), writing('3.txt'), writing('4.txt'), writing('5.txt')],
			{ content: 'All five are written.' },
		);
		await chat.send('@discovery write five files');
		const question = await chat.confirmation();
		expect(question.buttons).toEqual(['Allow Once', 'Skip']);
		expect(question.text).toContain('filesystem:write_file\n');
		expect(question.text).toContain('May delete or overwrite data.');
		// The question says nothing about the editor's internals.
		expect(question.text).not.toMatch(/restricted|chat\.tools|eligible/i);
		expect(await chat.openAnswers()).toEqual([
			'Allow in This Chat',
			'Always Allow in This Workspace',
			'Never Allow in This Workspace',
		]);
		await workbench.page.keyboard.press('Escape');
		await chat.choose('Allow in This Chat');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain('All five are written.');
		const isThere = (n: number) => existsSync(path.join(folder, `${n}.txt`));
		expect([1, 2, 3, 4, 5].map(isThere)).toEqual([true, true, true, true, true]);
		await workbench.openSidebar('Discovery');
		const tree = workbench.tree('Servers');
		await tree.expand('filesystem');
		await tree.waitForRow('write_file', 'allowed in this chat');
	});

	test('and an agent: reads who asks, what the agent answers, and opens its calls', async ({ workbench }) => {
		const { chat, folder } = workbench;
		await startChat(chat);
		mkdirSync(path.join(folder, '.github/agents'), { recursive: true });
		writeFileSync(
			path.join(folder, '.github/agents/scribe.agent.md'),
			'---\ndescription: Writes files\n---\nYou are the scribe.\n',
		);
		provider.willSay(
			calling('', 'run_agent', { agent: 'scribe', task: 'Write Hello into hello.txt' }, tokens(1000, 10)),
			calling('', 'search_tools', { tool_names: ['filesystem:write_file'] }, tokens(1000, 10)),
			calling('', 'filesystem__write_file', { path: 'agent.txt', content: 'Hello' }, tokens(1000, 10)),
			{ content: '## Report\n\n- **agent.txt** is written\n\n[run](command:workbench.action.quit)' },
			{ content: 'The scribe has done it.' },
		);
		await chat.send('@discovery have the scribe write it');
		const question = await chat.confirmation();
		expect(question.text).toContain('Requested by agent scribe.');
		await chat.allow();
		await chat.waitForIdle();
		const said = await chat.responseText();
		expect(said).toContain('agent.txt is written');
		expect(said).not.toContain('**agent.txt**');
		expect(said).toContain('scribe: filesystem:write_file');
	});

	test('and is offered to teach search with it, reading first what is sent, to whom, and the cost', async ({
		workbench,
	}) => {
		const { chat } = workbench;
		await startChat(chat);
		await chat.send('@discovery /find granny recipes');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain(
			'Search finds more after a language model describes your tools',
		);
		await chat.pressInAnswer(titleOf('teachSearch'));
		await workbench.quickPickRow('Hammer').waitFor();
		expect(await workbench.quickPickRow('Offline Planner').count()).toBe(0);
		await workbench.pick('Hammer');
		await workbench.answerDialog('with “Hammer”?', 'Cancel');
		// The next file's chats keep the model, and Hammer will be gone.
		await chat.pickModel(offlinePlannerDescription.name);
	});
});
