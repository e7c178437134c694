import * as vscode from 'vscode';
import { isRecord } from '../../discovery/record.ts';
import type { DefinitionPins } from '../../mcp/pins/definitionPins.ts';
import { ChangeDocuments, type ToolChange } from './changeDocuments.ts';

/** Tools that wait for the user to accept them: what they are, how they differ, and accepting them. */
export class HeldTools implements vscode.Disposable {
	readonly #pins: DefinitionPins;
	readonly #documents = new ChangeDocuments();

	constructor(pins: DefinitionPins) {
		this.#pins = pins;
	}

	/** Other tools are held than before. */
	get onDidChange(): DefinitionPins['onDidChange'] {
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
