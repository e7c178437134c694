import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/file/problemReport.ts';
import type { ConfigEdits } from '../../config/file/textEdit.ts';
import type { VariableScope } from '../../config/secrets/variables.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { contextKeys, settings } from '../ui/ids.ts';
import { openDocument } from '../ui/readingEditor.ts';
import type { CurrentText, EditedText } from '../ui/textFiles.ts';
import { editText, readText } from '../ui/textFiles.ts';
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
	/** Where the user's own file is, unless a setting says otherwise. */
	readonly userFolder: vscode.Uri;
}

/** The configuration: the file of each workspace folder, and behind them the user's own, read, followed, and made one. */
export class Configuration implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<ConfigState>();
	readonly onDidChange = this.#changed.event;
	readonly #parts: ConfigurationParts;
	readonly #subscriptions: readonly vscode.Disposable[];
	#files: readonly ConfigFile[] = [];
	#state: ConfigState = { kind: 'loading' };
	#circumstances: readonly string[] = [];
	/** Readings of all files under way: what single ones come to meanwhile is told with the rest. */
	#readings = 0;
	#merged: MergedFiles | undefined;
	/** The last joining of the files: each waits for the one before. */
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
			// Another window may have changed it where nothing tells of that.
			vscode.window.onDidChangeWindowState(({ focused }) => (focused ? this.userFile?.soon(0) : undefined)),
			vscode.workspace.onDidSaveTextDocument(({ uri }) => this.fileAt(uri)?.soon(0)),
		].map((listener) => new vscode.Disposable(() => listener.dispose()));
	}

	get state(): ConfigState {
		return this.#state;
	}

	/** The configuration in force, in a trusted workspace: without one, views show nothing of it, and nothing of it is run. */
	get inForce(): ConfigInForce | undefined {
		return vscode.workspace.isTrusted && this.state.kind === 'ok' ? this.state : undefined;
	}

	/** The files that there are or may be, in the order in which they count: that of the user comes last. */
	get files(): readonly ConfigFile[] {
		return this.#files;
	}

	/** Where they are or may be. */
	get uris(): readonly vscode.Uri[] {
		return this.#files.map(({ place }) => place.uri);
	}

	/** Whether a file of the configuration is or may be at an address. */
	isAt(uri: vscode.Uri): boolean {
		return this.fileAt(uri) !== undefined;
	}

	/** The file that is or may be at an address. */
	fileAt(uri: vscode.Uri | string): ConfigFile | undefined {
		return this.#files.find(({ place }) => place.uri.toString() === uri.toString());
	}

	/** The user's own file, which may not be there. */
	get userFile(): ConfigFile | undefined {
		return this.#files.find(({ place }) => !place.folder);
	}

	/** Whether there is more than one file: what is said of one then names it. */
	get hasSeveral(): boolean {
		return this.#files.filter(({ state }) => state.kind === 'ok' || state.kind === 'broken').length > 1;
	}

	/** What people are told that a file is. */
	labelOf(uri: vscode.Uri | string): string {
		return this.fileAt(uri)?.label ?? '';
	}

	/** How a server of the configuration in force is started. */
	launchOf(server: string): ServerLaunch | undefined {
		return this.#state.kind === 'ok' ? this.#state.config.launches.get(server) : undefined;
	}

	/** Where a server stands, and what it is called there; `undefined`: no file has it. */
	placeOf(server: string): { readonly uri: vscode.Uri; readonly name: string } | undefined {
		const place = this.#state.kind === 'ok' ? this.#state.servers.get(server) : undefined;
		const file = place && this.fileAt(place.file);
		return place && file && { uri: file.place.uri, name: place.name };
	}

	/** Whether a server stands in the user's own file; `undefined`: no file has it. */
	isUsers(server: string): boolean | undefined {
		const place = this.placeOf(server);
		return place && !this.fileAt(place.uri)?.place.folder;
	}

	/** What a server of a file is called in the whole; `undefined`: it has no such server, or one of another file replaces it. */
	nameOf(uri: vscode.Uri, server: string): string | undefined {
		if (this.#state.kind !== 'ok') return undefined;
		const file = uri.toString();
		const found = [...this.#state.servers].find(([, one]) => one.file === file && one.name === server);
		return found?.[0];
	}

	/** What the file is called whose server stands in the place of one of the user's; `undefined`: none does. */
	replacing(uri: vscode.Uri, server: string): string | undefined {
		if (this.#state.kind !== 'ok' || this.fileAt(uri)?.place.folder) return undefined;
		const places = [...this.#state.servers.values()];
		const place = places.find(({ name, replacesUsers }) => replacesUsers && name === server);
		return place && this.labelOf(place.file);
	}

	/**
	 * Value of a variable of the environment or of a `.env`: of that beside the file in which a client stands, where one is named. Stored
	 * secrets are not among them: they are for servers, and a provider's key has rules of its own.
	 */
	environmentValue(name: string, client?: string): string | undefined {
		const file = this.#state.kind === 'ok' && client !== undefined && this.#state.clients.get(client);
		const own = file ? this.fileAt(file) : undefined;
		for (const one of own ? [own] : this.#files) {
			const value = one.environmentValue(name);
			if (value !== undefined) return value;
		}
		return process.env[name];
	}

	/** Reads all files now; resolves when the state is that of the files. */
	reload(): Promise<void> {
		return this.#reading(async () => {
			await this.#place();
			await Promise.all(this.#files.map((file) => file.reload()));
		});
	}

	/** Changes the text of a file, see {@link editText}, and reads it again where it was saved. Left out: that of the first that is there. */
	async edit(
		change: (text: string) => ConfigEdits,
		uri: vscode.Uri | undefined = 'uri' in this.state ? this.state.uri : undefined,
	): Promise<EditedText> {
		if (!uri) throw new Error(l10n.t('There is no configuration file to change. Create one first.'));
		const edited = await editText(uri, change);
		const { outcome, after } = edited;
		if (outcome === 'saved') await this.#reading(async () => this.fileAt(uri)?.reload(after));
		return edited;
	}

	/** A file as it is in the editor or else on disk. Left out: the first that is there, or that of the first folder. */
	async current(uri?: vscode.Uri): Promise<CurrentText | undefined> {
		const asked = uri
			? this.#files.filter(({ place }) => place.uri.toString() === uri.toString())
			: this.#files;
		const texts = await Promise.all(
			asked.map(async (file) => {
				const { uri: at } = file.place;
				return { file, uri: at, text: openDocument(at)?.getText() ?? (await readText(at)) };
			}),
		);
		const found = texts.find(({ text }) => text !== undefined) ?? texts[0];
		if (!found) return undefined;
		const { file, ...current } = found;
		return { ...current, folder: file.folder, scope: await file.scope() };
	}

	/** What the variables in a configuration file at this address stand for. */
	async scopeOf(uri: vscode.Uri): Promise<VariableScope> {
		return this.#at(uri).scope();
	}

	/** The folder that the file at an address is for: stored secrets are kept by it. */
	folderOf(uri: vscode.Uri): vscode.Uri {
		return this.#at(uri).folder;
	}

	/** Faults of a text as if it were saved, for the editor while its user types. `scope`: that of {@link scopeOf}, where it is at hand. */
	async check(uri: vscode.Uri, text: string, scope?: VariableScope): Promise<readonly ConfigProblem[]> {
		const file = this.#at(uri);
		return (await file.load(text, scope ?? (await file.scope()))).problems;
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

	/** Follows the files of the folders that are open; those that were followed before stay as they are. */
	async #place(): Promise<void> {
		// A folder that is not there cannot be watched.
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

	/** Reads files, and joins them once all have been read. */
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

	/** Makes one state of those of the files. Where what a file may name in others has changed, it is read again before. */
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
		// Other places, and trust, change what is offered in the files and not what is in force.
		const circumstances = [String(vscode.workspace.isTrusted), ...this.uris.map(String)];
		if (isSameState(this.#state, next) && isDeepStrictEqual(this.#circumstances, circumstances)) return;
		this.#state = next;
		this.#circumstances = circumstances;
		void vscode.commands.executeCommand('setContext', contextKeys.configuration, next.kind);
		if ('problems' in next) for (const problem of next.problems) this.#parts.log.warn(problem.message);
		this.#changed.fire(next);
	}
}
