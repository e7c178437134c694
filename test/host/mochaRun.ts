import { globSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/vscode/ui/ids.ts';
import { restoreDialogs } from './suite/dialogs.ts';

const TEST_LIMIT_MS = 60_000;

/** The folder of the suite for the window that we run in. */
function suiteOfWindow(): string {
	if (!vscode.workspace.isTrusted) return 'restricted';
	return vscode.workspace.workspaceFile ? 'folders' : 'suite';
}

/**
 * A busy VS Code in a browser may open a workspace file without its folders, and stay so ("No Folder Opened"); loading the window again
 * opens them. Seen with 1.139 in the second window of a browser.
 */
async function reopenWithFolders(): Promise<void> {
	if (vscode.workspace.workspaceFolders?.length) return;
	console.log('VS Code opened no folder: loading the window again');
	await vscode.commands.executeCommand('workbench.action.reloadWindow');
	await new Promise(() => {}); // The extension host ends, and the next one runs the tests.
}

/**
 * VS Code calls this inside the extension host. It runs the suite for the window, and rejects if a test failed. `HOST_GREP` narrows it to
 * the tests whose title contains that text.
 */
export async function run(): Promise<void> {
	await reopenWithFolders();
	const suite = suiteOfWindow();
	// Other stages run at the same time; in CI, a test that a busy machine has slowed down may run once more.
	const mocha = new Mocha({ timeout: TEST_LIMIT_MS, color: true, retries: process.env.CI ? 1 : 0 });
	const title = process.env.HOST_GREP;
	if (title) mocha.fgrep(title);
	const files = globSync('*.test.js', { cwd: path.join(import.meta.dirname, suite) });
	if (files.length === 0) throw new Error(`The suite ${suite} has no tests`);
	for (const file of files.toSorted()) mocha.addFile(path.join(import.meta.dirname, suite, file));
	await mocha.loadFilesAsync();
	if (suite !== 'restricted') await approveServers();
	const failures = await new Promise<number>((resolve) => mocha.run(resolve));
	if (failures > 0) throw new Error(`${failures} failed`);
}

/** The user approves the servers of the workspace, and later those that tests add. */
async function approveServers(): Promise<void> {
	restoreDialogs();
	await vscode.commands.executeCommand(commands.reviewServers);
}
