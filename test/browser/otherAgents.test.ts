import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect } from 'vitest';
import { ContextPage } from './contextPage.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

const test = workbenchTest(() => Workbench.open());
const agent = new Client({ name: 'gemini-cli', title: 'Gemini CLI', version: '1' });
afterAll(() => agent.close());

const write = {
	name: 'call_tool',
	arguments: { tool: 'filesystem:write_file', arguments: { path: 'agent.txt', content: 'hello' } },
};
const textOf = (result: unknown) => JSON.stringify(result);

describe('a person lets another agent use the servers of the window', () => {
	test('connects it, and is asked in its name before it changes something', async ({ workbench }) => {
		mkdirSync(path.join(workbench.home, '.gemini'));
		await workbench.run('connectAgents');
		await workbench.tick('Gemini CLI');
		await workbench.acceptTicked();
		const file = path.join(workbench.home, '.gemini/settings.json');
		const entry = async () => JSON.parse(readFileSync(file, 'utf8')).mcpServers.discovery;
		await expect.poll(() => entry().catch(() => undefined)).toBeDefined();
		await agent.connect(new StdioClientTransport({ ...(await entry()), cwd: workbench.folder }));
		const found = await agent.callTool({ name: 'search_tools', arguments: { query: 'write a file' } });
		expect(textOf(found)).toContain('filesystem:write_file');
		const written = agent.callTool(write);
		const dialog = workbench.page.getByRole('dialog', { name: /Run “write_file” from filesystem/ });
		await expect.poll(() => dialog.innerText()).toContain('Requested by agent Gemini CLI');
		expect((await dialog.getByRole('button').allInnerTexts()).filter(Boolean)).toEqual(
			expect.arrayContaining([
				'Allow Once',
				'Always Allow in This Workspace',
				'Never Allow in This Workspace',
			]),
		);
		await dialog.getByRole('button', { name: 'Allow Once' }).click();
		expect((await written).isError).toBe(false);
		expect(readFileSync(path.join(workbench.folder, 'agent.txt'), 'utf8')).toBe('hello');
	});

	test('sees on the page what it used, refuses it with a click, and takes that back', async ({
		workbench,
	}) => {
		await workbench.run('showContext');
		const page = new ContextPage(workbench);
		const agents = page.section('Other agents');
		await expect.poll(() => agents.innerText()).toMatch(/Gemini CLI.*filesystem:write_file \(1 call\)/s);
		await agents.scrollIntoViewIfNeeded();
		await page.button('Disconnect Gemini CLI').click();
		await page.button('Connect Gemini CLI').waitFor();
		expect(textOf(await agent.callTool(write))).toContain('disconnected Gemini CLI');
		await workbench.run('undo');
		await page.button('Disconnect Gemini CLI').waitFor();
		expect((await agent.callTool({ name: 'list_tools', arguments: {} })).isError).toBe(false);
	});
});
