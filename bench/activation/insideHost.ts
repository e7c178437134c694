// What VS Code calls inside the extension host (`extensionTestsPath`): reads how long our activation took, as the
// editor itself measured it, and leaves that beside this file for the benchmark.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type ActivationTimes, readActivationTimes } from './activationTimes.ts';
import { EXTENSION_ID, TIMES_FILE } from './names.ts';

/** The page is filled once the window has settled, some seconds after its start. */
const LIMIT_MS = 60_000;
const POLL_MS = 250;

export async function run(): Promise<void> {
	const extension = vscode.extensions.getExtension(EXTENSION_ID);
	if (!extension) throw new Error(`${EXTENSION_ID} is not there`);
	await extension.activate();
	const times = await shownTimes();
	writeFileSync(path.join(import.meta.dirname, TIMES_FILE), JSON.stringify(times));
}

async function shownTimes(): Promise<ActivationTimes> {
	await vscode.commands.executeCommand('perfview.show');
	const until = Date.now() + LIMIT_MS;
	while (Date.now() < until) {
		const page = vscode.workspace.textDocuments.find((document) => document.uri.scheme === 'perf');
		const times = page && readActivationTimes(page.getText(), EXTENSION_ID);
		if (times) return times;
		await delay(POLL_MS);
	}
	throw new Error('«Startup Performance» does not show the extension');
}
