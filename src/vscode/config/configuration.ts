import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigEdits, EditedText } from '../../config/file/textEdit.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import { type FoundVariable, variableIn } from '../../config/secrets/dotenv.ts';
import type { VariableScope } from '../../config/secrets/variables.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { contextKeys, settings } from '../ui/ids.ts';
import { openDocument } from '../ui/readingEditor.ts';

import type { CurrentText } from '../ui/textFiles.ts';
import { editText } from '../ui/textFiles.ts';

import { ConfigFile, type ConfigFileServices, idOf, placesOf } from './configFile.ts';
import {
	type ConfigInForce,
	type ConfigState,
	elsewhereOf,
	isSameState,
	type MergedFiles,
	mergedFiles,
	partsOf,
	stateOf,
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
	#circumstances: readonly string[] = [];
	/** Readings in progress: until they end, changes of single files are not merged. */
	#readings = 0;
	#merged: MergedFiles | undefined;
	/** The last merge: each waits for the one before. */
	#joined: Promise<void> = Promise.resolve();

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

	isAt(uri: vscode.Uri): boolean {
		return this.fileAt(uri) !== undefined;
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

	labelOf(uri: vscode.Uri | string): string {
		return this.fileAt(uri)?.label ?? '';
	}

	launchOf(server: string): ServerLaunch | undefined {
		return this.#state.kind === 'ok' ? this.#state.config.launches.get(server) : undefined;
	}

	/** Where a server is defined, and its name there; `undefined`: in no file. */
	placeOf(server: string): { readonly uri: vscode.Uri; readonly name: string } | undefined {
		const place = this.#state.kind === 'ok' ? this.#state.servers.get(server) : undefined;
		const file = place && this.fileAt(place.file);
		return place && file && { uri: file.place.uri, name: place.name };
	}

	/** Identifies the entry that defines a server, in all windows. VS Code's own tools have no entry, only their server's name. */
	entryOf(server: string): string {
		const place = this.placeOf(server);
		return JSON.stringify(place ? [place.uri.toString(), place.name] : [server]);
	}

	/** Whether a server is in the user's own file; `undefined`: it is in no file. */
	isUsers(server: string): boolean | undefined {
		const place = this.placeOf(server);
		return place && !this.fileAt(place.uri)?.place.folder;
	}

	/** The name in the merged configuration of a file's server; `undefined`: there is no such server, or another file overrides it. */
	nameOf(uri: vscode.Uri, server: string): string | undefined {
		if (this.#state.kind !== 'ok') return undefined;
		const file = uri.toString();
		const found = [...this.#state.servers].find(([, one]) => one.file === file && one.name === server);
		return found?.[0];
	}

	/** The label of the file that overrides a server of the user's file; `undefined`: none does. */
	overriddenBy(uri: vscode.Uri, server: string): string | undefined {
		if (this.#state.kind !== 'ok' || this.fileAt(uri)?.place.folder) return undefined;
		const places = [...this.#state.servers.values()];
		const place = places.find(({ name, replacesUsers }) => replacesUsers && name === server);
		return place && this.labelOf(place.file);
	}

	/**
	 * A variable of the environment, or of the `.env` beside a client's file. Stored secrets are not included: they are for servers, and keys of
	 * providers have their own rules.
	 */
	variable(name: string, { file }: Pick<ClientDefinition, 'file'>): FoundVariable | undefined {
		return variableIn(name, this.fileAt(file)?.knownScope ?? { env: process.env });
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

	/** A file as it is in the editor or on disk. Default: the first existing file, or that of the first folder. */
	async current(uri?: vscode.Uri): Promise<CurrentText | undefined> {
		const asked = uri
			? this.#files.filter(({ place }) => place.uri.toString() === uri.toString())
			: this.#files;
		const texts = await Promise.all(
			asked.map(async (file) => {
				const { uri: at } = file.place;
				return { file, uri: at, text: openDocument(at)?.getText() ?? (await file.text()) };
			}),
		);
		const found = texts.find(({ text }) => text !== undefined) ?? texts[0];
		if (!found) return undefined;
		const { file, ...current } = found;
		return { ...current, folder: file.folder, scope: await file.scope() };
	}

	/** The values of variables in a file, without reading anything. */
	scopeOf(uri: vscode.Uri): VariableScope {
		return this.#at(uri).knownScope;
	}

	/** The folder that secrets of a file are stored under. */
	folderOf(uri: vscode.Uri): vscode.Uri {
		return this.#at(uri).folder;
	}

	dispose(): void {
		for (const disposable of [...this.#files, ...this.#subscriptions]) disposable.dispose();
	}

	#at(uri: vscode.Uri): ConfigFile {
		const file = this.fileAt(uri);
		if (!file) throw new Error(l10n.t('{0} is not a configuration file.', uri.fsPath));
		return file;
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
		const before = this.#files;
		this.#files = placesOf(this.#parts.userFolder).map((place) => {
			const known = before.find((file) => isDeepStrictEqual(idOf(file.place), idOf(place)));
			if (known) return known;
			const file = new ConfigFile(place, this.#parts);
			file.onDidChange(() => {
				if (this.#readings === 0) void this.#join();
			});
			return file;
		});
		for (const file of before) if (!this.#files.includes(file)) file.dispose();
	}

	/** Reads files, and merges them when all have been read. */
	async #reading(read: () => Promise<unknown>): Promise<void> {
		this.#readings++;
		try {
			await read();
		} finally {
			this.#readings--;
		}
		await this.#join();
	}

	#join(): Promise<void> {
		this.#joined = this.#joined.catch(() => {}).then(() => this.#joinNow());
		return this.#joined;
	}

	/** Merges the files. A file is read again first if the names in other files that it may use have changed. */
	async #joinNow(): Promise<void> {
		const merge = () => {
			this.#merged = mergedFiles(partsOf(this.#files), this.#merged);
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
			this.#readings++;
			await Promise.all(outdated.map((file) => file.reload())).finally(() => this.#readings--);
		}
		const next = stateOf(this.#files, merge());
		// Paths and trust change what is offered in the files, not what is in force.
		const circumstances = [String(vscode.workspace.isTrusted), ...this.uris.map(String)];
		if (isSameState(this.#state, next) && isDeepStrictEqual(this.#circumstances, circumstances)) return;
		this.#state = next;
		this.#circumstances = circumstances;
		void vscode.commands.executeCommand('setContext', contextKeys.configuration, next.kind);
		if ('problems' in next) for (const problem of next.problems) this.#parts.log.warn(problem.message);
		this.#changed.fire(next);
	}
}
