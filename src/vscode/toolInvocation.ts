import * as vscode from 'vscode';
import type { ToolRunner } from '../chat/toolLoop.ts';
import type { CatalogTool } from '../discovery/catalog.ts';
import { code, plain } from '../discovery/markdown.ts';
import { cut } from '../discovery/text.ts';
import { errorResult, resultText } from '../discovery/toolResult.ts';
import type { ServerPool } from '../mcp/serverPool.ts';
import type { DiscoveryHub } from './discoveryHub.ts';
import { ids, settings } from './ids.ts';
import { resultFromParts, resultPart } from './languageModel.ts';

/** Input of the language-model tools that run MCP tools. */
interface CallToolInput {
	/** Wire name, `server:tool`, or the bare name where only one tool has it. */
	readonly tool: string;
	readonly arguments?: Record<string, unknown>;
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
	/** How many calls of an input, as JSON, have reached {@link invoke} and not been asked for by {@link takeInvoked}. */
	readonly #invoked = new Map<string, number>();

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
		const message = new vscode.MarkdownString(argumentList(input.arguments ?? {}));
		return {
			invocationMessage,
			confirmationMessages: { title: `Call ${tool.name} of ${tool.server}?`, message },
		};
	}

	async invoke(
		{ input }: vscode.LanguageModelToolInvocationOptions<CallToolInput>,
		token: vscode.CancellationToken,
	): Promise<vscode.LanguageModelToolResult> {
		const key = JSON.stringify(input);
		this.#invoked.set(key, (this.#invoked.get(key) ?? 0) + 1);
		const tool = this.#resolve(input.tool);
		const abort = new AbortController();
		const subscription = token.onCancellationRequested(() => abort.abort());
		try {
			const result = await this.#pool.callTool(tool.server, tool.name, input.arguments ?? {}, {
				signal: abort.signal,
			});
			// An exception is how a language-model tool says that it failed.
			if (result.isError) throw new Error(resultText(result));
			return new vscode.LanguageModelToolResult(result.content.map(resultPart));
		} finally {
			subscription.dispose();
		}
	}

	/** Whether a call with this input got past the user; each is told once. */
	takeInvoked(input: CallToolInput): boolean {
		const key = JSON.stringify(input);
		const times = this.#invoked.get(key) ?? 0;
		if (times > 1) this.#invoked.set(key, times - 1);
		else this.#invoked.delete(key);
		return times > 0;
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

/**
 * Runs the tools of one chat request through {@link CallTool}, so that VS Code confirms and shows each call. Where the user skips
 * a call, VS Code answers in the tool's place, with words of its own: the tool was not invoked then.
 */
export function toolRunner(
	tools: { readonly any: CallTool; readonly reading: CallTool },
	token: vscode.ChatParticipantToolToken | undefined,
): ToolRunner {
	return async (tool, call, signal) => {
		const cancellation = new vscode.CancellationTokenSource();
		const cancel = () => cancellation.cancel();
		signal.addEventListener('abort', cancel, { once: true });
		const [id, callTool] = onlyReads(tool) ? [ids.readTool, tools.reading] : [ids.callTool, tools.any];
		const input: CallToolInput = { tool: tool.wireName, arguments: { ...call.input } };
		try {
			const { content } = await vscode.lm.invokeTool(
				id,
				{ input, toolInvocationToken: token },
				cancellation.token,
			);
			return callTool.takeInvoked(input)
				? resultFromParts(content)
				: errorResult(`The user declined to run ${tool.id}.`);
		} catch (error) {
			callTool.takeInvoked(input);
			return errorResult(error instanceof Error ? error.message : String(error));
		} finally {
			signal.removeEventListener('abort', cancel);
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

function argumentList(input: Readonly<Record<string, unknown>>): string {
	const rows = Object.entries(input).map(([name, value]) => {
		const shown = typeof value === 'string' ? value : JSON.stringify(value);
		return `- ${plain(name, shownCharacters)}: ${code(cut(shown, shownCharacters))}`;
	});
	return rows.join('\n') || 'It gets no arguments.';
}
