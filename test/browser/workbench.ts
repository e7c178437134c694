import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { launchChromium, VIEWPORT } from '../../scripts/chromium.ts';
import { type CodeServer, folderUrl, installExtension, startCodeServer } from '../../scripts/codeServer.ts';
import { createProfile, deleteProfile, type Profile } from '../../scripts/profile.ts';
import { TEST_RESULTS, VSIX } from '../../scripts/projectPaths.ts';
import { copyWorkspace, deleteWorkspaceCopy } from '../../scripts/workspaceCopy.ts';
import { ChatPanel } from './chatPanel.ts';
import { Steps } from './steps.ts';
import { TreeView } from './treeView.ts';

/** A cold start with two cores busy takes 10 to 20 s; this only has to be longer than any honest start. */
const START_LIMIT_MS = 90_000;
const STEP_LIMIT_MS = 15_000;

/** What a workbench is opened on; everything has a default. */
export interface WorkbenchOptions {
	/** Folder that is copied; its node_modules are linked, not copied. */
	readonly workspace?: string;
	readonly vsix?: string;
	/** User settings over the calm ones. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** True asks the user whether to trust the folder, as a fresh VS Code does; default false: no such question. */
	readonly workspaceTrust?: boolean;
	/** The user's home folder, which servers are imported from. */
	readonly home?: string;
	/** Whether the user approves the servers at once, and believes their read-only marks; default: those of the example workspace. */
	readonly approveServers?: boolean;
	/** Name of an activity-bar tab by which the extension shows that it is there. */
	readonly container?: string;
}

/** A real VS Code in a real browser, with what a person can do in it. Dispose it: it holds processes and folders. */
export class Workbench implements AsyncDisposable {
	readonly page: Page;
	readonly chat: ChatPanel;
	/** The copy of the workspace: what tools write is found here. */
	readonly folder: string;
	readonly #browser: Browser;
	readonly #server: CodeServer;
	readonly #profile: Profile;
	readonly #container: string;
	readonly #steps: Steps;

	private constructor(
		page: Page,
		folder: string,
		browser: Browser,
		server: CodeServer,
		profile: Profile,
		container: string,
	) {
		this.page = page;
		this.folder = folder;
		this.#browser = browser;
		this.#server = server;
		this.#profile = profile;
		this.#container = container;
		this.#steps = new Steps((name) => this.screenshot(name));
		this.chat = new ChatPanel(page, this.#steps);
	}

	/** Installs the packaged extension into a fresh profile and opens a copy of the workspace. */
	static async open(options: WorkbenchOptions = {}): Promise<Workbench> {
		await using cleanup = new AsyncDisposableStack();
		const workspaceTrust = options.workspaceTrust ?? false;
		const profile = createProfile({
			'security.workspace.trust.enabled': workspaceTrust,
			...options.settings,
		});
		cleanup.defer(() => deleteProfile(profile));
		const folder = await copyWorkspace(options.workspace);
		cleanup.defer(() => deleteWorkspaceCopy(folder));
		await installExtension(profile, options.vsix ?? VSIX);
		const { home } = options;
		const server = await startCodeServer({ profile, ...(home !== undefined && { home }) });
		cleanup.defer(() => server.stop());
		const browser = await launchChromium();
		cleanup.defer(() => browser.close());
		const page = await browser.newPage({ viewport: VIEWPORT });
		page.setDefaultTimeout(STEP_LIMIT_MS);
		const container = options.container ?? 'Discovery';
		const workbench = new Workbench(page, folder, browser, server, profile, container);
		await page.goto(folderUrl(server, folder));
		await workbench.#settle();
		if (options.approveServers ?? options.workspace === undefined) await workbench.approveServers();
		cleanup.move();
		return workbench;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#browser.close();
		await this.#server.stop();
		deleteProfile(this.#profile);
		deleteWorkspaceCopy(this.folder);
	}

	/**
	 * Waits until servers ask for approval, reads what they run, and approves them all; returns what was shown. `button`: of one server;
	 * for several the page has its like.
	 */
	async approveServers(
		button: 'Approve' | 'Approve, Read Without Asking' = 'Approve, Read Without Asking',
	): Promise<string> {
		return this.#steps.run('approve the servers', async () => {
			const toast = this.#notifications().filter({ hasText: 'approved' });
			await toast.getByRole('button', { name: 'Review…' }).click();
			const cards = this.review.getByRole('region');
			await cards.first().waitFor();
			const body = this.review.locator('body');
			const text = await body.innerText();
			await this.screenshot('approval');
			const [all, one] = [button.replace('Approve', 'Approve All'), button];
			await this.review.getByText((await cards.count()) > 1 ? all : one, { exact: true }).click();
			await body.waitFor({ state: 'hidden' });
			return text;
		});
	}

	/** The page that servers are approved on: a frame in a frame, as every webview is. */
	get review(): FrameLocator {
		return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe');
	}

	/** Opens a view container of the activity bar, unless it is open. */
	async openSidebar(name: string): Promise<void> {
		await this.#steps.run(`open the sidebar ${name}`, async () => {
			const title = this.page.locator('.sidebar .composite.title', { hasText: name });
			const tab = this.#tab(name);
			if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
			// A window that has just opened may show it at the same moment: then the click has closed it.
			await title.waitFor({ timeout: STEP_LIMIT_MS / 3 }).catch(() => tab.click());
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

	/** The text of the status bar, item by item. */
	async statusBar(): Promise<readonly string[]> {
		const items = await this.page.locator('.statusbar-item:visible').allInnerTexts();
		return items.map((text) => text.trim()).filter((text) => text !== '');
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

	/** Runs a command from the palette by its full title, for example `Discovery: Rebuild Index`. */
	async runCommand(title: string): Promise<void> {
		await this.#steps.run(`run the command ${title}`, async () => {
			const row = this.quickPickRow(title).first();
			const type = async () => {
				await this.page.keyboard.press('F1');
				await this.#quickInput().locator('input').first().fill(`>${title}`);
			};
			await type();
			// What the palette offers is looked up when it opens; a window that has just started may not know all of it.
			await row.waitFor({ timeout: STEP_LIMIT_MS / 3 }).catch(async () => {
				await this.page.keyboard.press('Escape');
				await type();
			});
			await row.click();
		});
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

	/** Paths of the files that contain a text: of the workspace, and of the profile's data, where logs and chats are kept. */
	filesWith(text: string): readonly string[] {
		return [this.folder, this.#profile.userData].flatMap((root) =>
			readdirSync(root, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => path.join(entry.parentPath, entry.name))
				// A draft that is renamed meanwhile is found under its name.
				.filter((file) => existsSync(file) && readFileSync(file).includes(text))
				.map((file) => path.relative(root, file)),
		);
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

	async #settle(): Promise<void> {
		await this.#steps.run('open the workbench', async () => {
			await this.page.locator('.monaco-workbench').waitFor({ timeout: START_LIMIT_MS });
			await this.#tab(this.#container).waitFor({ timeout: START_LIMIT_MS });
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
