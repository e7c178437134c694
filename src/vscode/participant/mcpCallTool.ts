import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolRunner } from '../../chat/loopOptions.ts';
import { isResourceReader } from '../../chat/resources.ts';
import { flowsInto } from '../../chat/results/flowsInto.ts';
import { ResultFlow } from '../../chat/results/resultFlow.ts';
import { argumentCheck, misfitMessage, readableResult } from '../../chat/toolAnswer.ts';
import { deepestInput, isNestedDeeper, isRecord, stableJson } from '../../common/json.ts';
import { code } from '../../common/markdown.ts';
import { sentence } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { isEditorTool } from '../../discovery/catalog/policy.ts';
import {
	declinedResult,
	errorResult,
	forbiddenResult,
	resultText,
	type ToolResult,
} from '../../discovery/catalog/tool.ts';
import { callableName, callableTool } from '../../discovery/session/callTarget.ts';
import { resourceResult } from '../../mcp/callResult.ts';
import type { CallOptions } from '../../mcp/connection/connectOptions.ts';
import type { Services } from '../../services.ts';
import { signalOf, tokenOf } from '../ui/cancellation.ts';
import { resultFromParts, resultPart } from '../ui/editorParts.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { progressText } from '../ui/toolCalls.ts';
import { type AskingServices, type CallPermission, permissionFor } from './askToCall.ts';
import type { WaitingCall } from './callQuestion.ts';
import { CallsUnderway } from './callsUnderway.ts';
import { EqualCalls } from './equalCalls.ts';

/** Longest reason to sign in that a notification shows, in characters. */
const whyCharacters = 500;

/** Input of the language-model tool that runs MCP tools. */
export interface CallToolInput {
	/** Wire name, `server:tool`, or the bare name where only one tool has it. */
	readonly tool: string;
	readonly arguments?: Record<string, unknown>;
	/** Id of a call of ours, see {@link CallsUnderway}; no part of the schema that other chats get. */
	readonly call?: string;
}

type CallServices = AskingServices & Pick<Services, 'pool' | 'sandbox'>;

/** Tells the user that a call waits for them to sign in to its server. */
export type AskToSignIn = (server: string, why: string) => void;

/** What the user is told of a call that waits for them. */
export interface CallWaits {
	readonly onSignIn: AskToSignIn;
	/** The server has asked something, or has been answered. */
	readonly onQuestion: (server: string, what: Parameters<NonNullable<CallOptions['onQuestion']>>[0]) => void;
	/** It was not made: the user has said before that such calls never are. */
	readonly onNever: (tool: CatalogTool) => unknown;
}

/** A call that the user has allowed and the tool loop sent through VS Code, which hands it back to `prepareInvocation` and `invoke`. */
interface ExpectedCall extends CallWaits {
	readonly tool: CatalogTool;
	/** The agent that makes it; absent for the chat's own model. */
	readonly agent: string | undefined;
	/** On whose word it is made. */
	readonly by: (CallPermission & { readonly kind: 'allowed' })['by'];
	/** VS Code has handed it back. */
	invoked: boolean;
	readonly onProgress: (progress: string) => void;
	readonly onBegun: () => void;
}

/**
 * The language-model tool that runs any MCP tool of the configuration. The user is asked before a call that may change something, in the
 * chat that it belongs to, unless they have decided such calls already. VS Code does not ask again, and shows the call in the chat.
 */
export class McpCallTool implements vscode.LanguageModelTool<CallToolInput> {
	readonly #services: CallServices;
	readonly #underway = new CallsUnderway<ExpectedCall>();
	/** What servers have answered to other chats, which the editor does not tell us apart. */
	readonly #flow = new ResultFlow();

	constructor(services: CallServices) {
		this.#services = services;
	}

	/** Runs the tools of one chat request. `chat`: the id of our chat. */
	runner(token: vscode.ChatParticipantToolToken | undefined, chat: string, waits: CallWaits): ToolRunner {
		const equal = new EqualCalls<CallPermission>();
		return async (tool, { input }, signal, onProgress, onBegun, flows = [], agent) => {
			const call = { tool, args: { ...input }, flows, chat, agent };
			const ask = (times: number) => permissionFor({ ...call, times }, token, signal, this.#services);
			const make = (permission: CallPermission) =>
				this.#make(call, permission, { onProgress, onBegun, ...waits }, token, signal);
			try {
				if (this.#onlyReads(call)) return await make(await ask(1));
				return await equal.run(stableJson([tool.wireName, call.args, agent ?? '']), ask, make);
			} catch (error) {
				return errorResult(error instanceof Error ? error.message : String(error));
			}
		};
	}

	async prepareInvocation({
		input,
	}: vscode.LanguageModelToolInvocationPrepareOptions<CallToolInput>): Promise<vscode.PreparedToolInvocation> {
		// Also where the arguments are no object: nothing is asked, run or shown of such a call.
		argumentsOf(input);
		const expected = this.#underway.get(input.call);
		const tool = this.#toolOf(input, expected);
		// Before the user is asked: nobody should have to allow a call that cannot succeed.
		if (!expected) await this.#mustFit(tool, input);
		return { invocationMessage: new vscode.MarkdownString(callText(tool, expected?.by)) };
	}

	async invoke(
		{ input, toolInvocationToken }: vscode.LanguageModelToolInvocationOptions<CallToolInput>,
		token: vscode.CancellationToken,
	): Promise<vscode.LanguageModelToolResult> {
		const args = argumentsOf(input);
		const underway = this.#underway.get(input.call);
		// What the user has allowed is allowed once.
		const expected = underway?.invoked ? undefined : underway;
		if (expected) expected.invoked = true;
		const tool = this.#toolOf(input, expected);
		const stop = signalOf(token);
		try {
			if (!expected) {
				const call = { tool, args, flows: flowsInto(this.#flow, tool.server, args) };
				const permission = await permissionFor(call, toolInvocationToken, stop.signal, this.#services);
				const refusal = refusalOf(tool, permission);
				if (refusal) throw new Error(resultText(refusal));
				this.#mustBeThere(tool);
			}
			expected?.onBegun();
			const result = await this.#call(tool, args, {
				signal: stop.signal,
				agent: expected?.agent,
				onProgress: (progress) => expected?.onProgress(progressText(progress)),
				onSignIn: (why) => (expected?.onSignIn ?? askInNotification)(tool.server, why.message),
				onQuestion: (what) => {
					// The answer of a chat that was stopped is closed: nothing can be written into it.
					if (!stop.signal.aborted) expected?.onQuestion(tool.server, what);
				},
			});
			if (!expected) this.#flow.keep(tool.server, result);
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

	/** Whether a call runs because it only reads, so that it does not matter how often. */
	#onlyReads({ flows, ...call }: WaitingCall): boolean {
		const verdict = this.#services.trust.confirmation.verdict({ ...call, carriesText: flows.length > 0 });
		return verdict.kind === 'runs' && verdict.by === 'reading';
	}

	/** Makes a call of one of our chats, where it is allowed: hands it to VS Code, which shows it in the chat. */
	async #make(
		{ tool, args, agent }: WaitingCall,
		permission: CallPermission,
		about: Omit<ExpectedCall, 'tool' | 'agent' | 'invoked' | 'by'>,
		token: vscode.ChatParticipantToolToken | undefined,
		signal: AbortSignal,
	): Promise<ToolResult> {
		if (permission.kind === 'never') about.onNever(tool);
		if (permission.kind !== 'allowed') return refusalOf(tool, permission) ?? declinedResult(tool.id);
		this.#mustBeThere(tool);
		const name = callableName(tool, this.#services.sessions.surface().names);
		const expected: ExpectedCall = { tool, agent, invoked: false, by: permission.by, ...about };
		const cancellation = tokenOf(signal);
		try {
			const { content } = await this.#underway.send(expected, async (id) => {
				const input: CallToolInput = { tool: name, arguments: args, call: id };
				return vscode.lm.invokeTool(ids.callTool, { input, toolInvocationToken: token }, cancellation.token);
			});
			return expected.invoked ? resultFromParts(content) : declinedResult(tool.id);
		} finally {
			cancellation.dispose();
		}
	}

	/**
	 * Asks before a tool of the editor is called with what a server has answered; what the model is told where the user says no. All else is
	 * the tool's own to ask.
	 */
	async refusal(
		call: WaitingCall,
		token: vscode.ChatParticipantToolToken | undefined,
		signal: AbortSignal,
	): Promise<ToolResult | undefined> {
		if (call.flows.length === 0) return undefined;
		return refusalOf(call.tool, await permissionFor(call, token, signal, this.#services));
	}

	/** The tool that a call is for, where it may be called in this way. */
	#toolOf({ tool: name }: CallToolInput, expected: ExpectedCall | undefined): CatalogTool {
		const tool = expected?.tool ?? this.#find(name);
		if (isEditorTool(tool, this.#services.sessions.policy)) {
			throw new Error(sentence`'${name}' is a tool of the editor: call ${tool.name} itself.`);
		}
		return tool;
	}

	/** A server may be removed while the user is asked: then the answer says that, and not that there never was such a tool. */
	#mustBeThere(tool: CatalogTool): void {
		if (this.#services.pool.servers().some(({ name }) => name === tool.server)) return;
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

/** What the model is told of a call that the user does not let be made; `undefined`: they let it. */
function refusalOf({ id }: CatalogTool, permission: CallPermission): ToolResult | undefined {
	switch (permission.kind) {
		case 'allowed':
			return undefined;
		case 'declined':
			return declinedResult(id);
		case 'never':
			return forbiddenResult(id);
	}
}

/** What the chat shows of a call. */
function callText({ id }: CatalogTool, by: ExpectedCall['by'] | undefined): string {
	const shown = code(id);
	if (by === undefined || by === 'user' || by === 'reading') return l10n.t('Call of {0}', shown);
	return by.scope.kind === 'workspace'
		? l10n.t('Call of {0}, always allowed by you', shown)
		: l10n.t('Call of {0}, allowed by you in this chat', shown);
}

/** For calls of other chats, in which nothing of ours can be clicked. */
function askInNotification(server: string, why: string): void {
	const signIn = l10n.t('Sign In…');
	void vscode.window
		.showInformationMessage(labelText(`Discovery: ${why}`, whyCharacters), signIn)
		.then((chosen) => {
			if (chosen === signIn) void vscode.commands.executeCommand(commands.signIn, { server });
		});
}

/** The arguments of a call. What a model of another chat has written need not follow our schema. */
function argumentsOf({ arguments: args }: CallToolInput): Readonly<Record<string, unknown>> {
	if (args === undefined || args === null) return {};
	if (isRecord(args) && !isNestedDeeper(args, deepestInput)) return args;
	throw new Error(`Give 'arguments' as an object that is nested at most ${deepestInput} levels deep.`);
}
