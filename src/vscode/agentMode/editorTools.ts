import * as vscode from 'vscode';
import type { ToolRunner } from '../../chat/loopOptions.ts';
import type { FlowedText } from '../../chat/results/resultFlow.ts';
import type { CatalogServer, CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { tokenOf } from '../ui/cancellation.ts';
import { resultFromParts } from '../ui/editorParts.ts';
import { editorServer } from './editorServer.ts';

/** A call of one of VS Code's tools, with text from servers in its arguments. */
interface FlowingCall {
	readonly tool: CatalogTool;
	readonly args: Readonly<Record<string, unknown>>;
	readonly flows: readonly FlowedText[];
	/** Absent: the chat's own model makes the call. */
	readonly agent: string | undefined;
}

/** VS Code's tools, if the user wants them in search. */
export class EditorTools implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #extensions: vscode.Disposable;
	#name: string | undefined;
	#server: CatalogServer | undefined;

	constructor() {
		this.#extensions = vscode.extensions.onDidChange(() => this.refresh());
	}

	/** Absent if the user does not want them, or VS Code has none. */
	get server(): CatalogServer | undefined {
		return this.#server;
	}

	/** `name`: of the server that offers the tools; `undefined`: offers none. */
	offer(name: string | undefined): void {
		this.#name = name;
		this.refresh();
	}

	/** Reads the tools again: VS Code has no event for changes. */
	refresh(): void {
		const server = this.#name === undefined ? undefined : editorServer(this.#name, vscode.lm.tools);
		const offered = server && server.tools.length > 0 ? server : undefined;
		if (JSON.stringify(offered) === JSON.stringify(this.#server)) return;
		this.#server = offered;
		this.#changed.fire();
	}

	/**
	 * Runs VS Code's tools, and leaves servers' tools to `servers`. VS Code's tools ask the user, but do not say which text came from a
	 * server. So `refusal` asks first, and returns a result if the user declines.
	 */
	runner(
		servers: ToolRunner,
		toolInvocationToken: vscode.ChatParticipantToolToken | undefined,
		refusal: (call: FlowingCall, signal: AbortSignal) => Promise<ToolResult | undefined>,
	): ToolRunner {
		return async (tool, call, signal, ...watch) => {
			if (tool.server !== this.#name) return servers(tool, call, signal, ...watch);
			const [, , flows = [], agent] = watch;
			const refused = await refusal({ tool, args: { ...call.input }, flows, agent }, signal);
			if (refused) return refused;
			const cancellation = tokenOf(signal);
			try {
				const options = { input: { ...call.input }, toolInvocationToken };
				const { content } = await vscode.lm.invokeTool(tool.name, options, cancellation.token);
				return resultFromParts(content);
			} finally {
				cancellation.dispose();
			}
		};
	}

	dispose(): void {
		this.#extensions.dispose();
		this.#changed.dispose();
	}
}
