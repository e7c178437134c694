import * as vscode from 'vscode';
import type { ToolRunner } from '../../chat/loopOptions.ts';
import type { FlowedText } from '../../chat/results/resultFlow.ts';
import type { CatalogServer, CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { tokenOf } from '../ui/cancellation.ts';
import { resultFromParts } from '../ui/editorParts.ts';
import { editorServer } from './editorServer.ts';

/** A call of one of the editor's tools, with what it carries on from servers. */
interface FlowingCall {
	readonly tool: CatalogTool;
	readonly args: Readonly<Record<string, unknown>>;
	readonly flows: readonly FlowedText[];
	/** The agent that wants to make it; absent for the chat's own model. */
	readonly agent: string | undefined;
}

/** The editor's tools as they are now, where the user wants them found. */
export class EditorTools implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #extensions: vscode.Disposable;
	#name: string | undefined;
	#server: CatalogServer | undefined;

	constructor() {
		this.#extensions = vscode.extensions.onDidChange(() => this.refresh());
	}

	/** Absent where the user does not want them, or there are none. */
	get server(): CatalogServer | undefined {
		return this.#server;
	}

	/** Offers the tools as a server of this name; `undefined`: not at all. */
	offer(name: string | undefined): void {
		this.#name = name;
		this.refresh();
	}

	/** Looks again which tools there are: the editor has no event for that. */
	refresh(): void {
		const server = this.#name === undefined ? undefined : editorServer(this.#name, vscode.lm.tools);
		const offered = server && server.tools.length > 0 ? server : undefined;
		if (JSON.stringify(offered) === JSON.stringify(this.#server)) return;
		this.#server = offered;
		this.#changed.fire();
	}

	/**
	 * Runs the editor's tools of one chat request, and leaves those of servers to `servers`. Each of the editor's tools asks the user itself;
	 * none says what came from a server, so that `refusal` asks before: it answers for the user where they say no.
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
