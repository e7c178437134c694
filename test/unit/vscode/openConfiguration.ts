import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type * as vscode from 'vscode';
import { Emitter } from '../../../src/common/event.ts';
import { Configuration } from '../../../src/vscode/core/configuration.ts';
import { KeyStore } from '../../../src/vscode/core/keyStore.ts';
import { SecretVariables } from '../../../src/vscode/core/secretVariables.ts';
import { Switches } from '../../../src/vscode/core/switches.ts';
import { Log } from '../../../src/vscode/ui/log.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { reopen, Uri, workspace } from './editor.ts';
import { storage } from './fixtures.ts';

const NAME = 'casual_mcp_config.json';

/** Secrets as VS Code keeps them, in memory. */
export function secretStorage() {
	const values = new Map<string, string>();
	const changed = new Emitter<{ readonly key: string }>();
	const set = async (key: string, change: () => unknown) => {
		change();
		changed.fire({ key });
	};
	return {
		values,
		keys: async () => [...values.keys()],
		get: async (key: string) => values.get(key),
		store: (key: string, value: string) => set(key, () => values.set(key, value)),
		delete: (key: string) => set(key, () => values.delete(key)),
		onDidChange: changed.event,
	};
}

/** The keys of clients, which are nowhere but in `secrets`. Nobody is asked for one. */
export function keyStore(secrets = secretStorage()) {
	const refusing = async () => {
		throw new Error('nobody is asked');
	};
	return new KeyStore({
		secrets,
		agreements: storage(),
		environment: () => undefined,
		askForSecret: refusing,
		askForChat: refusing,
		signIn: refusing,
	});
}

/**
 * A window whose configuration is read from files on disk: those of these folders, by name, and the user's own. `undefined`: the file does not
 * exist.
 */
export async function openConfiguration(
	texts: Readonly<Record<string, string | undefined>>,
	{ users, isTrusted = true }: { readonly users?: string; readonly isTrusted?: boolean } = {},
) {
	reopen();
	onTestFinished(reopen);
	const root = temporaryFolder();
	const pathOf = (folder: string) => path.join(root, folder, NAME);
	const write = (folder: string, text: string | undefined) => {
		mkdirSync(path.dirname(pathOf(folder)), { recursive: true });
		if (text === undefined) rmSync(pathOf(folder), { force: true });
		else writeFileSync(pathOf(folder), text);
	};
	for (const [folder, text] of Object.entries({ ...texts, user: users })) write(folder, text);
	workspace.workspaceFolders = Object.keys(texts).map((name) => ({
		name,
		uri: Uri.file(path.join(root, name)),
	}));
	workspace.isTrusted = isTrusted;
	const secrets = new SecretVariables(secretStorage());
	const logged: string[] = [];
	const keep = (text: string) => void logged.push(text);
	const channel = { logLevel: 1, debug: keep, info: keep, warn: keep, error: keep };
	const configFile = new Configuration({
		log: new Log(channel as unknown as vscode.LogOutputChannel),
		secrets,
		userFolder: Uri.file(path.join(root, 'user')) as unknown as vscode.Uri,
	});
	onTestFinished(() => configFile.dispose());
	await configFile.reload();
	return {
		configFile,
		secrets,
		switches: new Switches(storage()),
		logged,
		uriOf: (folder: string) => Uri.file(pathOf(folder)) as unknown as vscode.Uri,
		textOf: (folder: string) => readFileSync(pathOf(folder), 'utf8'),
		/** Another program writes a file, and the watcher reports it. */
		change: async (folder: string, text: string | undefined) => {
			write(folder, text);
			await configFile.reload();
		},
	};
}
