// A small window of VS Code for the classes that connect rooms: what they read is set by a test, what they show is kept. `editor.setup.ts` makes
// it the module `vscode` of all unit tests.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Emitter } from '../../../src/common/event.ts';
import { readLocalizedPackage } from '../../localizedPackage.ts';

export const EventEmitter = Emitter;

export class Uri {
	readonly scheme: string;
	readonly path: string;

	private constructor(scheme: string, filePath: string) {
		this.scheme = scheme;
		this.path = filePath;
	}

	static file(filePath: string): Uri {
		return new Uri('file', filePath);
	}

	static joinPath(base: Uri, ...names: readonly string[]): Uri {
		return new Uri(base.scheme, path.posix.join(base.path, ...names));
	}

	get fsPath(): string {
		return this.path;
	}

	toString(): string {
		return `${this.scheme}://${this.path}`;
	}
}

export class MarkdownString {
	isTrusted?: unknown;
	readonly value: string;

	constructor(value: string) {
		this.value = value;
	}
}

export class RelativePattern {}

export class ThemeIcon {
	readonly id: string;

	constructor(id: string) {
		this.id = id;
	}
}

export class CancellationTokenSource {
	readonly #cancelled = new Emitter<void>();
	readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

	cancel(): void {
		this.token.isCancellationRequested = true;
		this.#cancelled.fire();
	}

	dispose(): void {}
}

export class TabInputText {}
export class TabInputCustom {}
export class TabInputWebview {
	readonly viewType: string;

	constructor(viewType: string) {
		this.viewType = viewType;
	}
}

export class CancellationError extends Error {}
export class LanguageModelDataPart {}
export class LanguageModelPromptTsxPart {}
export class LanguageModelTextPart {
	readonly value: string;

	constructor(value: string) {
		this.value = value;
	}
}

export class LanguageModelToolResult {
	readonly content: readonly unknown[];

	constructor(content: readonly unknown[]) {
		this.content = content;
	}
}

export class ChatRequestTurn {}
export class ChatResponseTurn {}

export const QuickPickItemKind = { Separator: -1 };
export const ViewColumn = { Active: -1 };

export class Disposable {
	readonly dispose: () => void;

	constructor(dispose: () => void) {
		this.dispose = dispose;
	}

	static from(...all: readonly Disposable[]): Disposable {
		return new Disposable(() => {
			for (const one of all) one.dispose();
		});
	}
}

const silent = new Emitter<never>().event;
const trusted = new Emitter<void>();
const tabsChanged = new Emitter<{ readonly closed: readonly object[] }>();

/** The pages that the window has opened and not closed. */
export const panels: Panel[] = [];
/** Notifications, dialogs and status bar messages, with their buttons. */
export const messages: string[] = [];
/** What the user will press, choose from a list or type, one after the other. What does not fit stays for the next question. */
export const answers: string[] = [];
/** The lists and inputs that were shown: a list as its rows. */
export const questions: string[] = [];

/** Takes the next answer if it is one of these. */
function answered<T>(choices: readonly T[], nameOf: (choice: T) => string): T | undefined {
	const chosen = choices.find((choice) => nameOf(choice) === answers[0]);
	if (chosen !== undefined) answers.shift();
	return chosen;
}

const saying = async (text: string, ...more: readonly unknown[]) => {
	const buttons = more.filter((button) => typeof button === 'string');
	messages.push([text, ...buttons].join(' | '));
	return answered(buttons, String);
};

interface Row {
	readonly label: string;
	readonly description?: string;
	readonly detail?: string;
}

export const window = {
	tabGroups: {
		get all() {
			return [{ tabs: panels.map(({ tab }) => tab) }];
		},
		onDidChangeTabs: tabsChanged.event,
	},
	createWebviewPanel: (viewType: string) => new Panel(viewType),
	showInformationMessage: saying,
	showWarningMessage: saying,
	showErrorMessage: saying,
	setStatusBarMessage: saying,
	showQuickPick: async (rows: readonly Row[]) => {
		const texts = rows.map((row) => [row.label, row.description, row.detail].filter(Boolean).join(' · '));
		questions.push(texts.join('\n'));
		return answered(rows, ({ label }) => label);
	},
	showInputBox: async ({
		title,
		password = false,
	}: {
		readonly title: string;
		readonly password?: boolean;
	}) => {
		questions.push(password ? `${title} (hidden)` : title);
		return answers.shift();
	},
	withProgress: async (_: unknown, work: () => Promise<unknown>) => work(),
	onDidChangeWindowState: silent,
};

/** A page whose script answers as the test says. */
export class Panel {
	readonly visible = true;
	readonly tab: { readonly input: TabInputWebview };
	/** What the page was told, the last one last. */
	readonly told: unknown[] = [];
	readonly requests = new Emitter<unknown>();
	readonly #disposed = new Emitter<void>();
	readonly onDidDispose = this.#disposed.event;
	readonly webview = {
		html: '',
		options: {},
		cspSource: '',
		asWebviewUri: (uri: Uri) => uri,
		onDidReceiveMessage: this.requests.event,
		postMessage: async (message: unknown) => this.told.push(message),
	};

	constructor(viewType: string) {
		this.tab = { input: new TabInputWebview(`mainThreadWebview-${viewType}`) };
		panels.push(this);
	}

	reveal(): void {}

	dispose(): void {
		panels.splice(panels.indexOf(this), 1);
		this.#disposed.fire();
		tabsChanged.fire({ closed: [this.tab] });
	}
}

interface Folder {
	readonly uri: Uri;
	readonly name?: string;
}

const folder: Folder = { uri: Uri.file('/work') };

export const workspace = {
	isTrusted: true,
	workspaceFolders: [folder] as readonly Folder[] | undefined,
	/** By section and name. */
	settings: new Map<string, unknown>(),
	getConfiguration: (section: string) => ({
		get: (name: string) => workspace.settings.get(`${section}.${name}`),
		inspect: () => undefined,
	}),
	onDidChangeConfiguration: silent,
	onDidChangeWorkspaceFolders: silent,
	onDidSaveTextDocument: silent,
	/** Nobody writes files but the test, which has them read again. */
	createFileSystemWatcher: () => ({
		onDidChange: silent,
		onDidCreate: silent,
		onDidDelete: silent,
		dispose: () => {},
	}),
	textDocuments: [],
	fs: {
		readFile: ({ fsPath }: Uri) => readFile(fsPath),
		writeFile: async ({ fsPath }: Uri, bytes: Uint8Array) => {
			await mkdir(path.dirname(fsPath), { recursive: true });
			await writeFile(fsPath, bytes);
		},
	},
	onDidGrantWorkspaceTrust: trusted.event,
	asRelativePath: (uri: Uri) => path.posix.relative(folder.uri.path, uri.path),
};

export interface InvokedTool {
	readonly input: unknown;
	/** Ends when the caller no longer waits. */
	readonly token: CancellationTokenSource['token'];
}

export const lm = {
	tools: [{ name: 'vscode_get_confirmation_with_options' }],
	/** How the tools of the editor answer. */
	answer: async (_: InvokedTool): Promise<string> => '',
	invokeTool: async (_: string, { input }: { readonly input: unknown }, token: InvokedTool['token']) => ({
		content: [new LanguageModelTextPart(await lm.answer({ input, token }))],
	}),
};

export const commands = {
	/** What a command of the editor does. */
	run: async (_: string): Promise<unknown> => undefined,
	executeCommand: (name: string) => commands.run(name),
	getCommands: async () => [],
};
export const env = { language: 'en' };
export const extensions = { getExtension: () => ({ packageJSON: readLocalizedPackage() }) };
export const l10n = { bundle: undefined };

/** The user trusts the workspace. */
export function trust(): void {
	workspace.isTrusted = true;
	trusted.fire();
}

/** Makes the window as it was at first. */
export function reopen(): void {
	for (const panel of [...panels]) panel.dispose();
	commands.run = async () => undefined;
	for (const list of [messages, answers, questions]) list.length = 0;
	Object.assign(workspace, { isTrusted: true, workspaceFolders: [folder] });
	workspace.settings.clear();
}
