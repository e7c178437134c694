#!/usr/bin/env node
// A replacement for the `code` executable that @vscode/test-electron spawns, for machines that cannot download desktop VS Code.
// It opens code-server in headless Chromium, passes --extensionDevelopmentPath and --extensionTestsPath on, prints what the tests
// print and exits with their code. Of the flags of `code`, it supports --user-data-dir, --extensions-dir,
// --disable-workspace-trust and the workspace folder, and ignores the rest. VSCODE_TEST_LIMIT_MS is the time after which the
// suite counts as hung, and VSCODE_TEST_SCREENSHOT a PNG file to write if the suite fails or hangs.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium, VIEWPORT } from './chromium.ts';
import { type CodeServer, startCodeServer } from './codeServer.ts';
import { createProfile, deleteProfile, type Profile } from './profile.ts';

const DEFAULT_LIMIT_MS = 600_000;
/** Lines of the workbench's own log: a component in brackets, a stack inside the workbench, or its connections. */
const WORKBENCH_LOG =
	/^(%c)?\s*\[[A-Za-z]|\/workbench\.js:|^(Creating a socket|Resolv\w+ connection|Updating additional)/;
const TEST_DRIVER = path.join(import.meta.dirname, 'enableTestDriver.browser.js');

interface CodeArguments {
	readonly flags: ReadonlyMap<string, string>;
	readonly workspace: string | undefined;
}

function parseArguments(args: readonly string[]): CodeArguments {
	const flags = new Map<string, string>();
	let workspace: string | undefined;
	for (const arg of args) {
		const flag = /^--([\w-]+)(?:=(.*))?$/s.exec(arg);
		if (flag?.[1]) flags.set(flag[1], flag[2] ?? '');
		else workspace = path.resolve(arg);
	}
	return { flags, workspace };
}

/** The profile that the flags name, or a temporary one with few distractions. */
function takeProfile(flags: ReadonlyMap<string, string>): { profile: Profile; ours: boolean } {
	const userData = flags.get('user-data-dir');
	const extensions = flags.get('extensions-dir');
	if (userData === undefined || extensions === undefined) return { profile: createProfile(), ours: true };
	return { profile: { root: userData, userData, extensions }, ours: false };
}

function workbenchUrl(server: CodeServer, { flags, workspace }: CodeArguments): string {
	const url = new URL(server.url);
	const payload = [
		['skipWelcome', 'true'],
		['skipReleaseNotes', 'true'],
	];
	for (const key of ['extensionDevelopmentPath', 'extensionTestsPath']) {
		const folder = flags.get(key);
		if (folder) payload.push([key, `vscode-remote://${url.host}${path.resolve(folder)}`]);
	}
	// A workspace file with several folders, or one folder.
	const kind = workspace?.endsWith('.code-workspace') ? 'workspace' : 'folder';
	if (workspace) url.searchParams.set(kind, workspace);
	url.searchParams.set('payload', JSON.stringify(payload));
	return url.href;
}

/** Gives the page the two functions that the test driver calls. The exit code arrives when the suite ends. */
async function watchSuite(page: Page): Promise<{ exitCode: Promise<number> }> {
	await page.exposeFunction('codeAutomationLog', (level: string, args: unknown[]) => {
		// The extension host's console uses these levels, and so does the workbench's own log.
		if (level !== 'info' && level !== 'warn' && level !== 'error') return;
		if (typeof args[0] === 'string' && WORKBENCH_LOG.test(args[0])) return;
		console.log(...args);
	});
	let report: (code: number) => void = () => {};
	const exitCode = new Promise<number>((resolve, reject) => {
		report = resolve;
		page.once('crash', () => reject(new Error('The browser page crashed')));
		page.once('close', () => reject(new Error('The browser was closed')));
	});
	exitCode.catch(() => {}); // We close the page only after the answer.
	await page.exposeFunction('codeAutomationExit', report);
	return { exitCode };
}

/** Rejects when the suite takes too long, the server ends, or a signal arrives. */
function interruption(server: CodeServer): Promise<never> {
	const limitMs = Number(process.env.VSCODE_TEST_LIMIT_MS ?? DEFAULT_LIMIT_MS);
	return new Promise((_, reject) => {
		const hung = `The suite did not end within ${limitMs / 1_000} s (VSCODE_TEST_LIMIT_MS sets the limit)`;
		setTimeout(() => reject(new Error(hung)), limitMs).unref();
		server.exited.then(() => reject(new Error('code-server ended before the suite did')));
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => reject(new Error(`Stopped by ${signal}`)));
		}
	});
}

async function saveScreenshot(page: Page): Promise<void> {
	const file = process.env.VSCODE_TEST_SCREENSHOT;
	if (!file || page.isClosed()) return;
	mkdirSync(path.dirname(file), { recursive: true });
	await page.screenshot({ path: file });
	console.log(`Screenshot: ${file}`);
}

async function runSuite(args: CodeArguments, profile: Profile): Promise<number> {
	const workspaceTrust = !args.flags.has('disable-workspace-trust');
	const server = await startCodeServer({ profile, workspaceTrust });
	const interrupted = interruption(server);
	interrupted.catch(() => {}); // Raced below, after the browser has started.
	try {
		const browser = await launchChromium();
		const page = await browser.newPage({ viewport: VIEWPORT });
		try {
			await page.addInitScript({ path: TEST_DRIVER });
			const suite = await watchSuite(page);
			await page.goto(workbenchUrl(server, args));
			const code = await Promise.race([suite.exitCode, interrupted]);
			if (code !== 0) await saveScreenshot(page);
			return code;
		} catch (error) {
			await saveScreenshot(page).catch(() => {});
			throw error;
		} finally {
			await browser.close();
		}
	} finally {
		await server.stop();
	}
}

const args = parseArguments(process.argv.slice(2));
const { profile, ours } = takeProfile(args.flags);
try {
	process.exitCode = await runSuite(args, profile);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	if (ours) deleteProfile(profile);
}
process.exit();
