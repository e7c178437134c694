import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecord } from '../../common/json.ts';
import type { AcceptedDefinitions } from '../../mcp/accepted/acceptedDefinitions.ts';
import type { QuarantinedTool } from '../../mcp/accepted/definition.ts';
import { definitionHash, definitionText, readableDefinition } from '../../mcp/accepted/definition.ts';
import { commands, ids } from '../ui/ids.ts';
import { fileBaseName } from '../ui/labelText.ts';
import { ReadingDocuments } from '../ui/readingEditor.ts';
import { differenceTitle, quarantineMessage, shownName } from './quarantineLabels.ts';

/** Tools that wait for the user to accept them: what they are, how they differ, and accepting them. */
export class QuarantinedTools implements vscode.Disposable {
	readonly #pins: AcceptedDefinitions;
	readonly #documents = new ChangeDocuments();

	constructor(pins: AcceptedDefinitions) {
		this.#pins = pins;
	}

	/** Other tools are held than before. */
	get onDidChange(): AcceptedDefinitions['onDidChange'] {
		return this.#pins.onDidChange;
	}

	/** Servers of which tools are held, with those. */
	get servers(): ReadonlyMap<string, readonly ToolChange[]> {
		return new Map(
			[...this.#pins.held].map(([server, held]) => [server, held.map((one) => ({ server, held: one }))]),
		);
	}

	/**
	 * The change that a command is called on: a row of the Servers view, `{ server, tool }`, or an open difference, which means what
	 * it shows, whatever the tool has become since.
	 */
	changeOf(argument: unknown): ToolChange | undefined {
		if (argument instanceof vscode.Uri) return this.#documents.get(argument);
		const named = namedTool(argument);
		return named && this.servers.get(named.server)?.find(({ held }) => held.tool.name === named.tool);
	}

	/** The change that the active editor shows. */
	get shown(): ToolChange | undefined {
		return this.#documents.get(vscode.window.activeTextEditor?.document.uri);
	}

	show(changes: readonly ToolChange[]): Promise<void> {
		return this.#documents.show(changes);
	}

	/** Accepts tools as these changes show them; returns those that have changed once more since, and stay held. */
	accept(changes: readonly ToolChange[]): readonly ToolChange[] {
		for (const [server, its] of Map.groupBy(changes, (change) => change.server)) {
			this.#pins.accept(
				server,
				its.map(({ held }) => held),
			);
		}
		return changes.filter(({ server, held }) => this.#pins.isHeld(server, held.tool.name));
	}

	dispose(): void {
		this.#documents.dispose();
	}
}

function namedTool(argument: unknown): { readonly server: string; readonly tool: string } | undefined {
	if (!isRecord(argument)) return undefined;
	const { server, tool } = argument;
	if (typeof server === 'string' && typeof tool === 'string') return { server, tool };
	return isRecord(tool) && typeof tool.server === 'string' && typeof tool.name === 'string'
		? { server: tool.server, tool: tool.name }
		: undefined;
}

/** A tool that is held, and whose it is. */
export interface ToolChange {
	readonly server: string;
	readonly held: QuarantinedTool;
}

/** Read-only documents that show a tool as it was accepted beside what it is now, kept as long as they are open. */
export class ChangeDocuments implements vscode.Disposable {
	readonly #documents = new ReadingDocuments<ToolChange>(
		ids.definitionScheme,
		() => `// ${l10n.t('Differences are kept until their window is closed.')}`,
	);

	/** Opens the difference of one tool, or those of several one below the other. */
	async show(changes: readonly ToolChange[]): Promise<void> {
		const pairs = changes.map((change) => ({ change, ...this.#pair(change) }));
		const [first] = pairs;
		if (pairs.length === 1 && first) {
			const title = differenceTitle(first.change.held.tool.name);
			await vscode.commands.executeCommand('vscode.diff', first.accepted, first.now, title);
		} else if (first) {
			const title = l10n.t('Changed tools of “{0}”', shownName(first.change.server));
			const resources = pairs.map(({ accepted, now }) => [now, accepted, now]);
			await vscode.commands.executeCommand('vscode.changes', title, resources);
		}
	}

	/** The change that an open difference shows. */
	get(uri: vscode.Uri | undefined): ToolChange | undefined {
		return uri && this.#documents.get(uri)?.source;
	}

	dispose(): void {
		this.#documents.dispose();
	}

	#pair(change: ToolChange): { readonly accepted: vscode.Uri; readonly now: vscode.Uri } {
		const { tool, accepted } = change.held;
		const before = accepted === undefined ? unknownText(change.held) : readableDefinition(accepted);
		// A language of its own, in which lines wrap: what a description gained must not stand outside the window.
		const name = `${fileBaseName(tool.name)}.mcp-tool.jsonc`;
		const add = (text: string) => this.#documents.add(name, { text, source: change });
		return { accepted: add(before), now: add(readableDefinition(definitionText(tool))) };
	}
}

function unknownText({ why }: QuarantinedTool): string {
	const sentence =
		why === 'changed'
			? l10n.t('The definition that you accepted was too large to be kept.')
			: l10n.t('What you had accepted is not known any more.');
	return `// ${sentence}\n`;
}

/** Tells the user of tools that are held, once for each change: nothing else says why a tool is not found any more. */
export function registerQuarantineNotices(held: QuarantinedTools): vscode.Disposable {
	const told = new Set<string>();
	const tell = () => {
		for (const [server, changes] of held.servers) {
			const fresh = changes.map(changeIdentity).filter((id) => !told.has(id));
			for (const id of fresh) told.add(id);
			if (fresh.length > 0) void notifyOf(server, changes);
		}
	};
	const listener = held.onDidChange(tell);
	return { dispose: () => listener.dispose() };
}

async function notifyOf(server: string, changes: readonly ToolChange[]): Promise<void> {
	const message = quarantineMessage(
		server,
		changes.map((change) => change.held),
	);
	const [review, acceptAll] = [l10n.t('Review'), l10n.t('Accept All…')];
	const answer = await vscode.window.showWarningMessage(message, review, acceptAll);
	if (answer === review) await vscode.commands.executeCommand(commands.showToolChange, { server });
	if (answer === acceptAll) await vscode.commands.executeCommand(commands.acceptServerChanges, server);
}

function changeIdentity({ server, held }: ToolChange): string {
	return JSON.stringify([server, definitionHash(held.tool)]);
}
