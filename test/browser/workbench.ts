import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { VIEWPORT } from '../../scripts/chromium.ts';
import { TEST_RESULTS } from '../../scripts/projectPaths.ts';
import { copyWorkspace, deleteWorkspaceCopy, restoreSample } from '../../scripts/workspaceCopy.ts';
import { type CommandName, ids } from '../../src/vscode/ui/ids.ts';
import { titleOf } from '../localizedPackage.ts';
import { ChatPanel } from './chatPanel.ts';
import { Editor, type EditorOptions, RESTORE_KEY, type WindowOptions } from './editor.ts';
import { Steps } from './steps.ts';
import { filesBelow, lookAway, stateInBrowser } from './storedState.ts';
import { TreeView } from './treeView.ts';

/** A cold start takes 10 to 20 s on a busy machine. A test that waits this long fails. */
const START_LIMIT_MS = 90_000;
/** The same for a step. */
const STEP_LIMIT_MS = 45_000;
/** The same for a click that is repeated. A busy machine needs seconds to find that a button can be clicked. */
export const CLICK_LIMIT_MS = 5_000;

/** Options of a workbench. */
export interface WorkbenchOptions extends EditorOptions, WindowOptions {
	/** The folder that is copied (see `copyWorkspace`). Default: the sample. */
	readonly workspace?: string;
	/** Whether VS Code asks if the user trusts the folder. Default: false. */
	readonly workspaceTrust?: boolean;
	/** Whether the user approves the servers at once and trusts their read-only annotations; default: only in the sample. */
	readonly approveServers?: boolean;
}

/** A real VS Code in a real browser, and what a person can do in it. */
export class Workbench implements AsyncDisposable {
	readonly page: Page;
	readonly chat: ChatPanel;
	/** The copy of the workspace, which tools write to. */
	readonly folder: string;
	readonly #editor: Editor;
	readonly #steps: Steps;
	readonly #close: AsyncDisposableStack;

	private constructor(page: Page, folder: string, editor: Editor, close: AsyncDisposableStack) {
		this.page = page;
		this.folder = folder;
		this.#editor = editor;
		this.#close = close;
		this.#steps = new Steps((name) => this.screenshot(name));
		this.chat = new ChatPanel(page, this.#steps);
	}

	/** Opens a copy of the workspace in the shared editor, or, if there is none, in an editor of its own. */
	static async open(options: WorkbenchOptions = {}): Promise<Workbench> {
		await using cleanup = new AsyncDisposableStack();
		const folder = await copyWorkspace(options.workspace);
		cleanup.defer(() => deleteWorkspaceCopy(folder));
		const sharing = options.vsix === undefined;
		const editor = (sharing && Editor.shared()) || cleanup.use(await Editor.start(options));
		const settings = {
			'security.workspace.trust.enabled': options.workspaceTrust ?? false,
			...options.settings,
		};
		const page = await editor.openWindow(folder, { ...options, settings });
		cleanup.defer(() => editor.closeWindow(page));
		page.setDefaultTimeout(STEP_LIMIT_MS);
		const close = new AsyncDisposableStack();
		const workbench = new Workbench(page, folder, editor, close);
		await workbench.#settle();
		if (options.approveServers ?? options.workspace === undefined) await workbench.approveServers();
		close.use(cleanup.move());
		return workbench;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#close.disposeAsync();
	}

	/** Waits until a notification asks for the approval of servers, and approves them, see {@link approveReviewed}. */
	async approveServers(): Promise<string> {
		await this.answerNotification('approval', 'Review…');
		return this.approveReviewed();
	}

	/** Ticks the first row of a list with this text, if it is not ticked yet. */
	async tick(text: string): Promise<void> {
		const row = this.page.locator('.quick-input-widget .monaco-list-row', { hasText: text }).first();
		await row.waitFor();
		if ((await row.getAttribute('aria-checked')) !== 'true') await row.click();
		await this.page
			.locator('.quick-input-widget .monaco-list-row[aria-checked="true"]', { hasText: text })
			.first()
			.waitFor();
	}

	/** Takes all rows that are ticked. */
	async acceptTicked(): Promise<void> {
		await this.page.locator('.quick-input-widget').getByRole('button', { name: 'OK', exact: true }).click();
	}

	/** Approves all servers that the review shows, and returns its text. */
	async approveReviewed({ allowsReadOnly = true } = {}): Promise<string> {
		return this.#steps.run('approve the servers', async () => {
			const { review } = this;
			const groups = review.locator('.file').getByRole('checkbox');
			await groups.first().waitFor();
			const body = review.locator('body');
			const text = await body.innerText();
			for (const group of await groups.all()) await group.check();
			if (allowsReadOnly) await review.locator('.bar').getByRole('switch').first().check();
			await this.approveSelected();
			// Not the page itself: closing its tab may show another webview.
			await this.page.locator('.tab', { hasText: 'Review Servers' }).waitFor({ state: 'detached' });
			return text;
		});
	}

	/** Approves the servers that are selected on the page. It ignores clicks for a moment after it has changed, so they are repeated. */
	async approveSelected(): Promise<void> {
		const selected = this.review.locator('tbody').getByRole('checkbox', { checked: true });
		const approve = this.review.getByRole('button').first();
		await selected.first().waitFor();
		const deadline = performance.now() + STEP_LIMIT_MS;
		while ((await selected.count()) > 0 && performance.now() < deadline)
			await approve.click({ timeout: CLICK_LIMIT_MS }).catch(() => {});
	}

	/** Revokes the approval of a server among the permissions. */
	async revokeApproval(server: string): Promise<void> {
		await this.tree('Servers').contextMenu(server, titleOf('managePermissions'));
		await this.pick('Revoke Approval');
		// The list stays, so that it can be undone there.
		await this.quickPickRow('Undo').waitFor();
		await this.page.keyboard.press('Escape');
	}

	/** The row of a server on that page. */
	reviewed(name: string): Locator {
		const heading = this.review.getByRole('rowheader', { name, exact: true });
		return this.review.getByRole('row').filter({ has: heading });
	}

	/** The content of the only webview that shows: a frame in a frame. While it changes, a second inner frame is being loaded. */
	get webview(): FrameLocator {
		return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
	}

	/** The page on which servers are approved. */
	get review(): FrameLocator {
		return this.webview;
	}

	/** Opens a view container of the activity bar, unless it is open. */
	async openSidebar(name: string): Promise<void> {
		await this.#steps.run(`open the sidebar ${name}`, async () => {
			const title = this.page.locator('.sidebar .composite.title', { hasText: name });
			const tab = this.#tab(name);
			// A new window may show the view at the moment of the click, which then closes it.
			const deadline = performance.now() + START_LIMIT_MS;
			while (!(await title.isVisible()) && performance.now() < deadline) {
				if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
				await title.waitFor({ timeout: STEP_LIMIT_MS / 5 }).catch(() => {});
			}
			await title.waitFor();
		});
	}

	/** A tree of the open sidebar, by the view's title. */
	tree(view: string): TreeView {
		return new TreeView(this.page, this.#steps, view);
	}

	/** The text of a view container's badge; empty where there is none. */
	async badge(container: string): Promise<string> {
		const badge = this.#tab(container).locator('.badge-content');
		return (await badge.isVisible()) ? badge.innerText() : '';
	}

	/** How many tools are loaded and what that saves, as the status bar says. */
	toolsStatus(): Promise<string> {
		return this.statusItem(' tools loaded');
	}

	/** The item of the status bar that contains a text; empty where there is none. */
	async statusItem(text: string): Promise<string> {
		const items = await this.page.locator('.statusbar-item:visible').allInnerTexts();
		return items.map((item) => item.trim()).find((item) => item.includes(text)) ?? '';
	}

	/** The messages of the notifications that are showing. */
	async notifications(): Promise<readonly string[]> {
		return this.#notifications().locator('.notification-list-item-message').allInnerTexts();
	}

	/** Presses a button of the notification that contains `text`, waiting for it to appear. */
	async answerNotification(text: string, button: string): Promise<void> {
		await this.#steps.run(`answer the notification “${text}” with ${button}`, async () => {
			const notification = this.#notifications().filter({ hasText: text });
			await notification.getByRole('button', { name: button, exact: true }).click();
		});
	}

	/** Presses a button of the modal dialog that contains `text`, waiting for it to appear. */
	async answerDialog(text: string, button: string): Promise<void> {
		await this.#steps.run(`answer the dialog “${text}” with ${button}`, async () => {
			const dialog = this.page.locator('.monaco-dialog-box').filter({ hasText: text });
			await dialog.getByRole('button', { name: button, exact: true }).click();
		});
	}

	/** Runs one of our commands from the palette. */
	run(command: CommandName): Promise<void> {
		return this.runCommand(`Discovery: ${titleOf(command)}`);
	}

	/** Runs a command from the palette by its full title, for example `View: Close Editor`. */
	async runCommand(title: string): Promise<void> {
		await this.#steps.run(`run the command ${title}`, async () => {
			const row = this.quickPickRow(title).first();
			const input = this.#quickInput().locator('input').first();
			const type = async () => {
				await this.page.keyboard.press('F1');
				// A page that is still loading in an editor may hold the keyboard, and takes the key.
				await input.waitFor({ timeout: STEP_LIMIT_MS / 3 }).catch(async () => {
					await this.page.locator('.part.titlebar').click({ position: { x: 10, y: 10 } });
					await this.page.keyboard.press('F1');
				});
				await input.fill(`>${title}`, { timeout: STEP_LIMIT_MS / 3 });
			};
			// The palette closes when something else takes the focus, and one that opened too early may lack the command.
			for (let attempt = 1; ; attempt++) {
				try {
					await type();
					return await row.click({ timeout: STEP_LIMIT_MS / 3 });
				} catch (error) {
					if (attempt === 3) throw error;
					await this.page.keyboard.press('Escape');
				}
			}
		});
	}

	/** Opens the configuration of the folder from the list that `open` opens, which also offers the user's own. */
	async openConfiguration(open = () => this.run('openConfig')): Promise<void> {
		await this.#steps.run('open the configuration', async () => {
			const row = this.quickPickRow(path.basename(this.folder)).first();
			// A page that is still loading takes the focus from the list, which closes it.
			for (let attempt = 1; ; attempt++) {
				await open();
				try {
					return await row.click({ timeout: STEP_LIMIT_MS / 3 });
				} catch (error) {
					if (attempt === 3) throw error;
				}
			}
		});
	}

	/** The configuration of the folder. */
	get configFile(): string {
		return path.join(this.folder, 'casual_mcp_config.json');
	}

	/** Adds servers, clients and models to the configuration, and overwrites settings of `tool_discovery`. */
	addToConfiguration(more: Readonly<Record<string, object>>): void {
		const config: Record<string, object> = parse(readFileSync(this.configFile, 'utf8'));
		for (const [key, value] of Object.entries(more)) config[key] = { ...config[key], ...value };
		writeFileSync(this.configFile, JSON.stringify(config, undefined, '\t'));
	}

	/** A row of the open quick pick, by its label. */
	quickPickRow(label: string): Locator {
		return this.#quickInput()
			.locator('.quick-input-list .monaco-list-row')
			.filter({ has: this.page.locator('.label-name').getByText(label, { exact: true }) });
	}

	/** Chooses a row of the open quick pick. */
	async pick(label: string): Promise<void> {
		await this.#steps.run(`pick ${label}`, () => this.quickPickRow(label).first().click());
	}

	/** Types into the open input box and confirms it. */
	async answerInput(text: string): Promise<void> {
		await this.#steps.run(`answer the input box with “${text}”`, async () => {
			const input = this.#quickInput().locator('input').first();
			await input.fill(text);
			await input.press('Enter');
			await this.#quickInput().waitFor({ state: 'hidden' });
		});
	}

	/** Where the user's own configuration is, once they have one. */
	get userFile(): string {
		const storage = path.join(this.#editor.profile.userData, 'User/globalStorage', ids.extension);
		return path.join(storage, 'casual_mcp_config.json');
	}

	/** Paths of the files that contain a text: of the workspace, and of the profile's data, where logs and chats are kept. */
	filesWith(text: string): readonly string[] {
		return [this.folder, this.#editor.profile.userData].flatMap((root) =>
			filesBelow(root)
				// A draft that is renamed meanwhile is found under its name.
				.filter((file) => existsSync(file) && readFileSync(file).includes(text))
				.map((file) => path.relative(root, file)),
		);
	}

	/**
	 * Waits until the editor has stored the chat up to an answer with `kept`, which chat it shows, and what the extension knows of the chat. A
	 * browser does not let a page save anything when it ends.
	 */
	async waitForStoredChat(kept: string): Promise<void> {
		await this.#steps.run('have the chat stored', async () => {
			/** What is still missing; undefined where nothing is. */
			const missing = async (): Promise<string | undefined> => {
				await this.page.evaluate(lookAway);
				// Earlier tests in this window may have stored other chats with it.
				const [file] = this.filesWith(kept)
					.filter((name) => name.includes('chatSessions'))
					.toSorted((a, b) => this.#lastWritten(b) - this.#lastWritten(a));
				if (!file) return `no chat on disk has ${kept}`;
				const text = readFileSync(path.join(this.#editor.profile.userData, file), 'utf8');
				// Earlier answers may be written once more after the last one.
				const answers = [...text.matchAll(/"answers":(\d+)/g)].map(([, count]) => Number(count));
				const last = `"answers":${Math.max(...answers)}`;
				const state = await this.page.evaluate(stateInBrowser);
				if (!state.includes(path.parse(file).name)) return 'the browser does not know which chat is shown';
				return state.includes(last) ? undefined : `the extension has not stored ${last}`;
			};
			const deadline = performance.now() + START_LIMIT_MS;
			for (let what = await missing(); what; what = await missing()) {
				if (performance.now() > deadline) throw new Error(`${what} within ${START_LIMIT_MS / 1_000} s`);
				await this.page.waitForTimeout(100);
			}
		});
	}

	#lastWritten(file: string): number {
		return statSync(path.join(this.#editor.profile.userData, file)).mtimeMs;
	}

	/** The user's home, where other programs keep their configurations. */
	get home(): string {
		return this.#editor.home;
	}

	/** Reloads the window and waits until the extension is back. */
	async reload(): Promise<void> {
		await this.page.reload();
		await this.#settle();
	}

	/** Writes test-results/NAME.png and returns its path. */
	async screenshot(name: string): Promise<string> {
		mkdirSync(TEST_RESULTS, { recursive: true });
		const file = path.join(TEST_RESULTS, `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 100)}.png`);
		await this.page.screenshot({ path: file });
		return file;
	}

	/**
	 * Resets the window on the sample for the next file of tests: its files, editors, notifications, filter and chat. Approved servers stay
	 * approved. This takes a fraction of the time that a new window takes.
	 */
	async restore(): Promise<void> {
		await this.#steps.run('restore the sample', async () => {
			await this.page.setViewportSize(VIEWPORT);
			await this.page.keyboard.press('Escape');
			await restoreSample(this.folder);
			this.#editor.restoreSettings();
			await this.chat.startNew();
			await this.page.keyboard.press(RESTORE_KEY);
			await this.page.locator('.editor-group-container.empty').waitFor();
			await this.#notifications().first().waitFor({ state: 'detached' });
			await this.openSidebar('Discovery');
			await this.tree('Servers').titleAction('Collapse All');
			// A server that was missing from the file stays idle until it is needed.
			for (const { label, spoken } of await this.tree('Servers').rows()) {
				if (!/\bIdle\b/.test(spoken)) continue;
				await this.tree('Servers').inlineAction(label, titleOf('startServer'));
				await this.tree('Servers').waitForRow(label, /tool|loaded/);
			}
		});
	}

	async #settle(): Promise<void> {
		await this.#steps.run('open the workbench', async () => {
			await this.page.locator('.monaco-workbench').waitFor({ timeout: START_LIMIT_MS });
			await this.#tab('Discovery').waitFor({ timeout: START_LIMIT_MS });
		});
	}

	/** The accessible name of a tab goes on with the badge's tooltip: match its beginning. */
	#tab(name: string): Locator {
		return this.page.locator(`.activitybar [role="tab"]:has(> [aria-label^="${name}"])`).first();
	}

	#notifications(): Locator {
		return this.page.locator('.notifications-toasts .notification-list-item');
	}

	#quickInput(): Locator {
		return this.page.locator('.quick-input-widget');
	}
}
