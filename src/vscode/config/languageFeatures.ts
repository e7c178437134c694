import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import {
	type Completion,
	type CompletionFacts,
	completionsAt,
	isInEmptySection,
} from '../../config/assist/completions.ts';
import { serverEntries, subjectAt } from '../../config/assist/cursorPlace.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { ConfigFile } from '../core/configFile.ts';
import type { Configuration } from '../core/configuration.ts';
import type { ServerModels } from '../core/serverModels.ts';
import { shortTitle } from '../ui/messages.ts';
import { Throttle } from '../ui/throttle.ts';
import { tooltipOf } from '../ui/tooltips.ts';
import { absentServerLens, type LensLabel, overriddenLens, serverLens } from './codeLensLabels.ts';
import { type QuickFixes, registerToolMarks } from './quickFixes.ts';

/** Not `{`: Enter behind it would accept a suggestion instead of starting a line. */
const completionTriggers = ['"', '$', ':', '\n'];

interface FeatureParts {
	readonly configFile: Configuration;
	readonly serverModels: ServerModels;
	readonly sessions: ChatSessions;
	readonly fixes: QuickFixes;
}

/** Registers lenses, fixes, completions and hovers for all configuration files, also missing ones. */
export function registerConfigFeatures({
	configFile,
	serverModels,
	sessions,
	fixes,
}: FeatureParts): vscode.Disposable {
	const lenses = new CodeLenses(configFile, serverModels);
	const marks = registerToolMarks(sessions, configFile);
	const completions: vscode.CompletionItemProvider = {
		provideCompletionItems: (document, position, _token, { triggerCharacter }) => {
			// Elsewhere, Enter is just a new line.
			if (triggerCharacter === '\n' && !isInEmptySection(document.getText(), document.offsetAt(position)))
				return [];
			return completionItems(completionFacts(sessions, configFile, document.uri), document, position);
		},
	};
	const hovers: vscode.HoverProvider = {
		provideHover: (document, position) => hoverAt(configFile, serverModels, document, position),
	};
	const register = (selector: vscode.DocumentSelector) =>
		vscode.Disposable.from(
			vscode.languages.registerCodeLensProvider(selector, lenses),
			vscode.languages.registerCodeActionsProvider(selector, fixes, {
				providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
			}),
			vscode.languages.registerCompletionItemProvider(selector, completions, ...completionTriggers),
			vscode.languages.registerHoverProvider(selector, hovers),
		);
	let files = selectorOf(configFile.uris);
	let registered = register(files.selector);
	const listener = configFile.onDidChange(() => {
		const now = selectorOf(configFile.uris);
		if (now.id === files.id) return;
		files = now;
		registered.dispose();
		registered = register(files.selector);
	});
	return new vscode.Disposable(() => {
		listener.dispose();
		registered.dispose();
		lenses.dispose();
		fixes.dispose();
		marks.dispose();
	});
}

function selectorOf(uris: readonly vscode.Uri[]): {
	readonly id: string;
	readonly selector: vscode.DocumentFilter[];
} {
	const selector = uris.map((uri) => {
		const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
		return { scheme: uri.scheme, pattern: new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name) };
	});
	return { id: uris.join('\n'), selector };
}

/** Shortest time between redraws of lenses, in milliseconds: longer than for views, because lenses move the text. */
const lensRedrawMs = 300;

/** The lenses of servers: their state, and what can be done. */
class CodeLenses implements vscode.CodeLensProvider, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeCodeLenses = this.#changed.event;
	readonly #configFile: Configuration;
	readonly #serverModels: ServerModels;
	readonly #throttle = new Throttle(() => this.#changed.fire(), lensRedrawMs);
	readonly #subscriptions: readonly { dispose(): void }[];

	constructor(configFile: Configuration, serverModels: ServerModels) {
		this.#configFile = configFile;
		this.#serverModels = serverModels;
		const changed = () => this.#throttle.request();
		this.#subscriptions = [
			this.#changed,
			this.#throttle,
			serverModels.onDidChange(changed),
			configFile.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const configFile = this.#configFile;
		// Lenses show what is in force.
		const file = configFile.fileAt(document.uri);
		if (configFile.state.kind !== 'ok' || file?.state.kind !== 'ok') return [];
		return serverEntries(document.getText()).flatMap(({ name, offset }) =>
			lensesAt(document.positionAt(offset), this.#server(name, file, document)),
		);
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	#server(key: string, file: ConfigFile, { isDirty }: vscode.TextDocument): readonly LensLabel[] {
		const configFile = this.#configFile;
		const server = configFile.serverIn(file, key);
		const node = server && this.#serverModels.server(server.name);
		if (node) return serverLens(node);
		const overriding = configFile.serverInstead(file, key)?.file.label;
		if (overriding !== undefined) return overriddenLens(overriding);
		const faulty = this.#serverModels.faulty.find(({ name }) => name === server?.name);
		return absentServerLens(vscode.workspace.isTrusted, isDirty, faulty);
	}
}

function lensesAt(position: vscode.Position, lenses: readonly LensLabel[]): vscode.CodeLens[] {
	const range = new vscode.Range(position, position);
	return lenses.map(({ command = '', title = shortTitle(command), argument }) => {
		const args = argument === undefined ? {} : { arguments: [argument] };
		// VS Code drops a plain space after an icon if there is no command.
		const spaced = title.replace(/^(\$\([\w~-]+\)) /, '$1\u00A0');
		return new vscode.CodeLens(range, { title: spaced, command, ...args });
	});
}

/** The tree's tooltip, for the name of a server or tool in the configuration file. */
function hoverAt(
	configFile: Configuration,
	serverModels: ServerModels,
	document: vscode.TextDocument,
	position: vscode.Position,
): vscode.Hover | undefined {
	const subject = subjectAt(document.getText(), document.offsetAt(position));
	if (!subject) return undefined;
	const { name } = configFile.serverIn(configFile.fileAt(document.uri), subject.server) ?? {
		name: subject.server,
	};
	const node =
		subject.kind === 'server'
			? serverModels.server(name)
			: serverModels.tool({ server: name, name: subject.tool });
	if (!node) return undefined;
	const tooltip = tooltipOf(node);
	const { start, end } = subject.stretch;
	const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
	return new vscode.Hover(new vscode.MarkdownString(tooltip), range);
}

const completionKinds: Readonly<Record<Completion['kind'], vscode.CompletionItemKind>> = {
	form: vscode.CompletionItemKind.Snippet,
	server: vscode.CompletionItemKind.Module,
	client: vscode.CompletionItemKind.Module,
	tool: vscode.CompletionItemKind.Function,
	variable: vscode.CompletionItemKind.Variable,
};

/** Completes names of clients, servers, tools and variables; never values of variables. */
function completionItems(
	facts: CompletionFacts,
	document: vscode.TextDocument,
	position: vscode.Position,
): vscode.CompletionItem[] {
	const offset = document.offsetAt(position);
	const completions = completionsAt(document.getText(), offset, facts);
	return completions.map((completion, index) => {
		const { start, end } = completion.stretch;
		// Quoted text is always on one line.
		const range = new vscode.Range(
			position.translate(0, start - offset),
			position.translate(0, end - offset),
		);
		return toItem(completion, range, index, document.getText(range));
	});
}

function completionFacts(
	sessions: ChatSessions,
	configFile: Configuration,
	uri: vscode.Uri,
): CompletionFacts {
	const file = configFile.fileAt(uri);
	const { env } = file ? withSecrets(file.knownScope) : { env: {} };
	return {
		tools: (key) => {
			const { name } = configFile.serverIn(file, key) ?? { name: key };
			return sessions.catalog.tools.filter(({ server }) => server === name);
		},
		variables: Object.keys(env).toSorted(),
	};
}

function toItem(
	completion: Completion,
	range: vscode.Range,
	index: number,
	written: string,
): vscode.CompletionItem {
	const { kind, label, documentation, insert, isSnippet } = completion;
	const item = new vscode.CompletionItem(label, completionKinds[kind]);
	item.range = range;
	item.insertText = isSnippet ? new vscode.SnippetString(insert) : insert;
	// Compared with the text in the range, including quotes.
	item.filterText =
		kind === 'form' ? written || label : kind === 'variable' || range.isEmpty ? label : JSON.stringify(label);
	item.sortText = `0${String(index).padStart(5, '0')}`;
	if (documentation) item.documentation = documentation;
	return item;
}
