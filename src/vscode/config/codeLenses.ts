import * as vscode from 'vscode';
import { isReadableOnTheWay } from '../../config/address.ts';
import { entriesOf } from '../../config/assist/subjects.ts';
import type { ClientDefinition } from '../../config/config.ts';
import { settings } from '../ids.ts';
import { keyRequest } from '../keys/keyStore.ts';
import { clientLens } from '../models/listWords.ts';
import { Pacer } from '../pacer.ts';
import { serverNodes } from '../servers/serverNodes.ts';
import type { ConfigFeatureParts } from './configFeatureParts.ts';
import { absentServerLens, discoveryLens, type LensWords, modelLens, serverLens } from './lensWords.ts';

/** Lines over code are laid out anew with each change: less often than views are. */
const redrawEveryMs = 300;

/** Says over each server, over `tool_discovery`, over models and over clients that bring their own how they stand now, with what can be done about it. */
export class CodeLenses implements vscode.CodeLensProvider, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeCodeLenses = this.#changed.event;
	readonly #parts: ConfigFeatureParts;
	readonly #pacer = new Pacer(() => this.#changed.fire(), redrawEveryMs);
	readonly #subscriptions: readonly { dispose(): void }[];

	constructor(parts: ConfigFeatureParts) {
		this.#parts = parts;
		const changed = () => this.#pacer.request();
		this.#subscriptions = [
			this.#changed,
			this.#pacer,
			parts.hub.onDidChange(changed),
			parts.pool.onDidChange(changed),
			parts.configFile.onDidChange(changed),
			parts.onDidChangeSecrets(changed),
			parts.modelLists.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
			vscode.workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${settings.section}.${settings.codeLens}`)) changed();
			}),
		];
	}

	async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
		const isOn = vscode.workspace.getConfiguration(settings.section, document).get(settings.codeLens, true);
		const { state } = this.#parts.configFile;
		// The lenses tell of what is in force, which is the file of the first folder that has one.
		if (!isOn || state.kind !== 'ok' || state.uri.toString() !== document.uri.toString()) return [];
		const { servers, models, clients, discovery } = entriesOf(document.getText());
		const at = (offset: number) => document.positionAt(offset);
		// Before anything is waited for: the text may change meanwhile.
		const placed = models.map(({ name, offset }) => ({ name, position: at(offset) }));
		const over = [
			...servers.flatMap(({ name, offset }) => lensesAt(at(offset), this.#server(name, document))),
			...clients.flatMap(({ name, offset }) => lensesAt(at(offset), this.#client(name))),
			...(discovery && vscode.workspace.isTrusted
				? lensesAt(at(discovery.offset), discoveryLens(this.#parts.hub))
				: []),
		];
		const ofModels = placed.map(async ({ name, position }) => lensesAt(position, await this.#model(name)));
		return [...over, ...(await Promise.all(ofModels)).flat()];
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	#server(name: string, { isDirty }: vscode.TextDocument): readonly LensWords[] {
		const { hub, pool, configFile, suggestions } = this.#parts;
		const launches = configFile.state.kind === 'ok' ? configFile.state.config.launches : new Map();
		const nodes = serverNodes(hub, pool.servers(), launches, suggestions.suggestions());
		const node = nodes.find(({ status }) => status.name === name);
		return node ? serverLens(node) : absentServerLens(vscode.workspace.isTrusted, isDirty);
	}

	/** Of a client that models of the file name, their own lines say enough. */
	#client(name: string): readonly LensWords[] {
		const { configFile, modelLists } = this.#parts;
		if (configFile.state.kind !== 'ok' || !vscode.workspace.isTrusted) return [];
		const client = configFile.state.config.clientsWithoutModels.find((one) => one.name === name);
		return client ? clientLens(client, modelLists.stateOf(client)) : [];
	}

	async #model(name: string): Promise<readonly LensWords[]> {
		const { configFile, keys } = this.#parts;
		const client = configFile.state.kind === 'ok' && configFile.state.config.models.get(name)?.client;
		if (!client || client.provider === 'ollama') return [];
		const source = await keys.sourceFor(keyRequest(client));
		return source.kind === 'none' && isOnThisMachine(client) ? [] : modelLens(client.name, source);
	}
}

/** Endpoints on this machine seldom want a key. */
function isOnThisMachine({ baseUrl }: ClientDefinition): boolean {
	return new URL(baseUrl).protocol === 'http:' && !isReadableOnTheWay(baseUrl);
}

function lensesAt(position: vscode.Position, lenses: readonly LensWords[]): vscode.CodeLens[] {
	const range = new vscode.Range(position, position);
	return lenses.map(({ title, command = '', argument }) => {
		const args = argument === undefined ? {} : { arguments: [argument] };
		// The editor drops a plain space behind an icon where there is no command.
		const spaced = title.replace(/^(\$\([\w~-]+\)) /, '$1\u00A0');
		return new vscode.CodeLens(range, { title: spaced, command, ...args });
	});
}
