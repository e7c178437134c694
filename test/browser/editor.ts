import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchWithProfile } from '../../scripts/chromium.ts';
import { ensureVscodeHost, folderUrl, installExtension, startCodeServer } from '../../scripts/codeServer.ts';
import { createProfile, deleteProfile, type Profile, writeSettings } from '../../scripts/profile.ts';
import { VSIX } from '../../scripts/projectPaths.ts';
import { commands } from '../../src/vscode/ui/ids.ts';

/** Options of an editor. */
export interface EditorOptions {
	readonly vsix?: string;
	/** The names of VS Code's own extensions that the tests use. Default: all. */
	readonly builtIn?: readonly string[];
}

/** Options of a window. */
export interface WindowOptions {
	readonly settings?: Readonly<Record<string, unknown>>;
}

/** An editor that another process has started. */
interface Running {
	readonly url: string;
	readonly profile: Profile;
}

/** Runs {@link RESTORE} in the window, see `Workbench.restore`. */
export const RESTORE_KEY = 'Control+Alt+Shift+R';

/** What a person would have to do by hand to put a window back to how it was opened. */
const RESTORE = [
	// Else closing the editor asks about unsaved changes.
	'workbench.action.files.revert',
	'workbench.action.closeAllEditors',
	'workbench.action.closePanel',
	'notifications.clearAll',
	commands.resetSession,
];

/** Removes the keys of the person who runs the tests. */
const NO_KEYS = { OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined };

/** The environment variable that passes the editors to vitest's workers, one for each. */
const SHARED = 'BROWSER_TEST_EDITORS';
let shared: Editor | undefined;

/**
 * A VS Code with the packaged extension, and a browser. It opens one window after another, each as fresh as in an editor of its own but in
 * half of the time. Only the process that started it disposes it.
 */
export class Editor implements AsyncDisposable {
	readonly profile: Profile;
	readonly #url: string;
	readonly #stop: AsyncDisposableStack;
	#browser: Promise<BrowserContext> | undefined;
	#window: Page | undefined;
	#settings: Readonly<Record<string, unknown>> = {};

	private constructor({ url, profile }: Running, stop = new AsyncDisposableStack()) {
		this.profile = profile;
		this.#url = url;
		this.#stop = stop;
	}

	/** Installs the package into a fresh profile, and starts VS Code on it. */
	static async start({ vsix = VSIX, builtIn }: EditorOptions = {}): Promise<Editor> {
		await using cleanup = new AsyncDisposableStack();
		const profile = createProfile();
		cleanup.defer(() => deleteProfile(profile));
		await installExtension(profile, vsix);
		const restore = { key: 'ctrl+alt+shift+r', command: 'runCommands', args: { commands: RESTORE } };
		writeFileSync(path.join(profile.userData, 'User/keybindings.json'), JSON.stringify([restore]));
		const env = { HOME: homeOf(profile), XDG_CONFIG_HOME: undefined, ...NO_KEYS };
		const server = await startCodeServer({
			profile,
			env,
			...(builtIn && { builtIn: await linkExtensions(profile, builtIn) }),
		});
		cleanup.defer(() => server.stop());
		return new Editor({ url: server.url, profile }, cleanup.move());
	}

	/** Gives each worker that starts from now on one of these editors. */
	static share(editors: readonly Editor[]): void {
		const running = editors.map((editor): Running => ({ url: editor.#url, profile: editor.profile }));
		process.env[SHARED] = JSON.stringify(running);
	}

	/** The editor that all files of this worker share, if there is one. */
	static shared(): Editor | undefined {
		const { [SHARED]: all, VITEST_POOL_ID: worker } = process.env;
		const running = all && (JSON.parse(all) as readonly Running[])[Number(worker) - 1];
		if (running) shared ??= new Editor(running);
		return shared;
	}

	/** Closes the current window, and opens a folder in one that keeps nothing of it. */
	async openWindow(folder: string, { settings = {} }: WindowOptions = {}): Promise<Page> {
		await this.#closeWindow();
		this.#settings = settings;
		this.restoreSettings();
		rmSync(this.home, { recursive: true, force: true });
		mkdirSync(this.home, { recursive: true });
		// The storage that extensions share between folders is on disk, not in the browser.
		rmSync(path.join(this.profile.userData, 'User/globalStorage'), { recursive: true, force: true });
		this.#browser ??= launchWithProfile(path.join(this.profile.root, `browser-${process.pid}`));
		const page = await (await this.#browser).newPage();
		this.#window = page;
		await page.goto(folderUrl({ url: this.#url }, folder));
		return page;
	}

	/** The user's home, where other programs keep their configurations. Empty in a new window. */
	get home(): string {
		return homeOf(this.profile);
	}

	/** Restores the settings that the window was opened with. */
	restoreSettings(): void {
		writeSettings(this.profile, this.#settings);
	}

	/** Closes a window as a user does, which ends its extension host and servers, and clears its storage in the browser. */
	async closeWindow(page: Page): Promise<void> {
		if (page === this.#window) await this.#closeWindow();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await (await this.#browser)?.close();
		await this.#stop.disposeAsync();
	}

	async #closeWindow(): Promise<void> {
		const page = this.#window;
		this.#window = undefined;
		if (!page) return;
		await page.goto('about:blank');
		const session = await page.context().newCDPSession(page);
		const storageTypes = 'cookies,file_systems,indexeddb,local_storage,service_workers';
		await session.send('Storage.clearDataForOrigin', { origin: this.#url, storageTypes });
		await page.close();
	}
}

function homeOf(profile: Profile): string {
	return path.join(profile.root, 'home');
}

/** A folder with links to some of VS Code's own extensions. */
async function linkExtensions(profile: Profile, names: readonly string[]): Promise<string> {
	const all = path.join(await ensureVscodeHost(), 'lib/vscode/extensions');
	const folder = path.join(profile.root, 'builtIn');
	mkdirSync(folder);
	for (const name of names) symlinkSync(path.join(all, name), path.join(folder, name));
	return folder;
}
