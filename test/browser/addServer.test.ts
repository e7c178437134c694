import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { EXAMPLE_WORKSPACE } from '../../scripts/projectPaths.ts';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

const modules = path.join(EXAMPLE_WORKSPACE, 'node_modules');
/** That which is installed: npx then asks nobody for it. */
const { version } = JSON.parse(
	readFileSync(path.join(modules, '@modelcontextprotocol/server-everything/package.json'), 'utf8'),
);
const secret = 'acme-9f8e7d6c5b4a3928';

/** A folder without a configuration, in which npx finds the packages of the example. */
const folder = mkdtempSync(path.join(tmpdir(), 'discovery-add-'));
symlinkSync(modules, path.join(folder, 'node_modules'));

/** Tells of a server that wants a key, in the words of the registries’ API. */
const registry = createServer((request, response) => {
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

const test = workbenchTest(() => Workbench.open({ workspace: folder }));
afterAll(() => {
	registry.close();
	rmSync(folder, { recursive: true, force: true });
});

describe('a person adds a server from its readme', () => {
	const input = (workbench: Workbench) => workbench.page.locator('.quick-input-widget');
	const configuration = ({ folder: opened }: Workbench) => path.join(opened, 'casual_mcp_config.json');

	/** The servers that the file names, if it is there. */
	function servers(workbench: Workbench): string[] {
		const file = configuration(workbench);
		return existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8')).servers) : [];
	}

	/** Approves the server that the review shows, which is selected. The page ignores clicks in its first moment. */
	async function approve({ review }: Workbench): Promise<void> {
		const button = review.getByRole('button', { name: 'Approve', exact: true });
		await button.waitFor();
		await eventually(async () => {
			await button.click({ timeout: 1_000 }).catch(() => {});
			return button.isVisible();
		}).toBe(false);
	}

	async function paste({ page }: Workbench, text: string): Promise<void> {
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
		await page.keyboard.press('ControlOrMeta+V');
	}

	test('pastes all of it, takes the way by npx, answers, and reads what will run', async ({ workbench }) => {
		const { page } = workbench;
		await workbench.openSidebar('Discovery');
		await page.getByRole('button', { name: 'Add Server…' }).first().click();
		await workbench.quickPickRow('npm Package…').waitFor();
		await workbench.screenshot('add-ways');
		await paste(
			workbench,
			readFileSync(path.join(modules, '@modelcontextprotocol/server-filesystem/README.md'), 'utf8'),
		);
		const way = input(workbench).locator('.monaco-list-row', {
			hasText: 'npx -y @modelcontextprotocol/server-filesystem /Users/username',
		});
		await way.waitFor();
		await workbench.screenshot('add-pasted');
		await way.click();
		await input(workbench).getByText('FOLDER', { exact: false }).first().waitFor();
		await workbench.screenshot('add-input');
		await page.keyboard.press('Enter');
		await input(workbench)
			.getByText('Select optional values')
			.or(input(workbench).getByPlaceholder('Select optional values', { exact: false }))
			.first()
			.waitFor();
		await workbench.screenshot('add-optional');
		await page.keyboard.press('Enter');
		const row = workbench.reviewed('filesystem');
		await row.waitFor();
		expect(await row.innerText()).toContain(
			`npx -y @modelcontextprotocol/server-filesystem ${workbench.folder}`,
		);
		await workbench.screenshot('add-review');
	});

	test('approves it; then it runs, and its tools are deferred', async ({ workbench }) => {
		await approve(workbench);
		await workbench.tree('Servers').waitForRow('filesystem', '14 tools');
		await eventually(async () => (await workbench.notifications()).join()).toContain(
			'added filesystem: 14 tools',
		);
		await workbench.screenshot('add-done');
		expect(JSON.parse(readFileSync(configuration(workbench), 'utf8'))).toEqual({
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

	test('searches a registry once they have said which, and gives the key that the server wants', async ({
		workbench,
	}) => {
		const { page } = workbench;
		await workbench.runCommand('Discovery: Add Server…');
		await workbench.quickPickRow('npm Package…').waitFor();
		await page.keyboard.type('every');
		await workbench.quickPickRow('Search the registry for “every”').first().waitFor();
		await workbench.screenshot('add-word');
		await workbench.pick('Search the registry for “every”');
		await input(workbench).getByText('What you type in a search is sent to this address').waitFor();
		await workbench.screenshot('add-registry-asked');
		await workbench.answerInput(address);
		const row = input(workbench).locator('.monaco-list-row', { hasText: 'io.github.example/everything' });
		await row.getByText('Found by “every”').waitFor();
		await workbench.screenshot('add-registry');
		expect(await row.innerText()).toContain('[run it]');
		await row.click();
		await input(workbench).getByText('Stored in VS Code’s secret storage.').waitFor();
		await page.keyboard.type(secret);
		await workbench.screenshot('add-secret');
		await page.keyboard.press('Enter');
		await workbench.reviewed('everything').waitFor();
		await workbench.screenshot('add-review-key');
		await approve(workbench);
		await workbench.tree('Servers').waitForRow('everything', 'tools');
		expect(workbench.filesWith(secret)).toEqual([]);
	});

	test('thinks better of it: one click undoes entry, key and approval', async ({ workbench }) => {
		await workbench.answerNotification('added everything:', 'Undo');
		await eventually(async () => servers(workbench)).toEqual(['filesystem']);
		await workbench.runCommand('Discovery: Set API Key or Secret…');
		await workbench.quickPickRow('Add Secret…').waitFor();
		expect(await workbench.quickPickRow('ACME_KEY').count()).toBe(0);
		await workbench.page.keyboard.press('Escape');
	});

	test('adds one whose program is missing: the summary says so', async ({ workbench }) => {
		const { page } = workbench;
		await workbench.runCommand('Discovery: Add Server…');
		await workbench.quickPickRow('npm Package…').waitFor();
		await paste(workbench, 'claude mcp add lost -- no-such-program-anywhere --stdio');
		await workbench.quickPickRow('lost').first().waitFor();
		await page.keyboard.press('Enter');
		await approve(workbench);
		await eventually(async () => (await workbench.notifications()).join()).toContain(
			'Not running: lost (Failed: command not found)',
		);
		await workbench.screenshot('add-failed');
		await workbench.answerNotification('added lost.', 'Undo');
		await eventually(async () => servers(workbench)).toEqual(['filesystem']);
	});
});
