import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { ConfigEdits, EditedText } from '../../config/file/textEdit.ts';
import { contextKeys, settings } from '../ui/ids.ts';
import { openDocument } from '../ui/readingEditor.ts';

import type { CurrentText } from '../ui/textFiles.ts';
import { editText } from '../ui/textFiles.ts';

import { ConfigFile, type ConfigFileServices, configPlaces, idOf } from './configFile.ts';
import {
	type ConfigInForce,
	type ConfigState,
	configParts,
	configStateOf,
	elsewhereOf,
	type FollowedFile,
	isSameState,
	type MergedFiles,
	mergedFiles,
	type ServerOfFile,
} from './configState.ts';

interface ConfigurationParts extends ConfigFileServices {
	/** The folder of the user's own file, unless a setting names another. */
	readonly userFolder: vscode.Uri;
}

/** The configuration: reads, watches and merges the file of each workspace folder and the user's own file. */
export class Configuration implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<ConfigState>();
	readonly onDidChange = this.#changed.event;
	readonly #parts: ConfigurationParts;
	readonly #subscriptions: readonly vscode.Disposable[];
	#files: readonly ConfigFile[] = [];
	#state: ConfigState = { kind: 'loading' };
	#inputs: readonly string[] = [];
	/** Readings in progress: until they end, changes of single files are not merged. */
	#pendingReads = 0;
	#merged: MergedFiles | undefined;
	/** The last merge: each waits for the one before. */
	#lastMerge: Promise<void> = Promise.resolve();

	constructor(parts: ConfigurationParts) {
		this.#parts = parts;
		const { section, configFile, userConfigFile } = settings;
		const all = (delayMs?: number) => {
			for (const file of this.#files) file.soon(delayMs);
		};
		this.#subscriptions = [
			this.#changed,
			parts.secrets.onDidChange(() => all()),
			vscode.workspace.onDidChangeWorkspaceFolders(() => this.#follow()),
			vscode.workspace.onDidGrantWorkspaceTrust(() => all(0)),
			vscode.workspace.onDidChangeConfiguration((change) => {
				const names = [configFile, userConfigFile];
				if (names.some((name) => change.affectsConfiguration(`${section}.${name}`))) this.#follow();
			}),
			// Another window may have changed it without an event here.
			vscode.window.onDidChangeWindowState(({ focused }) => (focused ? this.userFile?.soon(0) : undefined)),
			vscode.workspace.onDidSaveTextDocument(({ uri }) => this.fileAt(uri)?.soon(0)),
		].map((listener) => new vscode.Disposable(() => listener.dispose()));
	}

	get state(): ConfigState {
		return this.#state;
	}

	/** The configuration in force; `undefined` in an untrusted workspace, where nothing of it is shown or run. */
	get inForce(): ConfigInForce | undefined {
		return vscode.workspace.isTrusted && this.state.kind === 'ok' ? this.state : undefined;
	}

	/** All files, also missing ones, in order of precedence: the user's own comes last. */
	get files(): readonly ConfigFile[] {
		return this.#files;
	}

	get uris(): readonly vscode.Uri[] {
		return this.#files.map(({ place }) => place.uri);
	}

	fileAt(uri: vscode.Uri | string): ConfigFile | undefined {
		return this.#files.find(({ place }) => place.uri.toString() === uri.toString());
	}

	/** The user's own file, which may not exist. */
	get userFile(): ConfigFile | undefined {
		return this.#files.find(({ place }) => !place.folder);
	}

	/** Whether there is more than one file, so that messages must name it. */
	get hasSeveral(): boolean {
		return this.#files.filter(({ state }) => state.kind === 'ok' || state.kind === 'broken').length > 1;
	}

	/** A server, by its name in the merged configuration; `undefined`: it is in no file. */
	server(name: string): ServerOfFile | undefined {
		return this.#state.kind === 'ok' ? this.#state.servers.get(name) : undefined;
	}

	/** The server that a file's entry defines; `undefined`: none, or another file overrides it. */
	serverIn(file: FollowedFile | undefined, key: string): ServerOfFile | undefined {
		return this.#servers.find((server) => server.file === file && server.key === key);
	}

	/** The server that overrides an entry of the user's file. */
	serverInstead(file: FollowedFile, key: string): ServerOfFile | undefined {
		return this.#servers.find((server) => !file.place.folder && server.replacesUsers && server.key === key);
	}

	/** Reads all files now; resolves when the state is up to date. */
	reload(): Promise<void> {
		return this.#reading(async () => {
			await this.#place();
			await Promise.all(this.#files.map((file) => file.reload()));
		});
	}

	/** Changes the text of a file (see {@link editText}) and loads it if it was saved. */
	async edit(change: (text: string) => ConfigEdits, uri: vscode.Uri): Promise<EditedText> {
		const edited = await editText(uri, change, this.fileAt(uri)?.within);
		const { outcome, after } = edited;
		if (outcome === 'saved') await this.#reading(async () => this.fileAt(uri)?.reload({ text: after }));
		return edited;
	}

	/** A file with its unsaved changes, if an editor has any. Default: the first existing file, or the first folder's. */
	async current(uri?: vscode.Uri): Promise<CurrentText | undefined> {
		const candidates = uri
			? this.#files.filter(({ place }) => place.uri.toString() === uri.toString())
			: this.#files;
		const texts = await Promise.all(
			candidates.map(async (file) => {
				const { uri: at } = file.place;
				return { file, uri: at, text: openDocument(at)?.getText() ?? (await file.text()) };
			}),
		);
		const chosen = texts.find(({ text }) => text !== undefined) ?? texts[0];
		if (!chosen) return undefined;
		const { file, ...current } = chosen;
		return { ...current, folder: file.folder, scope: await file.scope() };
	}

	dispose(): void {
		for (const disposable of [...this.#files, ...this.#subscriptions]) disposable.dispose();
	}

	get #servers(): readonly ServerOfFile[] {
		return this.#state.kind === 'ok' ? [...this.#state.servers.values()] : [];
	}

	#follow(): void {
		this.reload().catch((error: unknown) =>
			this.#parts.log.error(`The configuration could not be read: ${error}`),
		);
	}

	/** Creates the files of all open folders; known files are kept. */
	async #place(): Promise<void> {
		// A missing folder cannot be watched.
		await mkdir(this.#parts.userFolder.fsPath, { recursive: true }).catch(() => {});
		const previousFiles = this.#files;
		this.#files = configPlaces(this.#parts.userFolder).map((place) => {
			const existing = previousFiles.find((file) => isDeepStrictEqual(idOf(file.place), idOf(place)));
			if (existing) return existing;
			const file = new ConfigFile(place, this.#parts);
			file.onDidChange(() => {
				if (this.#pendingReads === 0) void this.#merge();
			});
			return file;
		});
		for (const file of previousFiles) if (!this.#files.includes(file)) file.dispose();
	}

	/** Reads files, and merges them when all have been read. */
	async #reading(read: () => Promise<unknown>): Promise<void> {
		this.#pendingReads++;
		try {
			await read();
		} finally {
			this.#pendingReads--;
		}
		await this.#merge();
	}

	#merge(): Promise<void> {
		this.#lastMerge = this.#lastMerge.catch(() => {}).then(() => this.#mergeNow());
		return this.#lastMerge;
	}

	/** Merges the files. A file is read again first if the names in other files that it may use have changed. */
	async #mergeNow(): Promise<void> {
		const merge = () => {
			this.#merged = mergedFiles(configParts(this.#files), this.#merged);
			return this.#merged?.merged;
		};
		const merged = merge();
		const outdated = this.#files.filter((file) => {
			const elsewhere = elsewhereOf(file, this.#files, merged);
			const isOutdated = !isDeepStrictEqual(file.elsewhere, elsewhere);
			file.elsewhere = elsewhere;
			return isOutdated;
		});
		if (outdated.length > 0) {
			this.#pendingReads++;
			await Promise.all(outdated.map((file) => file.reload())).finally(() => this.#pendingReads--);
		}
		const next = configStateOf(this.#files, merge());
		// Paths and trust change what is offered in the files, not what is in force.
		const inputs = [String(vscode.workspace.isTrusted), ...this.uris.map(String)];
		if (isSameState(this.#state, next) && isDeepStrictEqual(this.#inputs, inputs)) return;
		this.#state = next;
		this.#inputs = inputs;
		void vscode.commands.executeCommand('setContext', contextKeys.configuration, next.kind);
		if ('problems' in next) for (const problem of next.problems) this.#parts.log.warn(problem.message);
		this.#changed.fire(next);
	}
}
