// A small window of VS Code for the classes that connect rooms: what they read is set by a test, what they show is kept. `editor.setup.ts` makes
// it the module `vscode` of all unit tests.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Emitter } from '../../../src/common/event.ts';
import { ids } from '../../../src/vscode/ui/ids.ts';
import { readLocalizedPackage } from '../../localizedPackage.ts';

export const EventEmitter = Emitter;

interface UriParts {
	readonly scheme: string;
	readonly authority?: string;
	readonly path: string;
	readonly query?: string;
}

export class Uri {
	readonly scheme: string;
	readonly authority: string;
	readonly path: string;
	readonly query: string;

	private constructor({ scheme, authority = '', path: filePath, query = '' }: UriParts) {
		this.scheme = scheme;
		this.authority = authority;
		this.path = filePath;
		this.query = query;
	}

	static file(filePath: string): Uri {
		return new Uri({ scheme: 'file', path: filePath });
	}

	static from(parts: UriParts): Uri {
		return new Uri(parts);
	}

	static parse(text: string): Uri {
		const { protocol, host, pathname, search } = new URL(text);
		const [scheme, query] = [protocol.slice(0, -1), search.slice(1)];
		return new Uri({ scheme, authority: host, path: decodeURIComponent(pathname), query });
	}

	static joinPath({ scheme, authority, path: base }: Uri, ...names: readonly string[]): Uri {
		return new Uri({ scheme, authority, path: path.posix.join(base, ...names) });
	}

	get fsPath(): string {
		return this.path;
	}

	toString(): string {
		return `${this.scheme}://${this.authority}${this.path}${this.query && `?${this.query}`}`;
	}
}

export class MarkdownString {
	isTrusted?: unknown;
	readonly value: string;
	readonly supportThemeIcons: boolean;

	constructor(value: string, supportThemeIcons = false) {
		this.value = value;
		this.supportThemeIcons = supportThemeIcons;
	}
}

export class RelativePattern {}
export class Position {
	readonly line: number;
	readonly character: number;

	constructor(line: number, character: number) {
		this.line = line;
		this.character = character;
	}

	isBefore({ line, character }: Position): boolean {
		return this.line < line || (this.line === line && this.character < character);
	}
}

export class Range {
	readonly start: Position;
	readonly end: Position;

	constructor(...ends: readonly [Position, Position] | readonly [number, number, number, number]) {
		const [start, end] =
			ends.length === 2 ? ends : [new Position(ends[0], ends[1]), new Position(ends[2], ends[3])];
		this.start = start;
		this.end = end;
	}

	intersection(other: Range): Range | undefined {
		return this.end.isBefore(other.start) || other.end.isBefore(this.start) ? undefined : this;
	}

	isEqual({ start, end }: Range): boolean {
		return (
			!this.start.isBefore(start) &&
			!start.isBefore(this.start) &&
			!this.end.isBefore(end) &&
			!end.isBefore(this.end)
		);
	}
}

export const CodeActionKind = { QuickFix: { value: 'quickfix' } };

export class CodeAction {
	readonly title: string;
	diagnostics?: readonly object[];
	edit?: WorkspaceEdit;
	command?: { readonly arguments: readonly unknown[] };
	isPreferred?: boolean;

	constructor(title: string) {
		this.title = title;
	}
}

export class ThemeIcon {
	readonly id: string;

	constructor(id: string) {
		this.id = id;
	}
}

export class ThemeColor extends ThemeIcon {}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export class TreeItem {
	readonly label: string;
	readonly collapsibleState: number;

	constructor(label: string, collapsibleState: number) {
		this.label = label;
		this.collapsibleState = collapsibleState;
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

export class TabInputText {
	readonly uri: Uri;

	constructor(uri: Uri) {
		this.uri = uri;
	}
}

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
export class ChatResponseTurn {
	readonly result = {};
	readonly response: readonly ChatResponseMarkdownPart[];

	constructor(response: readonly ChatResponseMarkdownPart[]) {
		this.response = response;
	}
}
export class ChatResponseMarkdownPart {
	readonly value: MarkdownString;

	constructor(value: MarkdownString) {
		this.value = value;
	}
}

export const QuickPickItemKind = { Separator: -1 };
export const ConfigurationTarget = { Global: 1 };
export const ViewColumn = { Active: -1, Beside: -2 };
export const ProgressLocation = { Notification: 15 };
export const QuickInputButtons = { Back: { tooltip: 'Back' } };

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
/** The lists, inputs and details of dialogs that were shown: a list as its rows, an input with the text that it starts with. */
export const questions: string[] = [];
/** The work that notifications have shown; the user can cancel it. */
export const works: CancellationTokenSource[] = [];
/** The documents that editors show, the active one last. */
export const shown: Document[] = [];
/** The views that were created. */
export const views: TreeView[] = [];
/** The commands that were run, with their arguments. */
export const ran: (readonly unknown[])[] = [];

/** Takes the next answer if it is one of these. */
function answered<T>(choices: readonly T[], nameOf: (choice: T) => string): T | undefined {
	const chosen = choices.find((choice) => nameOf(choice) === answers[0]);
	if (chosen !== undefined) answers.shift();
	return chosen;
}

/** Takes all next answers that are among these. */
function answeredAll<T>(choices: readonly T[], nameOf: (choice: T) => string): readonly T[] {
	const chosen = answered(choices, nameOf);
	return chosen === undefined ? [] : [chosen, ...answeredAll(choices, nameOf)];
}

const saying = async (text: string, ...more: readonly unknown[]) => {
	const buttons = more.filter((button) => typeof button === 'string');
	messages.push([text, ...buttons].join(' | '));
	questions.push(...more.flatMap((options) => (options as { readonly detail?: string }).detail ?? []));
	return answered(buttons, String);
};

interface Row {
	readonly label: string;
	readonly description?: string;
	readonly detail?: string;
}

const textOf = (rows: readonly Row[]) =>
	rows.map((row) => [row.label, row.description, row.detail].filter(Boolean).join(' · ')).join('\n');

interface Button {
	readonly tooltip?: string;
}

/** An input that stays open: a box, or a list if it has items. What the user types is no row of the list and no button; an empty answer is Enter. */
class QuickInput {
	readonly #typed = new Emitter<string>();
	readonly #accepted = new Emitter<void>();
	readonly #pressed = new Emitter<Button>();
	readonly #hidden = new Emitter<void>();
	readonly onDidChangeValue = this.#typed.event;
	readonly onDidAccept = this.#accepted.event;
	readonly onDidTriggerButton = this.#pressed.event;
	readonly onDidHide = this.#hidden.event;
	readonly #isList: boolean;
	value = '';
	title = '';
	prompt = '';
	password = false;
	busy = false;
	canSelectMany = false;
	buttons: readonly Button[] = [];
	selectedItems: readonly Row[] = [];
	#items: readonly Row[] = [];
	#isOpen = false;
	#isAsked = false;

	constructor(isList: boolean) {
		this.#isList = isList;
	}

	get items(): readonly Row[] {
		return this.#items;
	}

	set items(items: readonly Row[]) {
		this.#items = items;
		this.#answerSoon();
	}

	/** What is wrong with a text, which the user then types again. */
	set validationMessage(fault: string) {
		if (fault === '') return;
		questions.push(fault);
		this.#answerSoon();
	}

	show(): void {
		this.#isOpen = true;
		this.#answerSoon();
	}

	dispose(): void {
		this.#isOpen = false;
	}

	#answerSoon(): void {
		if (this.#isAsked) return;
		this.#isAsked = true;
		queueMicrotask(() => this.#answer());
	}

	/** Does what the user does next. Without an answer, the user presses Escape. */
	#answer(): void {
		this.#isAsked = false;
		if (!this.#isOpen || this.busy) return;
		const button = answered(this.buttons, ({ tooltip = '' }) => tooltip);
		if (button) this.#pressed.fire(button);
		else if (answers.length === 0) this.#hidden.fire();
		else if (!this.#isList) {
			const note = this.password ? 'hidden' : this.value;
			questions.push(`${this.title}: ${this.prompt}${note && ` (${note})`}`);
			this.#type();
			this.#accepted.fire();
		} else {
			const rows = this.canSelectMany ? answeredAll(this.items, ({ label }) => label) : [];
			const row = this.canSelectMany ? undefined : answered(this.items, ({ label }) => label);
			const isEntered = rows.length > 0 || row || answers[0] === '';
			if (answers[0] === '') answers.shift();
			if (!isEntered) this.#type();
			else {
				this.selectedItems = row ? [row] : rows;
				questions.push(textOf(this.items));
				this.#accepted.fire();
			}
		}
	}

	#type(): void {
		this.value = answers.shift() ?? '';
		this.#typed.fire(this.value);
	}
}

export const window = {
	tabGroups: {
		get all() {
			return [{ tabs: [...panels.map(({ tab }) => tab), ...shown.map(({ uri }) => tabOf(uri))] }];
		},
		get activeTabGroup() {
			const document = shown.at(-1);
			return { activeTab: document && tabOf(document.uri) };
		},
		close: async () => {},
		onDidChangeTabs: tabsChanged.event,
	},
	showTextDocument: async (document: Document) => void shown.push(document),
	createInputBox: () => new QuickInput(false),
	createQuickPick: () => new QuickInput(true),
	createTreeView: () => new TreeView(),
	registerFileDecorationProvider: () => new Disposable(() => {}),
	createWebviewPanel: (viewType: string) => new Panel(viewType),
	showInformationMessage: saying,
	showWarningMessage: saying,
	showErrorMessage: saying,
	setStatusBarMessage: saying,
	showQuickPick: async (rows: readonly Row[], { canPickMany }: { readonly canPickMany?: boolean } = {}) => {
		questions.push(textOf(rows));
		if (!canPickMany) return answered(rows, ({ label }) => label);
		const chosen = answeredAll(rows, ({ label }) => label);
		return chosen.length > 0 ? chosen : undefined;
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
	withProgress: async (
		_: unknown,
		work: (bar: object, token: CancellationTokenSource['token']) => Promise<unknown>,
	) => {
		const stop = new CancellationTokenSource();
		works.push(stop);
		return work({ report: () => {} }, stop.token);
	},
	onDidChangeWindowState: silent,
};

/** A view, and what the tree has set of it. */
export class TreeView {
	badge?: unknown;
	message?: string;
	description?: string;
	readonly selection: readonly unknown[] = [];

	constructor() {
		views.push(this);
	}

	dispose(): void {}
}

interface Document {
	readonly uri: Uri;
	readonly getText: () => string;
	readonly positionAt?: (offset: number) => Position;
	readonly replace?: (range: Range, text: string) => void;
}

/** A document that is being edited. */
export class EditedDocument implements Document {
	readonly uri: Uri;
	version = 1;
	isDirty = true;
	#text: string;

	constructor(uri: Uri, text: string) {
		this.uri = uri;
		this.#text = text;
	}

	readonly getText = (): string => this.#text;

	positionAt(offset: number): Position {
		const lines = this.#text.slice(0, offset).split('\n');
		return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
	}

	offsetAt({ line, character }: Position): number {
		return this.#text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
	}

	readonly replace = ({ start, end }: Range, text: string): void => {
		this.#text = this.#text.slice(0, this.offsetAt(start)) + text + this.#text.slice(this.offsetAt(end));
		this.version++;
		this.isDirty = true;
	};

	readonly save = async (): Promise<boolean> => {
		await writeFile(this.uri.fsPath, this.#text);
		this.isDirty = false;
		return true;
	};
}

const tabOf = (uri: Uri) => ({ input: new TabInputText(uri) });

/** A page whose script answers as the test says. */
export class Panel {
	readonly visible = true;
	readonly tab: { readonly input: TabInputWebview };
	/** The messages to the page, the last one last. */
	readonly posted: unknown[] = [];
	readonly requests = new Emitter<unknown>();
	readonly #disposed = new Emitter<void>();
	readonly onDidDispose = this.#disposed.event;
	readonly webview = {
		html: '',
		options: {},
		cspSource: '',
		asWebviewUri: (uri: Uri) => uri,
		onDidReceiveMessage: this.requests.event,
		postMessage: async (message: unknown) => this.posted.push(message),
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

interface ContentProvider {
	provideTextDocumentContent(uri: Uri): string;
}

const providers = new Map<string, ContentProvider>();

export class WorkspaceEdit {
	readonly deleted: Uri[] = [];
	readonly replaced: { readonly uri: Uri; readonly range: Range; readonly text: string }[] = [];

	replace(uri: Uri, range: Range, text: string): void {
		this.replaced.push({ uri, range, text });
	}

	deleteFile(uri: Uri): void {
		this.deleted.push(uri);
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
		update: async (name: string, value: unknown) => void workspace.settings.set(`${section}.${name}`, value),
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
	applyEdit: async ({ deleted, replaced }: WorkspaceEdit) => {
		for (const { fsPath } of deleted) await rm(fsPath, { force: true });
		for (const { uri, range, text } of replaced.toReversed()) {
			const document = shown.find((one) => one.uri.toString() === uri.toString());
			document?.replace?.(range, text);
		}
		return replaced.length === 0 || shown.some(({ replace }) => replace !== undefined);
	},
	registerTextDocumentContentProvider: (scheme: string, provider: ContentProvider) => {
		providers.set(scheme, provider);
		return new Disposable(() => providers.delete(scheme));
	},
	openTextDocument: async (uri: Uri): Promise<Document> => {
		const open = shown.find((one) => one.uri.toString() === uri.toString());
		if (open) return open;
		const text = providers.get(uri.scheme)?.provideTextDocumentContent(uri) ?? '';
		return {
			uri,
			getText: () => text,
			positionAt: (offset) => new EditedDocument(uri, text).positionAt(offset),
		};
	},
	onDidCloseTextDocument: silent,
	onDidGrantWorkspaceTrust: trusted.event,
	getWorkspaceFolder: (uri: Uri) =>
		workspace.workspaceFolders?.find((one) => uri.path.startsWith(`${one.uri.path}/`)),
	asRelativePath: (uri: Uri) => {
		const within = workspace.getWorkspaceFolder(uri);
		return within ? path.posix.relative(within.uri.path, uri.path) : uri.path;
	},
};

export interface InvokedTool {
	readonly input: unknown;
	/** Ends when the caller no longer waits. */
	readonly token: CancellationTokenSource['token'];
}

export const lm = {
	tools: [{ name: 'vscode_get_confirmation_with_options' }],
	/** The models that the user can choose. */
	models: [] as readonly object[],
	selectChatModels: async () => lm.models,
	/** How the tools of the editor answer. */
	answer: async (_: InvokedTool): Promise<string> => '',
	invokeTool: async (_: string, { input }: { readonly input: unknown }, token: InvokedTool['token']) => ({
		content: [new LanguageModelTextPart(await lm.answer({ input, token }))],
	}),
};

/** What registered commands do, by name. */
export const registered = new Map<string, (...given: never[]) => unknown>();

export const commands = {
	/** What a command of the editor does. */
	run: async (_: string): Promise<unknown> => undefined,
	executeCommand: (...command: readonly [name: string, ...unknown[]]) => {
		ran.push(command);
		return commands.run(command[0]);
	},
	getCommands: async () => [],
	registerCommand: (name: string, run: (...given: never[]) => unknown) => {
		registered.set(name, run);
		return new Disposable(() => registered.delete(name));
	},
};
export const env = { language: 'en' };
export const extensions = {
	getExtension: (id: string) => (id === ids.extension ? { packageJSON: readLocalizedPackage() } : undefined),
};
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
	for (const list of [messages, answers, questions, works, shown, views, ran]) list.length = 0;
	Object.assign(workspace, { isTrusted: true, workspaceFolders: [folder], textDocuments: [] });
	workspace.settings.clear();
}
