import { afterAll, describe, expect } from 'vitest';
import { calling, LoopbackProvider, tokens } from './loopbackProvider.ts';
import { configText, openFiles } from './openFiles.ts';
import { workbenchTest } from './workbenchTest.ts';

const provider = await LoopbackProvider.start();
afterAll(() => provider[Symbol.asyncDispose]());

const test = workbenchTest(async () => {
	const workbench = await openFiles({
		'casual_mcp_config.json': configText({
			clients: { workshop: { provider: 'openai', base_url: `${provider.url}/v1` } },
			models: { Hammer: { client: 'workshop', model: 'gpt-4.1' } },
		}),
		'.github/agents/scribe.agent.md': '---\ndescription: Writes files\n---\nYou are the scribe.\n',
	});
	await workbench.page.locator('.statusbar-item', { hasText: '% tokens' }).waitFor({ timeout: 60_000 });
	return workbench;
});

describe('a person whose model sends an agent', () => {
	test('reads who asks, what the agent answers, and opens its calls', async ({ workbench }) => {
		const { chat } = workbench;
		await chat.pickModel('Hammer');
		provider.willSay(
			calling('', 'run_agent', { agent: 'scribe', task: 'Write Hello into hello.txt' }, tokens(1000, 10)),
			calling('', 'search_tools', { tool_names: ['files:write_file'] }, tokens(1000, 10)),
			calling('', 'files__write_file', { path: 'hello.txt', content: 'Hello' }, tokens(1000, 10)),
			{
				content: '## Report\n\n- **hello.txt** is written\n\n[run](command:workbench.action.quit)',
				...tokens(1000, 10),
			},
			{ content: 'The scribe has done it.', ...tokens(1000, 10) },
		);
		await chat.send('@discovery have the scribe write it');
		const question = await chat.confirmation();
		expect(question.text).toContain('Requested by agent scribe.');
		await workbench.screenshot('agent-asks');
		await chat.allow();
		await chat.waitForIdle();
		const said = await chat.responseText();
		expect(said).toContain('hello.txt is written');
		expect(said).not.toContain('**hello.txt**');
		expect(said).toContain('scribe: files:write_file');
		await workbench.screenshot('agent-answered');
	});
});
