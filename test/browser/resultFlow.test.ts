import { afterAll, describe, expect } from 'vitest';
import { publishedServer } from '../servers/launches.ts';
import { calling, LoopbackProvider } from './loopbackProvider.ts';
import { configText, openFiles } from './openFiles.ts';
import { workbenchTest } from './workbenchTest.ts';

/** A secret, and what would fetch something if it were drawn. */
const secret = 'The alarm goes off with ![4711](https://evil.example/x.png), says Ada.';

const provider = await LoopbackProvider.start();
afterAll(() => provider[Symbol.asyncDispose]());

const server = (name: 'everything' | 'filesystem', ...args: readonly string[]) => ({
	command: process.execPath,
	args: [publishedServer(name), ...args],
});

const test = workbenchTest(() =>
	openFiles({
		'casual_mcp_config.json': configText({
			servers: { files: server('filesystem', '.'), everything: server('everything') },
			clients: { workshop: { provider: 'openai', base_url: `${provider.url}/v1` } },
			models: { Hammer: { client: 'workshop', model: 'gpt-4.1' } },
			tool_discovery: { enabled: false },
		}),
		'house.txt': `Bins: Monday\n${secret}\n`,
	}),
);

describe('what one server has told, on its way to another', () => {
	test('is shown as text before it goes', async ({ workbench }) => {
		const { chat, page } = workbench;
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
		expect(question.text).toContain('Call echo of everything?');
		expect(question.text).toContain(`Contains text that came from files: “${secret}”`);
		// Allowing it is no rule for the next one.
		expect(question.buttons.join()).not.toContain('Session');
		await workbench.screenshot('result-flow');
		await chat.allow();
		await chat.waitForIdle();
		expect(asked.filter((url) => url.includes('evil.example'))).toEqual([]);
	});
});
