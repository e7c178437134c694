import * as vscode from 'vscode';
import type { ArgumentCheck, ToolRunner } from '../../chat/loopOptions.ts';
import { misfit } from '../../chat/misfit.ts';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { isUnconfigured } from '../../discovery/policy.ts';
import { cut } from '../../discovery/text.ts';
import { declinedResult, errorResult, resultText, type ToolResult } from '../../discovery/toolResult.ts';
import { callableName, callableTool } from '../../discovery/verbs/verb.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { signalOf, tokenOf } from '../cancellation.ts';
import { asksFirst, callQuestion, harmClaim, onlyReads, shownCharacters } from '../confirmation.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { ids } from '../ids.ts';
import { resultFromParts, resultPart } from '../models/languageModel.ts';
import { progressText } from '../progressText.ts';

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

/**
 * The language-model tool that runs any MCP tool of the configuration, or only those that say that they only read. VS Code asks
 * the user before it runs one that may change something, in its own confirmation, and shows the call in the chat.
 */
export class CallTool implements vscode.LanguageModelTool<CallToolInput> {
	readonly #hub: DiscoveryHub;
	readonly #pool: ServerPool;
	readonly #only: 'any' | 'reading';
	readonly #check: ArgumentCheck;
	/** Calls that the tool loop has sent through VS Code, by their input as JSON. */
	readonly #expected = new Map<string, ExpectedCall[]>();

	/** `check`: for calls of other chats, which know no schema but what they were told; the loop checks its own. */
	constructor(hub: DiscoveryHub, pool: ServerPool, only: 'any' | 'reading', check: ArgumentCheck) {
		this.#hub = hub;
		this.#pool = pool;
		this.#only = only;
		this.#check = check;
	}

	async prepareInvocation({
		input,
	}: vscode.LanguageModelToolInvocationPrepareOptions<CallToolInput>): Promise<vscode.PreparedToolInvocation> {
		const tool = this.#resolve(input.tool);
		// Before the user is asked: a call that cannot succeed is no question for anybody.
		if (!this.#expected.has(JSON.stringify(input))) await this.#mustFit(tool, input);
		const invocationMessage = new vscode.MarkdownString(`Call of ${code(tool.id)}`);
		if (!asksFirst(tool)) return { invocationMessage };
		// VS Code shows all of the arguments below it.
		const paragraphs = [harmClaim(tool), argumentList(input.arguments ?? {})].filter(Boolean);
		const message = new vscode.MarkdownString(paragraphs.join('\n\n'));
		return {
			invocationMessage,
			confirmationMessages: { title: callQuestion(tool), message },
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
		const input: CallToolInput = { tool: callableName(tool, this.#hub.surface().names), arguments: args };
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

	async #mustFit(tool: CatalogTool, input: CallToolInput): Promise<void> {
		const faults = await this.#check(tool.inputSchema, input.arguments ?? {});
		if (faults.length > 0) throw new Error(misfit(input.tool, tool, faults));
	}

	#resolve(name: string): CatalogTool {
		const found = callableTool(name, this.#hub.surface().names);
		if (!found.ok) throw new Error(found.message);
		if (isUnconfigured(found.tool, this.#hub.policy)) {
			throw new Error(`'${name}' is a tool of the editor: call ${found.tool.name} itself.`);
		}
		if (this.#only === 'any' || onlyReads(found.tool)) return found.tool;
		throw new Error(`'${name}' does not only read: call it with ${ids.callTool}.`);
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

function argumentList(input: Readonly<Record<string, unknown>>): string {
	const rows = Object.entries(input).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `- ${plain(name, shownCharacters)}: ${code(cut(text, shownCharacters))}`;
	});
	return rows.join('\n') || 'It gets no arguments.';
}
