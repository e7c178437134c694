import * as vscode from 'vscode';
import type { ToolRunner } from '../../chat/loopOptions.ts';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { cut, oneLine } from '../../discovery/text.ts';
import { declinedResult, errorResult, resultText, type ToolResult } from '../../discovery/toolResult.ts';
import type { CallProgress } from '../../mcp/connection.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { signalOf, tokenOf } from '../cancellation.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { ids, settings } from '../ids.ts';
import { resultFromParts, resultPart } from '../models/languageModel.ts';

/** Input of the language-model tools that run MCP tools. */
interface CallToolInput {
	/** Wire name, `server:tool`, or the bare name where only one tool has it. */
	readonly tool: string;
	readonly arguments?: Record<string, unknown>;
}

/** A call on its way through VS Code. */
interface ExpectedCall {
	/** It has reached the tool: the user has not skipped it. */
	invoked: boolean;
	readonly onProgress: (progress: string) => void;
	readonly onBegun: () => void;
}

/** Characters of one argument that a confirmation shows; VS Code shows all of them below it. */
const shownCharacters = 200;

/**
 * The language-model tool that runs any MCP tool of the configuration, or only those that say that they only read. VS Code asks
 * the user before it runs one that may change something, in its own confirmation, and shows the call in the chat.
 */
export class CallTool implements vscode.LanguageModelTool<CallToolInput> {
	readonly #hub: DiscoveryHub;
	readonly #pool: ServerPool;
	readonly #only: 'any' | 'reading';
	/** Calls that the tool loop has sent through VS Code, by their input as JSON. */
	readonly #expected = new Map<string, ExpectedCall[]>();

	constructor(hub: DiscoveryHub, pool: ServerPool, only: 'any' | 'reading') {
		this.#hub = hub;
		this.#pool = pool;
		this.#only = only;
	}

	prepareInvocation({
		input,
	}: vscode.LanguageModelToolInvocationPrepareOptions<CallToolInput>): vscode.PreparedToolInvocation {
		const tool = this.#resolve(input.tool);
		const invocationMessage = new vscode.MarkdownString(`Call of ${code(tool.id)}`);
		if (onlyReads(tool) && !asksAlways()) return { invocationMessage };
		const claim = tool.annotations?.destructiveHint === true ? 'May delete or overwrite something.\n\n' : '';
		const message = new vscode.MarkdownString(claim + argumentList(input.arguments ?? {}));
		return {
			invocationMessage,
			confirmationMessages: { title: `Call ${shown(tool.name)} of ${shown(tool.server)}?`, message },
		};
	}

	async invoke(
		{ input }: vscode.LanguageModelToolInvocationOptions<CallToolInput>,
		token: vscode.CancellationToken,
	): Promise<vscode.LanguageModelToolResult> {
		const expected = this.#expected.get(JSON.stringify(input))?.find((call) => !call.invoked);
		if (expected) expected.invoked = true;
		expected?.onBegun();
		const tool = this.#resolve(input.tool);
		const stop = signalOf(token);
		try {
			const result = await this.#pool.callTool(tool.server, tool.name, input.arguments ?? {}, {
				signal: stop.signal,
				onProgress: (progress) => expected?.onProgress(progressText(progress)),
			});
			// An exception is how a language-model tool says that it failed.
			if (result.isError) throw new Error(resultText(result));
			return new vscode.LanguageModelToolResult(result.content.map(resultPart));
		} finally {
			stop.dispose();
		}
	}

	/** Runs a call through VS Code, which asks the user first, or answers in our place where the user skips it. */
	async run(
		id: string,
		tool: CatalogTool,
		args: Record<string, unknown>,
		watch: Pick<ExpectedCall, 'onProgress' | 'onBegun'>,
		token: vscode.ChatParticipantToolToken | undefined,
		cancellation: vscode.CancellationToken,
	): Promise<ToolResult> {
		const input: CallToolInput = { tool: this.#shownName(tool), arguments: args };
		const key = JSON.stringify(input);
		const call: ExpectedCall = { invoked: false, ...watch };
		const calls = this.#expected.get(key) ?? [];
		this.#expected.set(key, [...calls, call]);
		try {
			const options = { input, toolInvocationToken: token };
			const { content } = await vscode.lm.invokeTool(id, options, cancellation);
			return call.invoked ? resultFromParts(content) : declinedResult(tool.id);
		} finally {
			const others = (this.#expected.get(key) ?? []).filter((other) => other !== call);
			if (others.length > 0) this.#expected.set(key, others);
			else this.#expected.delete(key);
		}
	}

	/** `server:tool`, as people read it, where it leads to this tool alone; else the wire name, which always does. */
	#shownName(tool: CatalogTool): string {
		const resolution = this.#hub.surface().names.resolve(tool.id);
		const isOwn = resolution.kind === 'found' && resolution.tool.wireName === tool.wireName;
		return isOwn ? tool.id : tool.wireName;
	}

	#resolve(name: string): CatalogTool {
		const resolution = this.#hub.surface().names.resolve(name);
		if (resolution.kind === 'found') {
			if (this.#only === 'any' || onlyReads(resolution.tool)) return resolution.tool;
			throw new Error(`'${name}' does not only read: call it with ${ids.callTool}.`);
		}
		const candidates = resolution.kind === 'ambiguous' ? resolution.candidates : resolution.closest;
		const hint = candidates.length > 0 ? ` Closest: ${candidates.map((tool) => tool.id).join(', ')}.` : '';
		throw new Error(`There is no tool '${name}'.${hint}`);
	}
}

/** Runs the tools of one chat request through {@link CallTool}, so that VS Code confirms and shows each call. */
export function toolRunner(
	tools: { readonly any: CallTool; readonly reading: CallTool },
	token: vscode.ChatParticipantToolToken | undefined,
): ToolRunner {
	return async (tool, call, signal, onProgress, onBegun) => {
		const cancellation = tokenOf(signal);
		const [id, callTool] = onlyReads(tool) ? [ids.readTool, tools.reading] : [ids.callTool, tools.any];
		try {
			return await callTool.run(
				id,
				tool,
				{ ...call.input },
				{ onProgress, onBegun },
				token,
				cancellation.token,
			);
		} catch (error) {
			return errorResult(error instanceof Error ? error.message : String(error));
		} finally {
			cancellation.dispose();
		}
	};
}

/** What the tool's server says of it. */
function onlyReads(tool: CatalogTool): boolean {
	return tool.annotations?.readOnlyHint === true;
}

function asksAlways(): boolean {
	return vscode.workspace.getConfiguration(settings.section).get(settings.confirmTools) === 'always';
}

/** `3 of 10: copying`, as far as the server says so. */
function progressText({ progress, total, message }: CallProgress): string {
	const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
	return message ? `${count}: ${message}` : count;
}

/** Somebody else's name in a title, which is plain text. */
function shown(name: string): string {
	return oneLine(name, 60);
}

function argumentList(input: Readonly<Record<string, unknown>>): string {
	const rows = Object.entries(input).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `- ${plain(name, shownCharacters)}: ${code(cut(text, shownCharacters))}`;
	});
	return rows.join('\n') || 'It gets no arguments.';
}
