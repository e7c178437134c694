import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { run } from '../../scripts/childProcess.ts';
import { PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { Workbench } from '../../test/browser/workbench.ts';
import { type ActivationTimes, readActivationTimes } from './activationTimes.ts';
import { GIT, OURS, PAGE_FILE, PLAIN_VIEW, PROBE_FILE } from './names.ts';

/** The measurements of one window. */
export interface WindowTimes {
	readonly ours: ActivationTimes;
	readonly git: ActivationTimes;
	/** From the click on the Servers view until its rows, with numbers of tools, are in the page. */
	readonly firstRowsMs: number;
	/** The same for a view with a few constant rows: the editor's own share. */
	readonly plainRowsMs: number;
}

/** A busy machine needs about 30 s. The editor fills the page only after the window has settled. */
const PAGE_LIMIT_MS = 120_000;
const POLL_MS = 250;
/** The editor stores its open views every five seconds. */
const STATE_STORED_MS = 6_000;
/** Without it, the editor accepts no extension under development. */
const TEST_DRIVER = path.join(PROJECT_ROOT, 'scripts/enableTestDriver.browser.js');

/**
 * Opens new windows of a real VS Code one after another, on a copy of the example workspace that is a Git repository, with the
 * packaged extension, and reads the editor's measurements from each. An earlier window has approved the servers and listed their
 * tools, so the catalog is on disk. No window shows the view before it is timed.
 */
export async function timeWindows(count: number, vsix: string): Promise<WindowTimes[]> {
	const probe = mkdtempSync(path.join(tmpdir(), 'bench-probe-'));
	try {
		await makeProbe(probe);
		await using workbench = await Workbench.open({
			vsix,
			settings: { 'git.openRepositoryInParentFolders': 'never' },
		});
		await prepare(workbench);
		await workbench.page.addInitScript({ path: TEST_DRIVER });
		const times: WindowTimes[] = [];
		while (times.length < count) times.push(await timeOneWindow(workbench, probe, times.length % 2 === 0));
		return times;
	} finally {
		rmSync(probe, { recursive: true, force: true });
	}
}

async function makeProbe(folder: string): Promise<void> {
	await build({
		entryPoints: [path.join(import.meta.dirname, 'probe.ts')],
		outfile: path.join(folder, PROBE_FILE),
		bundle: true,
		platform: 'node',
		format: 'esm',
		external: ['vscode'],
	});
	const manifest = {
		name: 'probe',
		publisher: 'bench',
		version: '1.0.0',
		type: 'module',
		main: PROBE_FILE,
		engines: { vscode: '^1.120.0' },
		activationEvents: ['onStartupFinished'],
		contributes: {
			viewsContainers: { activitybar: [{ id: 'plain', title: PLAIN_VIEW, icon: '$(list-flat)' }] },
			views: { plain: [{ id: PLAIN_VIEW, name: PLAIN_VIEW }] },
		},
	};
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
}

/** Turns the folder into a repository, and waits until every server has listed its tools. */
async function prepare(workbench: Workbench): Promise<void> {
	const git = (...args: string[]) => run('git', ['-C', workbench.folder, ...args], { output: 'pipe' });
	await git('init', '--quiet');
	await git('add', '--all');
	const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost'];
	await git(...author, 'commit', '--quiet', '--message', 'Workspace');
	await workbench.openSidebar('Discovery');
	const tree = workbench.tree('Servers');
	for (const { label, level } of await tree.rows()) {
		if (level === 1) await tree.waitForRow(label, ' tool');
	}
}

/** The first view also pays for work that the editor does only once, so the views take turns. */
async function timeOneWindow(workbench: Workbench, probe: string, oursFirst: boolean): Promise<WindowTimes> {
	const pageFile = path.join(probe, PAGE_FILE);
	await openWithExplorer(workbench, probe, pageFile);
	const text = await fileText(pageFile);
	const [ours, git] = [OURS, GIT].map((id) => readActivationTimes(text, id));
	if (!ours || !git) throw new Error(`«Startup Performance» shows no times of ${OURS} and ${GIT}`);
	const early = oursFirst ? await rowsMs(workbench.page, 'Discovery', 'Servers') : undefined;
	const plainRowsMs = await rowsMs(workbench.page, PLAIN_VIEW, PLAIN_VIEW);
	const firstRowsMs = early ?? (await rowsMs(workbench.page, 'Discovery', 'Servers'));
	return { ours, git, firstRowsMs, plainRowsMs };
}

/** A window opens with the last open view, once the editor has stored which view that is. */
async function openWithExplorer(workbench: Workbench, probe: string, pageFile: string): Promise<void> {
	const { page } = workbench;
	const url = new URL(page.url());
	const payload = [['extensionDevelopmentPath', `vscode-remote://${url.host}${probe}`]];
	url.searchParams.set('payload', JSON.stringify(payload));
	const title = page.locator('.sidebar .composite.title');
	const isExplorerOpen = () => title.filter({ hasText: 'Explorer' }).isVisible();
	do {
		if (!(await isExplorerOpen())) await workbench.openSidebar('Explorer');
		await delay(STATE_STORED_MS);
		rmSync(pageFile, { force: true });
		await page.goto(url.href);
		await title.waitFor({ timeout: PAGE_LIMIT_MS });
	} while (!(await isExplorerOpen()));
}

async function fileText(file: string): Promise<string> {
	const until = Date.now() + PAGE_LIMIT_MS;
	while (!existsSync(file)) {
		if (Date.now() > until)
			throw new Error(`«Startup Performance» was not filled in ${PAGE_LIMIT_MS / 1000} s`);
		await delay(POLL_MS);
	}
	return readFileSync(file, 'utf8');
}

/**
 * From a click on a tab of the activity bar until the tree has a row with a number of tools. It is measured inside the page, from
 * the arrival of the click, so that the browser driver is not included.
 */
async function rowsMs(page: Page, tab: string, tree: string): Promise<number> {
	const measured = page.evaluate(async (rows) => {
		const isListed = (row: Element) => / tools?\b/.test(row.textContent ?? '');
		const clicked = await new Promise<number>((resolve) => {
			addEventListener('click', () => resolve(performance.now()), { capture: true, once: true });
		});
		while (![...document.querySelectorAll(rows)].some(isListed)) {
			if (performance.now() - clicked > 20_000) throw new Error(`No row of tools: ${rows}`);
			await new Promise(requestAnimationFrame);
		}
		return performance.now() - clicked;
	}, `.sidebar [role="tree"][aria-label="${tree}"] [role="treeitem"]`);
	await page.locator(`.activitybar [role="tab"]:has(> [aria-label^="${tab}"])`).first().click();
	return measured;
}
