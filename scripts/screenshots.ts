// Takes the README's pictures: `node scripts/screenshots.ts`, after `npm run package`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Workbench } from '../test/browser/workbench.ts';
import { PROJECT_ROOT } from './projectPaths.ts';

const FOLDER = path.join(PROJECT_ROOT, 'media/screenshots');
const SIZE = { width: 1400, height: 800 };
/** Window size for pictures of an editor or a list only. */
const SMALL = { width: 1100, height: 560 };
/** Target positions of the borders of the sidebar and the chat panel, from the left, in pixels. */
const SIDEBAR_TO = 470;
const CHAT_FROM = 870;
const BORDER_GAP = 2;
/** By then, the editor has finished fading and drawing. */
const SETTLE_MS = 1_500;

/** Configuration files of other programs, in a workspace and in a home folder. */
const FOREIGN = {
	'folder/.vscode/mcp.json': {
		servers: { browser: { type: 'stdio', command: 'npx', args: ['@playwright/mcp@latest'] } },
	},
	'home/.config/Claude/claude_desktop_config.json': {
		mcpServers: {
			files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me/notes'] },
			memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
		},
	},
	'home/.cursor/mcp.json': {
		mcpServers: {
			issues: {
				command: 'docker',
				args: ['run', '-i', 'issues/mcp'],
				env: { ISSUES_TOKEN: 'is-0a1b2c3d4e5f6a7b' },
			},
			search: { url: 'https://search.example.com/mcp' },
		},
	},
};

async function picture({ page }: Workbench, name: string): Promise<void> {
	await page.waitForTimeout(SETTLE_MS);
	await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

async function dragBorder(
	workbench: Workbench,
	panel: string,
	edge: 'left' | 'right',
	to: number,
): Promise<void> {
	const box = await workbench.page.locator(panel).boundingBox();
	if (!box) throw new Error(`${panel} is not showing`);
	// The draggable border is between the parts.
	const from = edge === 'left' ? box.x - BORDER_GAP : box.x + box.width + BORDER_GAP;
	const middle = box.y + box.height / 2;
	await workbench.page.mouse.move(from, middle);
	await workbench.page.mouse.down();
	await workbench.page.mouse.move(to, middle, { steps: 10 });
	await workbench.page.mouse.up();
}

/** The approval page, before any server starts. */
async function takeApproval(workbench: Workbench): Promise<void> {
	await workbench.page.setViewportSize(SMALL);
	await workbench.page.getByRole('button', { name: 'Review…' }).first().click();
	await workbench.review.getByRole('table').waitFor();
	await picture(workbench, 'approval');
	await workbench.approveReviewed();
}

async function takeChat(workbench: Workbench): Promise<void> {
	await workbench.page.setViewportSize(SIZE);
	await workbench.openSidebar('Discovery');
	await workbench.tree('Servers').waitForRow('git', '28 tools');
	await workbench.chat.open();
	await dragBorder(workbench, '#workbench\\.parts\\.sidebar', 'right', SIDEBAR_TO);
	await dragBorder(workbench, '#workbench\\.parts\\.auxiliarybar', 'left', CHAT_FROM);
	await workbench.chat.send('create a file called hello.txt with the text Hello');
	await workbench.chat.confirmation();
	await picture(workbench, 'confirmation');
	await workbench.chat.allow();
	await workbench.chat.waitForIdle();
	await workbench.chat.expandSteps();
	await workbench.tree('Servers').expand('filesystem');
	await workbench.page.mouse.move(SIZE.width / 2, SIZE.height / 2);
	await picture(workbench, 'chat');
}

/** The page alone, at the height of its content. */
async function takeContext(workbench: Workbench): Promise<void> {
	await workbench.chat.send('what changed in git lately, show the log');
	await workbench.chat.waitForIdle();
	await workbench.page.keyboard.press('Control+Alt+B');
	await workbench.page.keyboard.press('Control+B');
	await workbench.page.setViewportSize({ width: 1_200, height: 1_400 });
	await workbench.run('showContext');
	await workbench.page.mouse.move(SIZE.width, 0);
	await picture(workbench, 'context');
}

/** The second run of a tool, over the result of the first. */
async function takeRun(workbench: Workbench): Promise<void> {
	const { page } = workbench;
	await page.setViewportSize(SMALL);
	await workbench.runCommand('View: Close All Editors');
	await page.keyboard.press('Control+B');
	await workbench.run('runTool');
	await workbench.quickPickRow('sequentialthinking').waitFor();
	await page.keyboard.type('everything:get-sum');
	await page.locator('.monaco-list-row.focused').getByText('get-sum', { exact: true }).waitFor();
	await page.keyboard.press('Enter');
	const widget = page.locator('.quick-input-widget');
	const input = widget.locator('input.input').first();
	for (const [question, answer] of [
		['(1/2)', '40'],
		['(2/2)', '2'],
	] as const) {
		await widget.locator('.quick-input-title', { hasText: question }).waitFor();
		await input.fill(answer);
		await input.press('Enter');
	}
	await page.getByRole('button', { name: 'Run Tool Again…' }).first().click();
	await input.fill('forty-one');
	await picture(workbench, 'run');
	await input.press('Escape');
	await page.keyboard.press('Control+B');
}

/** The file with a typo and its quick fix. */
async function takeConfiguration(workbench: Workbench): Promise<void> {
	const file = path.join(workbench.folder, 'casual_mcp_config.json');
	const { page } = workbench;
	await workbench.runCommand('View: Close All Editors');
	const text = readFileSync(file, 'utf8');
	writeFileSync(file, text.replace('"defer_loading": true', '"defer_laoding": true'));
	await workbench.openConfiguration();
	await page.locator('.codelens-decoration').first().waitFor();
	await page.locator('.monaco-editor .squiggly-warning').first().waitFor();
	await page.keyboard.press('F8');
	await page.keyboard.press('Escape');
	await page.locator('[class*="codicon-gutter-lightbulb"], .lightBulbWidget').first().waitFor();
	await page.locator('[class*="codicon-gutter-lightbulb"], .lightBulbWidget').first().click();
	await page.locator('.action-widget').getByText('Rename to', { exact: false }).waitFor();
	await picture(workbench, 'configuration');
	await page.keyboard.press('Escape');
}

async function takeImport(): Promise<void> {
	const root = mkdtempSync(path.join(tmpdir(), 'discovery-pictures-'));
	for (const [name, content] of Object.entries(FOREIGN)) {
		const file = path.join(root, name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, JSON.stringify(content, undefined, 2));
	}
	try {
		await using workbench = await Workbench.open({
			workspace: path.join(root, 'folder'),
			home: path.join(root, 'home'),
		});
		await workbench.page.setViewportSize(SMALL);
		await workbench.openSidebar('Discovery');
		await workbench.page.keyboard.press('Control+Alt+B');
		await workbench.page.getByRole('button', { name: 'Import Servers…' }).first().click();
		await workbench.quickPickRow('search').waitFor();
		await picture(workbench, 'import');
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

{
	await using workbench = await Workbench.open({ approveServers: false });
	await takeApproval(workbench);
	await takeChat(workbench);
	await takeContext(workbench);
	await takeRun(workbench);
	await takeConfiguration(workbench);
}
await takeImport();
