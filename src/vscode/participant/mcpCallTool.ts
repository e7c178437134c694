import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolRunner } from '../../chat/loopOptions.ts';
import { isResourceReader } from '../../chat/resources.ts';
import type { FlowedText } from '../../chat/results/resultFlow.ts';
import { argumentCheck, misfitMessage, readableResult } from '../../chat/toolAnswer.ts';
import { deepestInput, isNestedDeeper, isRecord } from '../../common/json.ts';
import { code, plain } from '../../common/markdown.ts';
import { cut, sentence } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { isEditorTool } from '../../discovery/catalog/policy.ts';
import { declinedResult, errorResult, resultText, type ToolResult } from '../../discovery/catalog/tool.ts';
import { callableName, callableTool } from '../../discovery/session/callTarget.ts';
import { resourceResult } from '../../mcp/callResult.ts';
import type { CallOptions } from '../../mcp/connection/connection.ts';
import type { Services } from '../../services.ts';
import { signalOf, tokenOf } from '../ui/cancellation.ts';
import { resultFromParts, resultPart } from '../ui/editorParts.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import {
	type CallConfirmation,
	callQuestion,
	harmClaim,
	progressText,
	shownCharacters,
} from '../ui/toolCalls.ts';
import { CallsUnderway, flowNotes } from './callsUnderway.ts';

/** Longest reason to sign in that a notification shows, in characters. */
const whyCharacters = 500;

/** Input of the language-model tools that run MCP tools. */
interface CallToolInput {
	/** Wire name, `server:tool`, or the bare name where only one tool has it. */
	readonly tool: string;
	readonly arguments?: Record<string, unknown>;
}

type CallServices = Pick<Services, 'sessions' | 'pool' | 'confirmation' | 'sandbox'>;

/** Tells the user that a call waits for them to sign in to its server. */
export type AskToSignIn = (server: string, why: string) => void;

/** What the user is told of a call that waits for them. */
export interface CallWaits {
	readonly onSignIn: AskToSignIn;
	/** The server has asked something, or has been answered. */
	readonly onQuestion: (server: string, what: Parameters<NonNullable<CallOptions['onQuestion']>>[0]) => void;
}

/** A call that the tool loop has sent through VS Code, which hands it back to `prepareInvocation` and `invoke`. */
interface ExpectedCall extends CallWaits {
	readonly tool: CatalogTool;
	/** VS Code has handed it back: the user has not skipped it. */
	invoked: boolean;
	readonly onProgress: (progress: string) => void;
	readonly onBegun: () => void;
	/** Texts in its arguments that came from other servers. */
	readonly flows: readonly FlowedText[];
}

/**
 * The language-model tool that runs any MCP tool of the configuration, or only those that say that they only read. VS Code asks
 * the user before it runs one that may change something, in its own confirmation, and shows the call in the chat.
 */
class McpCallTool implements vscode.LanguageModelTool<CallToolInput> {
	readonly #services: CallServices;
	readonly #only: 'any' | 'reading';
	readonly #underway = new CallsUnderway<ExpectedCall>();

	constructor(only: 'any' | 'reading', services: CallServices) {
		this.#only = only;
		this.#services = services;
	}

	async prepareInvocation({
		input,
	}: vscode.LanguageModelToolInvocationPrepareOptions<CallToolInput>): Promise<vscode.PreparedToolInvocation> {
		const args = argumentsOf(input);
		const expected = this.#underway.get(input);
		const tool = this.#toolOf(input, expected);
		// Before the user is asked: nobody should have to allow a call that cannot succeed.
		if (!expected) await this.#mustFit(tool, input);
		const invocationMessage = new vscode.MarkdownString(l10n.t('Call of {0}', code(tool.id)));
		const flows = flowNotes(expected?.flows ?? []);
		if (flows.length === 0 && !this.#services.confirmation.asksFirst(tool)) return { invocationMessage };
		// VS Code shows all of the arguments below it.
		const offer = this.#services.confirmation.isDoubted(tool) ? trustOffer(tool.server) : '';
		const paragraphs = [harmClaim(tool), ...flows, argumentList(args), offer];
		const message = new vscode.MarkdownString(paragraphs.filter(Boolean).join('\n\n'));
		if (offer !== '') message.isTrusted = { enabledCommands: [commands.trustHints] };
		return {
			invocationMessage,
			confirmationMessages: { title: callQuestion(tool), message },
		};
	}

	async invoke(
		{ input }: vscode.LanguageModelToolInvocationOptions<CallToolInput>,
		token: vscode.CancellationToken,
	): Promise<vscode.LanguageModelToolResult> {
		const args = argumentsOf(input);
		const expected = this.#underway.get(input);
		if (expected) expected.invoked = true;
		expected?.onBegun();
		const tool = this.#toolOf(input, expected);
		const stop = signalOf(token);
		try {
			const result = await this.#call(tool, args, {
				signal: stop.signal,
				onProgress: (progress) => expected?.onProgress(progressText(progress)),
				onSignIn: (why) => (expected?.onSignIn ?? askInNotification)(tool.server, why.message),
				onQuestion: (what) => {
					// The answer of a chat that was stopped is closed: nothing can be written into it.
					if (!stop.signal.aborted) expected?.onQuestion(tool.server, what);
				},
			});
			// An exception is how a language-model tool says that it failed.
			if (result.isError) throw new Error(resultText(readableResult(result)));
			return new vscode.LanguageModelToolResult(
				readableResult(result).content.map((part) => resultPart(part)),
			);
		} finally {
			stop.dispose();
		}
	}

	async #call(
		tool: CatalogTool,
		args: Readonly<Record<string, unknown>>,
		options: CallOptions,
	): Promise<ToolResult> {
		const { pool } = this.#services;
		if (!isResourceReader(tool)) return pool.callTool(tool.server, tool.name, args, options);
		return resourceResult(await pool.readResource(tool.server, String(args.uri), options));
	}

	/** Runs a call through VS Code, which asks the user first, or answers in our place where the user skips it. */
	async run(
		id: string,
		tool: CatalogTool,
		args: Record<string, unknown>,
		about: Omit<ExpectedCall, 'tool' | 'invoked'>,
		token: vscode.ChatParticipantToolToken | undefined,
		signal: AbortSignal,
	): Promise<ToolResult> {
		const input: CallToolInput = {
			tool: callableName(tool, this.#services.sessions.surface().names),
			arguments: args,
		};
		const call: ExpectedCall = { tool, invoked: false, ...about };
		const cancellation = tokenOf(signal);
		try {
			const options = { input, toolInvocationToken: token };
			const invoke = () => vscode.lm.invokeTool(id, options, cancellation.token);
			const { content } = await this.#underway.send(input, call, signal, async () => invoke());
			return call.invoked ? resultFromParts(content) : declinedResult(tool.id);
		} finally {
			cancellation.dispose();
		}
	}

	/** The tool that a call is for, where it may be called in this way. */
	#toolOf({ tool: name }: CallToolInput, expected: ExpectedCall | undefined): CatalogTool {
		const tool = expected ? this.#stillThere(expected.tool) : this.#find(name);
		if (isEditorTool(tool, this.#services.sessions.policy)) {
			throw new Error(sentence`'${name}' is a tool of the editor: call ${tool.name} itself.`);
		}
		if (this.#only === 'any' || this.#services.confirmation.onlyReads(tool)) return tool;
		throw new Error(sentence`'${name}' does not only read: call it with ${ids.callTool}.`);
	}

	/** A server may be removed while the user is asked: then the answer says that, and not that there never was such a tool. */
	#stillThere(tool: CatalogTool): CatalogTool {
		if (this.#services.pool.servers().some(({ name }) => name === tool.server)) return tool;
		throw new Error(
			sentence`The server '${tool.server}' was removed from the configuration while this call waited for permission, so '${tool.id}' was not called.`,
		);
	}

	#find(name: string): CatalogTool {
		const found = callableTool(name, this.#services.sessions.surface(), this.#services.sessions.earlier);
		if (!found.ok) throw new Error(found.message);
		return found.tool;
	}

	/** Checks the arguments of a call from another chat; those of `@discovery` are checked by the tool loop. */
	async #mustFit(tool: CatalogTool, input: CallToolInput): Promise<void> {
		const faults = await argumentCheck(this.#services.sandbox)(
			tool.inputSchema,
			input.arguments ?? {},
			tool.server,
		);
		if (faults.length > 0) throw new Error(misfitMessage(input.tool, tool, faults));
	}
}

/** The two ways to run a tool. */
export class McpCallTools {
	readonly any: McpCallTool;
	readonly reading: McpCallTool;
	readonly #confirmation: CallConfirmation;

	constructor(services: CallServices) {
		this.any = new McpCallTool('any', services);
		this.reading = new McpCallTool('reading', services);
		this.#confirmation = services.confirmation;
	}

	/** Runs the tools of one chat request, so that VS Code confirms and shows each call. */
	runner(token: vscode.ChatParticipantToolToken | undefined, waits: CallWaits): ToolRunner {
		return async (tool, call, signal, onProgress, onBegun, flows = []) => {
			// The user may allow the tool that only reads once for all; a call that carries text of another server is asked about each time.
			const isHarmless = this.#confirmation.onlyReads(tool) && flows.length === 0;
			const [id, callTool] = isHarmless ? [ids.readTool, this.reading] : [ids.callTool, this.any];
			try {
				return await callTool.run(
					id,
					tool,
					{ ...call.input },
					{ onProgress, onBegun, flows, ...waits },
					token,
					signal,
				);
			} catch (error) {
				return errorResult(error instanceof Error ? error.message : String(error));
			}
		};
	}
}

/** For calls of other chats, in which nothing of ours can be clicked. */
function askInNotification(server: string, why: string): void {
	const signIn = l10n.t('Sign In…');
	void vscode.window
		.showInformationMessage(labelText(`Discovery: ${why}`, whyCharacters), signIn)
		.then((chosen) => {
			if (chosen === signIn)
				void vscode.commands.executeCommand(commands.signIn, { kind: 'server', status: { name: server } });
		});
}

/** What the server claims, and the link by which such calls need no question from now on. */
function trustOffer(server: string): string {
	const node = { kind: 'server', status: { name: server } };
	// Parentheses are left by `encodeURIComponent`, and would end the link.
	const query = encodeURIComponent(JSON.stringify([node]))
		.replaceAll('(', '%28')
		.replaceAll(')', '%29');
	const link = `command:${commands.trustHints}?${query}`;
	return l10n.t(
		'{0} says that this only reads. [Believe it from now on]({1})',
		plain(server, shownCharacters),
		link,
	);
}

/** The arguments of a call. What a model of another chat has written need not follow our schema. */
function argumentsOf({ arguments: args }: CallToolInput): Readonly<Record<string, unknown>> {
	if (args === undefined || args === null) return {};
	if (isRecord(args) && !isNestedDeeper(args, deepestInput)) return args;
	throw new Error(`Give 'arguments' as an object that is nested at most ${deepestInput} levels deep.`);
}

function argumentList(input: Readonly<Record<string, unknown>>): string {
	const rows = Object.entries(input).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `- ${plain(name, shownCharacters)}: ${code(cut(text, shownCharacters))}`;
	});
	return rows.join('\n') || l10n.t('It gets no arguments.');
}
