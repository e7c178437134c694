import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LoadedConfig } from '../../config/config.ts';
import type { ConfigReader } from '../../config/configReader.ts';
import type { ConfigProblem } from '../../config/file/problemReport.ts';
import type { ConfigEdits } from '../../config/file/textEdit.ts';
import type { Environment } from '../../config/secrets/dotenv.ts';
import type { VariableScope } from '../../config/secrets/variables.ts';
import type { Services } from '../../services.ts';
import { contextKeys, settings } from '../ui/ids.ts';
import { type CurrentText, editText, folderOf, openDocument, readText } from '../ui/textFiles.ts';
import {
	type ConfigInForce,
	type ConfigReading,
	type ConfigState,
	type KnownConfig,
	nextConfig,
} from './configState.ts';

const defaultFileName = 'casual_mcp_config.json';
/** Editors save in bursts, and some by deleting and renaming. */
const reloadDelayMs = 100;
/** A file that vanishes often comes back at once; only after this is it taken for deleted. */
const deletedAfterMs = 2000;

/** Finds `casual_mcp_config.json`, reads it, and follows it and the `.env` beside it. Keeps the last good configuration. */
export class ConfigFile implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<ConfigState>();
	readonly onDidChange = this.#changed.event;
	readonly #subscriptions: { dispose(): void }[] = [];
	readonly #reader: ConfigReader;
	readonly #log: Services['log'];
	readonly #secrets: Services['secrets'];
	#watchers: vscode.Disposable[] = [];
	#known: KnownConfig = { state: { kind: 'loading' } };
	#timer: NodeJS.Timeout | undefined;
	/** Number of the newest reading. */
	#reading = 0;
	#newest: Promise<void> = Promise.resolve();

	constructor(log: Services['log'], secrets: Services['secrets'], reader: ConfigReader) {
		this.#reader = reader;
		this.#log = log;
		this.#secrets = secrets;
		this.#subscriptions.push(
			secrets.onDidChange(() => this.#schedule(reloadDelayMs)),
			vscode.workspace.onDidChangeWorkspaceFolders(() => this.#restart()),
			vscode.workspace.onDidGrantWorkspaceTrust(() => this.#schedule(0)),
			vscode.workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${settings.section}.${settings.configFile}`)) this.#restart();
			}),
			vscode.workspace.onDidSaveTextDocument((document) => {
				if (this.isAt(document.uri)) this.#schedule(0);
			}),
		);
		this.#watch();
	}

	get state(): ConfigState {
		return this.#known.state;
	}

	/** The configuration in force, in a trusted workspace: without one, views show nothing of it, and nothing of it is run. */
	get inForce(): ConfigInForce | undefined {
		return vscode.workspace.isTrusted && this.state.kind === 'ok' ? this.state : undefined;
	}

	/** Where the file is or may be, one address a workspace folder, in the order in which they are tried. */
	get uris(): readonly vscode.Uri[] {
		const name =
			vscode.workspace.getConfiguration(settings.section).get<string>(settings.configFile)?.trim() ||
			defaultFileName;
		return (vscode.workspace.workspaceFolders ?? []).map((folder) => vscode.Uri.joinPath(folder.uri, name));
	}

	/** Whether the file of one of the folders is or may be at an address. */
	isAt(uri: vscode.Uri): boolean {
		return this.uris.some((known) => known.toString() === uri.toString());
	}

	/**
	 * Value of a variable of the environment or of `.env` beside the file, as they were when the configuration in force was read. Stored
	 * secrets are not among them: they are for servers, and a provider's key has rules of its own.
	 */
	environmentValue(name: string): string | undefined {
		const env = this.#known.source?.scope.env ?? process.env;
		return Object.hasOwn(env, name) ? env[name] : undefined;
	}

	/** Reads the file now; resolves when the state is that of the file. `isGone`: it has been away for long enough. */
	reload(isGone = false): Promise<void> {
		this.#newest = this.#take(++this.#reading, isGone);
		return this.#newest;
	}

	/** Changes the file's text, see {@link editText}, and reads it again where it was saved. */
	async edit(change: (text: string) => ConfigEdits): Promise<'saved' | 'unsaved'> {
		const uri = 'uri' in this.state ? this.state.uri : undefined;
		if (!uri) throw new Error(l10n.t('There is no configuration file to change. Create one first.'));
		const outcome = await editText(uri, change);
		if (outcome === 'saved') await this.reload();
		return outcome;
	}

	/** The file as it is in the editor or else on disk, where it is or may be; `undefined`: no folder is open. */
	async current(): Promise<CurrentText | undefined> {
		const texts = await Promise.all(
			this.uris.map(async (uri) => ({ uri, text: openDocument(uri)?.getText() ?? (await readText(uri)) })),
		);
		const found = texts.find(({ text }) => text !== undefined) ?? texts[0];
		return found && { ...found, scope: await this.scopeOf(found.uri) };
	}

	/** What the variables in a configuration file at this address stand for. */
	async scopeOf(uri: vscode.Uri): Promise<VariableScope> {
		const folder = folderOf(uri);
		const env = await this.#environmentAt(uri);
		return { workspaceFolder: folder.fsPath, env, secrets: await this.#secretsOf(folder) };
	}

	/** Faults of a text as if it were saved, for the editor while its user types. `scope`: that of {@link scopeOf}, where it is at hand. */
	async check(uri: vscode.Uri, text: string, scope?: VariableScope): Promise<readonly ConfigProblem[]> {
		return (await this.#load(uri, text, scope ?? (await this.scopeOf(uri)))).problems;
	}

	dispose(): void {
		clearTimeout(this.#timer);
		for (const disposable of [...this.#watchers, ...this.#subscriptions, this.#changed]) disposable.dispose();
	}

	#restart(): void {
		this.#watch();
		this.#schedule(0);
	}

	#watch(): void {
		for (const watcher of this.#watchers) watcher.dispose();
		this.#watchers = this.uris.flatMap((uri) => {
			const folder = vscode.Uri.joinPath(uri, '..');
			return [uri.path.slice(uri.path.lastIndexOf('/') + 1), '.env'].map((name) => {
				const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
				const later = () => this.#schedule(reloadDelayMs);
				watcher.onDidChange(later);
				watcher.onDidCreate(later);
				watcher.onDidDelete(later);
				return watcher;
			});
		});
	}

	#schedule(delayMs: number, isGone = false): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			this.reload(isGone).catch((error: unknown) =>
				this.#log.error(`The configuration could not be read: ${error}`),
			);
		}, delayMs);
	}

	#set(known: KnownConfig): void {
		this.#known = known;
		const { state } = known;
		void vscode.commands.executeCommand('setContext', contextKeys.configuration, state.kind);
		if ('problems' in state) {
			for (const problem of state.problems) this.#log.warn(problem.message);
		}
		this.#changed.fire(state);
	}

	/** A reading during which a newer one was begun is dropped, and ends when the newer one does. */
	async #take(number: number, isGone: boolean): Promise<void> {
		const reading = await this.#read();
		if (number !== this.#reading) return this.#newest;
		const next = nextConfig(this.#known, reading, isGone);
		if (next === 'gone') this.#schedule(deletedAfterMs, true);
		else if (next !== this.#known) this.#set(next);
	}

	async #read(): Promise<ConfigReading> {
		const { isTrusted } = vscode.workspace;
		const places = this.uris;
		for (const uri of places) {
			const found = await this.#readAt(uri);
			if (found) return { places, isTrusted, found };
		}
		return { places, isTrusted };
	}

	/** What is at an address; `undefined`: nothing. */
	async #readAt(uri: vscode.Uri): Promise<ConfigReading['found']> {
		const text = await readText(uri).catch((error: unknown) => unreadable(uri, error));
		if (typeof text !== 'string') return text && { uri, loaded: text };
		const scope = await this.scopeOf(uri);
		return { uri, loaded: await this.#load(uri, text, scope), source: { text, scope } };
	}

	async #environmentAt(uri: vscode.Uri): Promise<Environment['env']> {
		const { environmentWithDotenv } = await import('../../config/secrets/dotenv.ts');
		const dotenv = await this.#dotenvBeside(uri);
		const { env, ignored } = environmentWithDotenv(dotenv, process.env);
		if (ignored.length > 0)
			this.#log.warn(`.env: ignored, because it could redirect processes: ${ignored.join(', ')}`);
		return env;
	}

	/** One that is a folder, or that we may not read, must not keep the configuration from being read. */
	async #dotenvBeside(uri: vscode.Uri): Promise<string | undefined> {
		try {
			return await readText(vscode.Uri.joinPath(uri, '..', '.env'));
		} catch (error) {
			this.#log.warn(`.env cannot be read: ${error}`);
			return undefined;
		}
	}

	async #load(uri: vscode.Uri, text: string, scope: VariableScope): Promise<LoadedConfig> {
		const { config, problems } = await this.#reader.load(text, scope);
		// Nothing that a workspace names is looked up before it is trusted.
		if (!config || !vscode.workspace.isTrusted) return { config, problems };
		const { workspaceDisk } = await import('./workspaceDisk.ts');
		const found = await this.#reader.diskProblems(text, config, workspaceDisk(uri));
		return { config, problems: [...problems, ...found].toSorted((a, b) => a.start.line - b.start.line) };
	}

	/** Servers that need no secret start even where the secret storage is out of order. */
	async #secretsOf(folder: vscode.Uri): Promise<Readonly<Record<string, string>>> {
		try {
			const secrets = await this.#secrets.values(folder);
			this.#log.hide(Object.values(secrets));
			return secrets;
		} catch (error) {
			this.#log.warn(`The stored secrets could not be read: ${error}`);
			return {};
		}
	}
}

/** A file that is there, but that the file system does not give us. */
function unreadable(uri: vscode.Uri, error: unknown): LoadedConfig {
	const start = { line: 0, character: 0 };
	const reason = error instanceof Error ? error.message : String(error);
	const message = l10n.t('{0} cannot be read: {1}', uri.fsPath, reason);
	return { config: undefined, problems: [{ severity: 'error', message, path: [], start, end: start }] };
}
