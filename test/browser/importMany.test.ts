import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';

const shared = 'acme-shared-0011223344';

/** As many servers as a file of VS Code's has, each with a key, a question, a file of variables, and what needs an explanation. */
function vscodeFile(count: number): string {
	const entries = Array.from({ length: count }, (_, index) => {
		const name = `service-${index + 1}`;
		const entry = {
			command: 'npx',
			args: [
				'-y',
				`@company/mcp-server-for-${name}@latest`,
				'--endpoint',
				`https://${name}.example.com/api/v2`,
			],
			env: { [`SERVICE_${index + 1}_PAT`]: `acme-1a2b3c4d5e6f70${index}`, REGION: `\${input:region}` },
			envFile: `\${workspaceFolder}/service.env`,
			sandbox: { enabled: true },
		};
		return [name, entry];
	});
	const region = {
		id: 'region',
		type: 'pickString',
		description: 'Region',
		options: ['us', 'eu'],
		default: 'eu',
	};
	return JSON.stringify({ inputs: [region], servers: Object.fromEntries(entries) }, undefined, 2);
}

describe('a person with one, eight and forty servers in another program', () => {
	let root: string;
	let workbench: Workbench;
	const quickInput = () => workbench.page.locator('.quick-input-widget');
	const dialog = () => workbench.page.locator('.monaco-dialog-box');

	beforeAll(async () => {
		root = mkdtempSync(path.join(tmpdir(), 'discovery-import-'));
		mkdirSync(path.join(root, 'folder/.vscode'), { recursive: true });
		writeFileSync(path.join(root, 'folder/service.env'), `SHARED_TOKEN=${shared}\nLOG=debug\n`);
		writeFileSync(path.join(root, 'folder/.vscode/mcp.json'), vscodeFile(1));
		workbench = await Workbench.open({ workspace: path.join(root, 'folder') });
		await workbench.openSidebar('Discovery');
	});
	afterAll(async () => {
		await workbench[Symbol.asyncDispose]();
		rmSync(root, { recursive: true, force: true });
	});

	async function isInReach(button: Locator): Promise<void> {
		const box = await button.boundingBox();
		const size = workbench.page.viewportSize();
		if (!box || !size) throw new Error('the button is shown');
		expect(box.y).toBeGreaterThanOrEqual(0);
		expect(box.y + box.height).toBeLessThanOrEqual(size.height);
		expect(box.x + box.width).toBeLessThanOrEqual(size.width);
	}

	async function startImport(count: number): Promise<void> {
		writeFileSync(path.join(workbench.folder, '.vscode/mcp.json'), vscodeFile(count));
		await workbench.runCommand('Discovery: Import Servers…');
		await workbench.quickPickRow('service-1').first().waitFor();
		await workbench.screenshot(`import-${count}-pick`);
		await isInReach(quickInput().getByRole('button', { name: 'OK', exact: true }));
	}

	async function acceptList(count: number): Promise<void> {
		await quickInput().getByRole('button', { name: 'OK', exact: true }).click();
		await dialog().waitFor();
		await workbench.screenshot(`import-${count}-secrets`);
		await isInReach(dialog().getByRole('button', { name: 'Secret Storage' }));
		expect(await dialog().innerText()).toContain('SHARED_TOKEN');
	}

	test('reads all that there is to know of one, and gives the values that were asked for, the default first', async () => {
		await startImport(1);
		const row = workbench.quickPickRow('service-1').first();
		expect(await row.innerText()).toContain('Secret: SHARED_TOKEN, SERVICE_1_PAT.');
		await row.hover();
		await row.getByRole('button', { name: 'Show Details' }).click();
		await dialog().waitFor();
		await workbench.screenshot('import-1-details');
		const details = await dialog().innerText();
		expect(details).toContain('it gets LOG, SHARED_TOKEN.');
		expect(details).toContain('The default of "REGION" is "eu".');
		expect(details).not.toContain(shared);
		await isInReach(dialog().getByRole('button', { name: 'OK' }));
		await dialog().getByRole('button', { name: 'OK' }).click();
		await acceptList(1);
		await workbench.answerDialog('secrets are written out', 'Secret Storage');
		const entry = () =>
			JSON.parse(readFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), 'utf8'));
		await workbench.answerNotification('No value is set for REGION.', 'Enter Values…');
		await workbench.quickPickRow('eu').first().waitFor();
		await workbench.screenshot('import-1-value');
		expect(await quickInput().locator('.monaco-list-row').first().innerText()).toContain('eu');
		await workbench.pick('eu');
		await eventually(async () => (await workbench.notifications()).join()).not.toContain('No value is set');
		expect(entry().servers['service-1'].env).toEqual({
			LOG: 'debug',
			SHARED_TOKEN: `\${env:SHARED_TOKEN}`,
			SERVICE_1_PAT: `\${env:SERVICE_1_PAT}`,
			REGION: `\${env:REGION}`,
		});
		await workbench.answerNotification('imported 1 server', 'Undo');
		await eventually(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
	});

	test.each([8, 40])('has the buttons in reach with %i', async (count) => {
		await startImport(count);
		await acceptList(count);
		await workbench.answerDialog('secrets are written out', 'Leave Out');
		await eventually(async () => (await workbench.notifications()).join()).toContain(
			`imported ${count} servers`,
		);
		await workbench.screenshot(`import-${count}-done`);
		await workbench.answerNotification(`imported ${count} servers`, 'Undo');
		await eventually(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
	});
});
