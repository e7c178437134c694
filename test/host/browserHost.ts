import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchWithProfile } from '../../scripts/chromium.ts';
import { type CodeServer, startCodeServer } from '../../scripts/codeServer.ts';
import type { Profile } from '../../scripts/profile.ts';
import { PROJECT_ROOT, TEST_RESULTS } from '../../scripts/projectPaths.ts';

/** No suite takes as long, unless it hangs. */
const LIMIT_MS = 1_200_000;
/** Lines of the workbench's own log: a component in brackets, a stack inside the workbench, its connections. */
const WORKBENCH_LOG =
	/^(%c)?\s*\[[A-Za-z]|\/workbench\.js:|^(Creating a socket|Resolv\w+ connection|Updating additional)/;
const TEST_DRIVER = path.join(PROJECT_ROOT, 'scripts/enableTestDriver.browser.js');

/** Runs suites inside the extension host of a VS Code in a browser, one window after the other. */
export class BrowserHost implements AsyncDisposable {
	readonly #server: CodeServer;
	readonly #browser: BrowserContext;
	readonly #cleanup: AsyncDisposableStack;

	private constructor(server: CodeServer, browser: BrowserContext, cleanup: AsyncDisposableStack) {
		this.#server = server;
		this.#browser = browser;
		this.#cleanup = cleanup;
	}

	static async start(profile: Profile): Promise<BrowserHost> {
		await using cleanup = new AsyncDisposableStack();
		const server = await startCodeServer({ profile });
		cleanup.defer(() => server.stop());
		const browser = await launchWithProfile(path.join(profile.root, 'browser'));
		cleanup.defer(() => browser.close());
		return new BrowserHost(server, browser, cleanup.move());
	}

	/** Opens a workspace, runs the tests in it, and prints what they print. Rejects unless all pass. */
	async run(workspace: string, tests: string): Promise<void> {
		const page = await this.#browser.newPage();
		try {
			await page.addInitScript({ path: TEST_DRIVER });
			const ended = Promise.withResolvers<number>();
			ended.promise.catch(() => {}); // Closing the page ourselves rejects it, too.
			await page.exposeFunction('codeAutomationExit', ended.resolve);
			await page.exposeFunction('codeAutomationLog', log);
			page.once('crash', () => ended.reject(new Error('The browser page crashed')));
			page.once('close', () => ended.reject(new Error('The browser was closed')));
			await page.goto(this.#address(workspace, tests));
			const exitCode = await Promise.race([ended.promise, this.#interruption()]);
			if (exitCode !== 0) throw new Error(`The suite ended with code ${exitCode}`);
		} catch (error) {
			await saveScreenshot(page).catch(() => {});
			throw error;
		}
		// As when a person closes the window: the extension host and its servers end. Closing the page alone would look like a lost connection.
		await page.goto('about:blank');
		await page.close();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#cleanup.disposeAsync();
	}

	#address(workspace: string, tests: string): string {
		const url = new URL(this.#server.url);
		const remote = (file: string) => `vscode-remote://${url.host}${file}`;
		const payload = [
			['skipWelcome', 'true'],
			['skipReleaseNotes', 'true'],
			['extensionDevelopmentPath', remote(PROJECT_ROOT)],
			['extensionTestsPath', remote(tests)],
		];
		url.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', workspace);
		url.searchParams.set('payload', JSON.stringify(payload));
		return url.href;
	}

	/** Rejects when the suite takes too long, the server ends, or a signal asks us to stop. */
	#interruption(): Promise<never> {
		return new Promise((_, reject) => {
			const hung = `The suite did not end within ${LIMIT_MS / 1_000} s`;
			setTimeout(() => reject(new Error(hung)), LIMIT_MS).unref();
			this.#server.exited.then(() => reject(new Error('code-server ended before the suite')));
			for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
				process.once(signal, () => reject(new Error(`Stopped by ${signal}`)));
		});
	}
}

/** Prints what the extension host writes to its console, without the workbench's own log. */
function log(level: string, args: readonly unknown[]): void {
	if (level !== 'info' && level !== 'warn' && level !== 'error') return;
	if (typeof args[0] === 'string' && WORKBENCH_LOG.test(args[0])) return;
	console.log(...args);
}

async function saveScreenshot(page: Page): Promise<void> {
	if (page.isClosed()) return;
	mkdirSync(TEST_RESULTS, { recursive: true });
	const file = path.join(TEST_RESULTS, 'FAILED-host.png');
	await page.screenshot({ path: file });
	console.log(`Screenshot: ${file}`);
}
