import * as vscode from 'vscode';
import { type Completion, type CompletionFacts, completionsAt } from '../../config/assist/completions.ts';
import { entriesOf, subjectAt } from '../../config/assist/cursorPlace.ts';
import type { ClientDefinition } from '../../config/models/clients.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import { isUnencrypted } from '../../config/servers/address.ts';
import type { Services } from '../../services.ts';
import { settings } from '../ui/ids.ts';
import { currentNodes, type ServerNode } from '../ui/nodes.ts';
import { Throttle } from '../ui/throttle.ts';
import { serverTooltip, toolTooltip } from '../ui/tooltips.ts';
import {
	absentServerLens,
	clientLens,
	discoveryLens,
	type LensLabel,
	modelLens,
	serverLens,
} from './codeLensLabels.ts';
import type { EditorServices } from './configEditors.ts';
import { QuickFixes, registerToolMarks } from './quickFixes.ts';
import { templatesBeside } from './workspaceDisk.ts';

/** Registers all that helps in the configuration file, for the files that it is or may be. */
export function registerConfigFeatures(services: EditorServices): vscode.Disposable {
	const lenses = new CodeLenses(services);
	const fixes = new QuickFixes(services);
	const marks = registerToolMarks(services);
	const completions = new Completions(services);
	const hovers = new Hovers(services);
	const register = (selector: vscode.DocumentSelector) =>
		vscode.Disposable.from(
			vscode.languages.registerCodeLensProvider(selector, lenses),
			vscode.languages.registerCodeActionsProvider(selector, fixes, {
				providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
			}),
			vscode.languages.registerCompletionItemProvider(selector, completions, '"', '{', '$', ':'),
			vscode.languages.registerHoverProvider(selector, hovers),
		);
	let files = selectorOf(services.configFile.uris);
	let registered = register(files.selector);
	const listener = services.configFile.onDidChange(() => {
		const now = selectorOf(services.configFile.uris);
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

/** The files themselves: no other file is ever asked about. */
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

/** Lines over code are laid out anew with each change: less often than views are. */
const lensRedrawMs = 300;

/** Says over each server, over `tool_discovery`, over models and over clients that bring their own how they stand now, with what can be done about it. */
export class CodeLenses implements vscode.CodeLensProvider, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeCodeLenses = this.#changed.event;
	readonly #services: EditorServices;
	readonly #pacer = new Throttle(() => this.#changed.fire(), lensRedrawMs);
	readonly #subscriptions: readonly { dispose(): void }[];

	constructor(services: EditorServices) {
		this.#services = services;
		const changed = () => this.#pacer.request();
		this.#subscriptions = [
			this.#changed,
			this.#pacer,
			services.sessions.onDidChange(changed),
			services.pool.onDidChange(changed),
			services.configFile.onDidChange(changed),
			services.keys.onDidChange(changed),
			services.modelLists.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
			vscode.workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${settings.section}.${settings.codeLens}`)) changed();
			}),
		];
	}

	async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
		const isOn = vscode.workspace.getConfiguration(settings.section, document).get(settings.codeLens, true);
		const { state } = this.#services.configFile;
		// The lenses tell of what is in force, which is the file of the first folder that has one.
		if (!isOn || state.kind !== 'ok' || state.uri.toString() !== document.uri.toString()) return [];
		const { servers, models, clients, discovery } = entriesOf(document.getText());
		const nodes = new Map(currentNodes(this.#services, state.config).map((node) => [node.status.name, node]));
		const at = (offset: number) => document.positionAt(offset);
		// Before anything is waited for: the text may change meanwhile.
		const placed = models.map(({ name, offset }) => ({ name, position: at(offset) }));
		const over = [
			...servers.flatMap(({ name, offset }) => lensesAt(at(offset), serverLenses(nodes.get(name), document))),
			...clients.flatMap(({ name, offset }) => lensesAt(at(offset), this.#client(name))),
			...(discovery && vscode.workspace.isTrusted
				? lensesAt(at(discovery.offset), discoveryLens(this.#services.sessions))
				: []),
		];
		const ofModels = placed.map(async ({ name, position }) => lensesAt(position, await this.#model(name)));
		return [...over, ...(await Promise.all(ofModels)).flat()];
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	/** Of a client that models of the file name, their own lines say enough. */
	#client(name: string): readonly LensLabel[] {
		const { configFile, modelLists } = this.#services;
		if (configFile.state.kind !== 'ok' || !vscode.workspace.isTrusted) return [];
		const client = configFile.state.config.clientsWithoutModels.find((one) => one.name === name);
		return client ? clientLens(client, modelLists.stateOf(client)) : [];
	}

	async #model(name: string): Promise<readonly LensLabel[]> {
		const { configFile, keys } = this.#services;
		const client = configFile.state.kind === 'ok' && configFile.state.config.models.get(name)?.client;
		if (!client || client.provider === 'ollama') return [];
		const source = await keys.sourceFor(client);
		return source.kind === 'none' && isOnThisMachine(client) ? [] : modelLens(client.name, source);
	}
}

function serverLenses(node: ServerNode | undefined, { isDirty }: vscode.TextDocument): readonly LensLabel[] {
	return node ? serverLens(node) : absentServerLens(vscode.workspace.isTrusted, isDirty);
}

/** Endpoints on this machine seldom want a key. */
function isOnThisMachine({ baseUrl }: ClientDefinition): boolean {
	return new URL(baseUrl).protocol === 'http:' && !isUnencrypted(baseUrl);
}

function lensesAt(position: vscode.Position, lenses: readonly LensLabel[]): vscode.CodeLens[] {
	const range = new vscode.Range(position, position);
	return lenses.map(({ title, command = '', argument }) => {
		const args = argument === undefined ? {} : { arguments: [argument] };
		// The editor drops a plain space behind an icon where there is no command.
		const spaced = title.replace(/^(\$\([\w~-]+\)) /, '$1\u00A0');
		return new vscode.CodeLens(range, { title: spaced, command, ...args });
	});
}

type HoverServices = Pick<Services, 'sessions' | 'pool' | 'configFile' | 'habits' | 'approvals'>;

/** Says of a server's or tool's name in the configuration file what the tree says of it. */
export class Hovers implements vscode.HoverProvider {
	readonly #services: HoverServices;

	constructor(services: HoverServices) {
		this.#services = services;
	}

	provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
		const subject = subjectAt(document.getText(), document.offsetAt(position));
		const { configFile } = this.#services;
		if (!subject || configFile.state.kind !== 'ok' || !vscode.workspace.isTrusted) return undefined;
		const servers = currentNodes(this.#services, configFile.state.config);
		const server = servers.find(({ status }) => status.name === subject.server);
		const node =
			subject.kind === 'server' ? server : server?.tools.find(({ tool }) => tool.name === subject.tool);
		if (!node) return undefined;
		const tooltip = node.kind === 'server' ? serverTooltip(node) : toolTooltip(node);
		const { start, end } = subject.stretch;
		const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
		return new vscode.Hover(new vscode.MarkdownString(tooltip), range);
	}
}

const completionKinds: Readonly<Record<Completion['kind'], vscode.CompletionItemKind>> = {
	server: vscode.CompletionItemKind.Module,
	client: vscode.CompletionItemKind.Module,
	tool: vscode.CompletionItemKind.Function,
	template: vscode.CompletionItemKind.File,
	variable: vscode.CompletionItemKind.Variable,
	entry: vscode.CompletionItemKind.Snippet,
};

/** Offers names in the configuration file: of clients, servers, tools, templates and variables. Never a variable's value. */
export class Completions implements vscode.CompletionItemProvider {
	readonly #services: Pick<Services, 'sessions' | 'configFile'>;

	constructor(services: Pick<Services, 'sessions' | 'configFile'>) {
		this.#services = services;
	}

	async provideCompletionItems(
		document: vscode.TextDocument,
		position: vscode.Position,
	): Promise<vscode.CompletionItem[]> {
		// What is typed while the facts are looked up must not be counted twice: the editor adds it to the ranges.
		const text = document.getText();
		const offset = document.offsetAt(position);
		const found = completionsAt(text, offset, await this.#facts(document.uri));
		return found.map((completion, index) => {
			const { start, end } = completion.stretch;
			// No text in quotes goes over a line.
			const range = new vscode.Range(
				position.translate(0, start - offset),
				position.translate(0, end - offset),
			);
			return toItem(completion, range, index);
		});
	}

	async #facts(uri: vscode.Uri): Promise<CompletionFacts> {
		const { sessions, configFile } = this.#services;
		const { env } = withSecrets(await configFile.scopeOf(uri));
		return {
			tools: (name) => sessions.catalog.tools.filter(({ server }) => server === name),
			templates: await templatesBeside(uri),
			variables: Object.keys(env).toSorted(),
		};
	}
}

function toItem(completion: Completion, range: vscode.Range, index: number): vscode.CompletionItem {
	const { kind, label, documentation, insert, isSnippet } = completion;
	const item = new vscode.CompletionItem(label, completionKinds[kind]);
	item.range = range;
	item.insertText = isSnippet ? new vscode.SnippetString(insert) : insert;
	// What is compared with the text in the range, quotes and all.
	item.filterText = kind === 'variable' ? label : range.isEmpty ? label : JSON.stringify(label);
	item.sortText = `0${String(index).padStart(5, '0')}`;
	if (documentation) item.documentation = documentation;
	return item;
}
