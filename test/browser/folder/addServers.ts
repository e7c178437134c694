import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import type { Workbench } from '../workbench.ts';
import { MODULES, SECRET, test } from './folderTest.ts';

/** The version that is installed, so that npx downloads nothing. */
const { version } = JSON.parse(
	readFileSync(path.join(MODULES, '@modelcontextprotocol/server-everything/package.json'), 'utf8'),
);

/** A registry that knows one server, which needs a key. It cannot answer at first. */
let isRegistryDown = true;
const registry = createServer((request, response) => {
	if (isRegistryDown) {
		response.writeHead(503).end();
		return;
	}
	const search = new URL(request.url ?? '', 'http://localhost').searchParams.get('search') ?? '';
	const server = {
		name: 'io.github.example/everything',
		description: `Found by “${search}” [run it](command:workbench.action.quit) $(trash)`,
		version: '1.0.0',
		packages: [
			{
				registryType: 'npm',
				identifier: '@modelcontextprotocol/server-everything',
				version,
				environmentVariables: [
					{ name: 'ACME_KEY', description: 'Key of Acme', isRequired: true, isSecret: true },
				],
			},
		],
	};
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ servers: [{ server }], metadata: { count: 1 } }));
});
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

afterAll(() => registry.close());

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
		await workbench.quickPickRow('npm Package…').waitFor();
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
		await page.keyboard.press('ControlOrMeta+V');
	}

	test('pastes all of it, takes the way by npx, reads what will run, and has its tools deferred', async ({
		workbench,
	}) => {
		const readme = path.join(MODULES, '@modelcontextprotocol/server-filesystem/README.md');
		await paste(workbench, readFileSync(readme, 'utf8'));
		await input(workbench)
			.locator('.monaco-list-row', {
				hasText: 'npx -y @modelcontextprotocol/server-filesystem /Users/username',
			})
			.click();
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

	test('searches a registry once they have said which, and gives the key that the server needs', async ({
		workbench,
	}) => {
		const { page } = workbench;
		await workbench.run('addServer');
		await workbench.quickPickRow('npm Package…').waitFor();
		await page.keyboard.type('every');
		await workbench.quickPickRow('Search the registry for “every”').first().waitFor();
		await workbench.pick('Search the registry for “every”');
		await input(workbench).getByText('Only what you type in a search is sent to this URL').waitFor();
		await workbench.answerInput(address);
		await input(workbench).getByText('Try again later').waitFor();
		// The address may well be right.
		expect(await workbench.quickPickRow('Open Settings').count()).toBe(0);
		isRegistryDown = false;
		await workbench.pick('Try Again');
		const row = input(workbench).locator('.monaco-list-row', { hasText: 'io.github.example/everything' });
		await row.waitFor();
		// The registry's text is no link and no icon.
		expect(await row.innerText()).toContain('[run it]');
		await row.click();
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
