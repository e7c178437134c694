import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Workbench } from '../workbench.ts';
import { MODULES, SECRET, test } from './folderTest.ts';

describe('a person adds a server from its readme', () => {
	const input = (workbench: Workbench) => workbench.page.locator('.quick-input-widget');

	/** The servers that the file names, if it exists. */
	function servers({ configFile }: Workbench): string[] {
		return existsSync(configFile) ? Object.keys(JSON.parse(readFileSync(configFile, 'utf8')).servers) : [];
	}

	/** Opens the list of ways to add a server, and pastes a text there. */
	async function paste(workbench: Workbench, text: string): Promise<void> {
		const { page } = workbench;
		await workbench.run('addServer');
		await input(workbench).getByRole('button', { name: 'OK', exact: true }).waitFor();
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
		await page.keyboard.press('ControlOrMeta+V');
	}

	test('finds no servers of other programs, and reads what was looked for', async ({ workbench }) => {
		await workbench.run('addServer');
		await input(workbench).getByText('Looked for those of VS Code, Claude Code', { exact: false }).waitFor();
		await workbench.page.keyboard.press('Escape');
		await input(workbench).waitFor({ state: 'hidden' });
	});

	test('pastes all of it, takes the way by npx, reads what will run, and has its tools deferred', async ({
		workbench,
	}) => {
		const readme = path.join(MODULES, '@modelcontextprotocol/server-filesystem/README.md');
		await paste(workbench, readFileSync(readme, 'utf8'));
		await workbench.tick('npx -y @modelcontextprotocol/server-filesystem /Users/username');
		await workbench.acceptTicked();
		await input(workbench).getByText('FOLDER', { exact: false }).first().waitFor();
		const box = input(workbench).locator('input').first();
		await expect.poll(() => box.inputValue()).toBe(`\${workspaceFolder}`);
		await box.press('Enter');
		await input(workbench)
			.getByText('Select optional values')
			.or(input(workbench).getByPlaceholder('Select optional values', { exact: false }))
			.first()
			.waitFor();
		await box.press('Enter');
		const row = workbench.reviewed('filesystem');
		await row.waitFor();
		expect(await row.innerText()).toContain(
			`npx -y @modelcontextprotocol/server-filesystem ${workbench.folder}`,
		);
		await workbench.approveSelected();
		await workbench.tree('Servers').waitForRow('filesystem', '14 tools');
		await expect
			.poll(async () => (await workbench.notifications()).join())
			.toContain('added filesystem: 14 tools');
		expect(JSON.parse(readFileSync(workbench.configFile, 'utf8'))).toEqual({
			servers: {
				filesystem: {
					command: 'npx',
					args: ['-y', '@modelcontextprotocol/server-filesystem', `\${workspaceFolder}`],
					defer_loading: true,
				},
			},
			tool_discovery: { enabled: 'auto' },
		});
		await workbench.runCommand('Notifications: Clear All Notifications');
	});

	test('types a command with a placeholder, gives its key, and undoes everything', async ({ workbench }) => {
		const { page } = workbench;
		const command = 'ACME_KEY=<your-key> npx -y @modelcontextprotocol/server-everything';
		await paste(workbench, command);
		await workbench.tick('server-everything');
		await workbench.acceptTicked();
		await input(workbench).getByText('Stored in VS Code’s secret storage.').waitFor();
		await workbench.answerInput(SECRET);
		await workbench.reviewed('everything').waitFor();
		await workbench.approveSelected();
		await workbench.tree('Servers').waitForRow('everything', 'tools');
		expect(workbench.filesWith(SECRET)).toEqual([]);
		// One click undoes entry, key and approval.
		await workbench.answerNotification('added everything:', 'Undo');
		await expect.poll(async () => servers(workbench)).toEqual(['filesystem']);
		await workbench.run('manageSecrets');
		await workbench.quickPickRow('Add Secret…').waitFor();
		expect(await workbench.quickPickRow('ACME_KEY').count()).toBe(0);
		await page.keyboard.press('Escape');
	});
});
