import { homedir } from 'node:os';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LoadedConfig } from '../../config/config.ts';
import { environmentWithDotenv } from '../../config/secrets/dotenv.ts';
import type { Elsewhere, VariableScope } from '../../config/secrets/variables.ts';
import { settings } from '../ui/ids.ts';
import type { Log } from '../ui/log.ts';
import { cannotRead, readText } from '../ui/textFiles.ts';
import {
	type FileReading,
	type FileState,
	folderLabels,
	isInForce,
	type KnownFile,
	nextFile,
} from './configState.ts';
import type { SecretVariables } from './secretVariables.ts';

const fileName = 'casual_mcp_config.json';
/** Editors save in bursts, and some by deleting and renaming. */
const reloadDelayMs = 100;
/** A file that disappears often comes back at once; only after this time it counts as deleted. */
const deletedAfterMs = 2000;

export interface ConfigFileServices {
	readonly log: Log;
	readonly secrets: SecretVariables;
}

/** Where a configuration file is or may be. */
export interface ConfigPlace {
	readonly uri: vscode.Uri;
	/** The file's workspace folder; absent: this is the user's own file. */
	readonly folder?: { readonly uri: vscode.Uri; readonly label: string };
}

/** Reads and watches one configuration file and the `.env` beside it. Keeps the last valid version. */
export class ConfigFile implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly place: ConfigPlace;
	/** Names in other files that this one may use, from its next reading on. */
	elsewhere: Elsewhere | undefined;
	readonly #services: ConfigFileServices;
	#watchers: readonly vscode.Disposable[] = [];
	#values: Pick<VariableScope, 'env' | 'ofWorkspace' | 'secrets'> = { env: process.env };
	#knownFile: KnownFile = { state: { kind: 'loading' } };
	#timer: NodeJS.Timeout | undefined;
	/** The latest reading. */
	#newest: Promise<void> = Promise.resolve();

	constructor(place: ConfigPlace, services: ConfigFileServices) {
		this.place = place;
		this.#services = services;
		this.#watch();
	}

	get state(): FileState {
		return this.#knownFile.state;
	}

	get label(): string {
		return this.place.folder?.label ?? l10n.t('User Configuration');
	}

	/**
	 * Reads the file now; resolves when the state is up to date. `text`: what has just been written. `isGone`: it has been missing for long enough. If a
	 * newer reading starts in the meantime, this one is dropped and resolves with the newer one.
	 */
	reload({
		text,
		isGone = false,
	}: {
		readonly text?: string;
		readonly isGone?: boolean;
	} = {}): Promise<void> {
		const thisReading: Promise<void> = this.#read(text).then((reading) => {
			if (this.#newest !== thisReading) return this.#newest;
			// A missing folder could not be watched; now that the file exists, it can.
			if (this.#knownFile.state.kind === 'none' && reading.content) this.#watch();
			const next = nextFile(this.#knownFile, reading, isGone);
			if (next === 'gone') this.soon(deletedAfterMs, true);
			else if (next !== this.#knownFile) {
				this.#knownFile = next;
				this.#changed.fire();
			}
		});
		this.#newest = thisReading;
		return thisReading;
	}

	/** Reads the file once it has stopped changing. */
	soon(delayMs = reloadDelayMs, isGone = false): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			this.reload({ isGone }).catch((error: unknown) =>
				this.#services.log.error(`The configuration could not be read: ${error}`),
			);
		}, delayMs);
	}

	/** The folder that secrets of this file are stored under. */
	get folder(): vscode.Uri {
		return this.place.folder?.uri ?? vscode.Uri.joinPath(this.place.uri, '..');
	}

	/** The text on disk; `undefined`: the file does not exist. */
	text(): Promise<string | undefined> {
		return readText(this.place.uri, { within: this.within });
	}

	/** The folder that links must not lead out of; absent: this is the user's own file. */
	get within(): vscode.Uri | undefined {
		return this.place.folder?.uri;
	}

	/** Reads the values of variables in the file. */
	async scope(): Promise<VariableScope> {
		this.#values = { ...(await this.#environment()), secrets: await this.#storedSecrets() };
		return this.knownScope;
	}

	/** The values of variables as of the last reading, which follows each change of `.env` and of stored secrets. */
	get knownScope(): VariableScope {
		const { folder } = this.place;
		const file = this.place.uri.toString();
		const common = { file, ...this.#values, ...(this.elsewhere && { elsewhere: this.elsewhere }) };
		if (folder) return { workspaceFolder: folder.uri.fsPath, ...common };
		const first = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
		return { ...(first !== undefined && { workspaceFolder: first }), ...common, ofUser: { home: homedir() } };
	}

	dispose(): void {
		clearTimeout(this.#timer);
		for (const disposable of [...this.#watchers, this.#changed]) disposable.dispose();
	}

	#watch(): void {
		for (const watcher of this.#watchers) watcher.dispose();
		const { uri } = this.place;
		const folder = vscode.Uri.joinPath(uri, '..');
		this.#watchers = [uri.path.slice(uri.path.lastIndexOf('/') + 1), '.env'].map((name) => {
			const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
			const later = () => this.soon();
			watcher.onDidChange(later);
			watcher.onDidCreate(later);
			watcher.onDidDelete(later);
			return watcher;
		});
	}

	async #read(writtenText?: string): Promise<FileReading> {
		const { isTrusted } = vscode.workspace;
		const { uri } = this.place;
		const text = writtenText ?? (await this.text().catch((error: unknown) => unreadable(uri, error)));
		if (typeof text !== 'string') return { isTrusted, ...(text && { content: { loaded: text } }) };
		const source = { text, scope: await this.scope() };
		if (isInForce(source, this.#knownFile)) return { isTrusted, content: 'unchanged' };
		// The schema library is loaded with the first file, so that activation does without it.
		const { loadConfig } = await import('../../config/load.ts');
		return { isTrusted, content: { loaded: loadConfig(text, source.scope), source } };
	}

	async #environment(): Promise<Pick<VariableScope, 'env' | 'ofWorkspace'>> {
		const { log } = this.#services;
		// An unreadable `.env` must not prevent the configuration from being read.
		const file = vscode.Uri.joinPath(this.place.uri, '..', '.env');
		const text = await readText(file, { within: this.within }).catch((error: unknown) => {
			log.warn(`.env cannot be read: ${error}`);
			return undefined;
		});
		const processEnv = { ...process.env };
		const { env, ignored } = environmentWithDotenv(text, processEnv);
		if (ignored.length > 0)
			log.warn(`.env: ignored, because it could redirect processes: ${ignored.join(', ')}`);
		if (!this.place.folder) return { env };
		return { env, ofWorkspace: Object.keys(env).filter((name) => processEnv[name] === undefined) };
	}

	/** Servers without secrets start even if the secret storage fails. */
	async #storedSecrets(): Promise<Readonly<Record<string, string>>> {
		const { log, secrets } = this.#services;
		try {
			const stored = await secrets.values(this.folder);
			log.hide(Object.values(stored));
			return stored;
		} catch (error) {
			log.warn(`The stored secrets could not be read: ${error}`);
			return {};
		}
	}
}

/** A file that exists but cannot be read. */
function unreadable(uri: vscode.Uri, error: unknown): LoadedConfig {
	const start = { line: 0, character: 0 };
	const { message } = cannotRead(uri, error);
	return { config: undefined, problems: [{ severity: 'error', message, path: [], start, end: start }] };
}

/** Where configuration files are or may be: one per folder, in the order of the window, then the user's own. */
export function configPlaces(userFolder: vscode.Uri): readonly ConfigPlace[] {
	const { section, configFile, userConfigFile } = settings;
	const folders = vscode.workspace.workspaceFolders ?? [];
	const writtenPath = vscode.workspace.getConfiguration(section).get<string>(userConfigFile)?.trim();
	const users = writtenPath
		? vscode.Uri.file(resolve(homedir(), writtenPath.replace(/^~[\\/]/, '')))
		: vscode.Uri.joinPath(userFolder, fileName);
	const labels = folderLabels(folders.map(({ name, uri }) => ({ name, path: uri.path })));
	return [
		...folders.map(({ uri }, index) => {
			const name =
				vscode.workspace.getConfiguration(section, uri).get<string>(configFile)?.trim() || fileName;
			return { uri: vscode.Uri.joinPath(uri, name), folder: { uri, label: labels[index] ?? '' } };
		}),
		{ uri: users },
	].filter(
		({ uri }, index, all) => all.findLastIndex((place) => place.uri.toString() === uri.toString()) === index,
	);
}

export function idOf({ uri, folder }: ConfigPlace): readonly string[] {
	return [uri.toString(), ...(folder ? [folder.uri.toString(), folder.label] : [])];
}
