import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { publishedServer } from '../servers/launches.ts';
import { ContextPage } from './contextPage.ts';
import { eventually } from './eventually.ts';
import { openFiles } from './openFiles.ts';
import { workbenchTest } from './workbenchTest.ts';

const configuration = 'casual_mcp_config.json';

/** One real server, all its tools deferred, or two of them and the others disabled. */
function configText(more: object = {}): string {
	const files = {
		command: process.execPath,
		args: [publishedServer('filesystem'), '.'],
		defer_loading: true,
		...more,
	};
	return JSON.stringify({ servers: { files }, tool_discovery: { enabled: 'auto' } }, null, '\t');
}

const few = configText({ enabled_tools: ['create_directory', 'list_allowed_directories'] });
const test = workbenchTest(() => openFiles({ [configuration]: few }));

describe('a person leaves it to the extension whether tools are deferred', () => {
	test('two small tools are loaded: the status bar and the context page say so, and why', async ({
		workbench,
	}) => {
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('files', '2 tools');
		await eventually(async () => (await workbench.statusBar()).join()).toContain('Discovery off (auto)');
		await workbench.runCommand('Discovery: Show Context');
		const page = new ContextPage(workbench.page);
		await eventually(() => page.state.innerText()).toMatch(/auto: off, all 2 tools fit in \d+ tokens/);
		await workbench.screenshot('auto-off');
		await workbench.chat.send('/context');
		await workbench.chat.waitForIdle();
		await workbench.chat.waitForText('auto: off, all 2 tools fit in');
	});

	test('fourteen are deferred, and what that saves is one figure', async ({ workbench }) => {
		writeFileSync(path.join(workbench.folder, configuration), configText());
		await workbench.tree('Servers').waitForRow('files', '14 tools');
		const page = new ContextPage(workbench.page);
		await eventually(() => page.state.innerText()).toMatch(/auto: on, because it saves \d+%/);
		const saved = /saves (\d+)%/.exec(await page.state.innerText())?.[1];
		await eventually(async () => (await workbench.statusBar()).join()).toContain(`−${saved}% tokens`);
		expect(await page.body.innerText()).toContain(`${100 - Number(saved)}% of that`);
		await workbench.screenshot('auto-on');
	});
});
