import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LoopOptions, ToolRunner } from '../../chat/loopOptions.ts';
import { isResourceReader } from '../../chat/resources.ts';
import type { ReadTexts } from '../../chat/results/readTexts.ts';
import { argumentCheck, fittedArguments, readableResult } from '../../chat/runCall.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { systemClock } from '../../common/clock.ts';
import { errorMessage } from '../../common/errors.ts';
import { isNestedDeeper, isRecord, maxInputDepth, stableJson } from '../../common/json.ts';
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
import type { GatewayCall, GatewayClient } from '../../gateway/gatewayTools.ts';
import { KeptAnswers } from '../../gateway/keptAnswers.ts';
import { resourceResult } from '../../mcp/callResult.ts';
import type { CallOptions } from '../../mcp/connection/connectOptions.ts';
import { concernsOneRequest, ServerError } from '../../mcp/serverError.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { RunAction } from '../actions/action.ts';
import { signalOf } from '../ui/cancellation.ts';
import { invokedTool, resultPart } from '../ui/editorParts.ts';
import { ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { progressText } from '../ui/toolCalls.ts';
import type { CallPermission, CallPermissions } from './askToCall.ts';
import type { WaitingCall } from './callQuestion.ts';
import { EqualCalls } from './equalCalls.ts';

/** Characters of a server's reason to sign in. */
const whyCharacters = 500;

/** How long a decision waits for a program that has given up, in milliseconds. */
const decisionMs = 10 * 60_000;

/** Input of the language-model tool that runs MCP tools. */
export interface CallToolInput {
	/** Wire name, `server:tool`, or the bare name if only one tool has it. */
	readonly tool: string;
	readonly arguments?: Record<string, unknown>;
	/** Id of a call of our loop. Not in the schema for other chats. */
	readonly call?: string;
}

interface CallParts {
	readonly permissions: CallPermissions;
	readonly sessions: ChatSessions;
	readonly pool: ServerPool;
	readonly sandbox: Sandbox;
	/** What chats have read. */
	readonly reads: ReadTexts;
	readonly run: RunAction;
}

/** Tells the user that a call waits for a sign-in. */
export type AskToSignIn = (server: string, why: string) => void;

/** What the chat shows of a call that waits for the user. */
export interface CallWaits {
	readonly onSignIn: AskToSignIn;
	/** The server asked something, or got an answer. */
	readonly onQuestion: (server: string, event: Parameters<NonNullable<CallOptions['onQuestion']>>[0]) => void;
	/** A rule blocks the call. */
	readonly onNever: (tool: CatalogTool) => unknown;
	/** The server itself failed, and not only this call. */
	readonly onServerFailed: (server: string) => unknown;
}

/** An allowed call that the tool loop sent through VS Code, which hands it back to `prepareInvocation` and `invoke`. */
interface ExpectedCall extends CallWaits {
	readonly tool: CatalogTool;
	/** As they were shown. On their way through VS Code, long numbers lose digits. */
	readonly args: WaitingCall['args'];
	/** Absent: the chat's own model makes the call. */
	readonly agent: string | undefined;
	/** Who allowed it. */
	readonly by: (CallPermission & { readonly kind: 'allowed' })['by'];
	/** VS Code has handed it back. */
	isInvoked: boolean;
	readonly onProgress: (progress: string) => void;
	readonly onBegun: () => void;
}

/** How a call from outside `@discovery` is decided and made. */
interface OtherCall {
	readonly decide: (call: WaitingCall) => Promise<CallPermission>;
	readonly signal: AbortSignal;
	readonly onProgress?: ((progress: string) => void) | undefined;
	readonly onBegun?: ((tool: string) => void) | undefined;
}

/** The language-model tool that runs any MCP tool. We ask the user, in the chat of the call, unless a rule decides. VS Code only shows the call. */
export class McpCallTool implements vscode.LanguageModelTool<CallToolInput> {
	readonly #parts: CallParts;
	/**
	 * Calls of our chats that VS Code has not answered, by id. The id is in their input, so that an equal call of another chat, which has none,
	 * never gets this chat's permission.
	 */
	readonly #underway = new Map<unknown, ExpectedCall>();
	/** About calls of programs outside the editor. */
	readonly #decisions = new KeptAnswers<CallPermission>(systemClock, decisionMs);

	constructor(parts: CallParts) {
		this.#parts = parts;
	}

	/** How the tools of one chat request are called. `chat`: id of our chat. */
	ofTurn(
		token: vscode.ChatParticipantToolToken | undefined,
		chat: string,
		waits: CallWaits,
	): Pick<LoopOptions, 'runTool' | 'checkArguments' | 'reads' | 'hasLinks'> {
		const { sandbox, reads, pool } = this.#parts;
		return {
			runTool: this.#runner(token, chat, waits),
			checkArguments: argumentCheck(sandbox),
			reads: { texts: reads, chat },
			hasLinks: (server) => pool.hasLinks(server),
		};
	}

	#runner(token: vscode.ChatParticipantToolToken | undefined, chat: string, waits: CallWaits): ToolRunner {
		const { permissions, reads, sessions } = this.#parts;
		const equal = new EqualCalls();
		return async (tool, { input }, { signal, onProgress, onBegun, concerns, agent }) => {
			const isOfEditor = isEditorTool(tool, sessions.policy);
			const readFrom = reads.serversOf(chat);
			const call = { tool, isOfEditor, args: { ...input }, concerns, readFrom, chat, agent };
			const ask = (times: number) => permissions.decide({ ...call, times }, token, signal);
			const make = async (times: number) =>
				this.#make(call, await ask(times), { onProgress, onBegun, ...waits }, token, signal);
			// VS Code's own tools ask the user, but do not say which text came from a server.
			if (isOfEditor) {
				const refusal = concerns.length > 0 ? refusedResult(tool, await ask(1)) : undefined;
				if (refusal) return refusal;
				onBegun();
				return invokedTool(tool.name, call.args, token, signal);
			}
			try {
				if (permissions.onlyReads(call)) return await make(1);
				return await equal.run(stableJson([tool.wireName, call.args, agent ?? '']), make);
			} catch (error) {
				return errorResult(errorMessage(error));
			}
		};
	}

	async prepareInvocation({
		input,
	}: vscode.LanguageModelToolInvocationPrepareOptions<CallToolInput>): Promise<vscode.PreparedToolInvocation> {
		// Throws for arguments that are not an object, before anything is asked or run.
		checkedArguments(input);
		const expected = this.#underway.get(input.call);
		const tool = this.#toolOf(input, expected);
		// Checked before the user is asked: nobody should have to allow a call that cannot succeed.
		if (!expected) await this.#fitted(tool, input.tool, input.arguments ?? {});
		return { invocationMessage: new vscode.MarkdownString(callText(tool, expected?.by)) };
	}

	async invoke(
		{ input, toolInvocationToken }: vscode.LanguageModelToolInvocationOptions<CallToolInput>,
		token: vscode.CancellationToken,
	): Promise<vscode.LanguageModelToolResult> {
		const args = checkedArguments(input);
		const underway = this.#underway.get(input.call);
		// A permission counts once.
		const expected = underway?.isInvoked ? undefined : underway;
		if (expected) expected.isInvoked = true;
		const tool = this.#toolOf(input, expected);
		using stop = signalOf(token);
		const { signal } = stop;
		const decide = (call: WaitingCall) => this.#parts.permissions.decide(call, toolInvocationToken, signal);
		const result = expected
			? await this.#ofOurChat(expected, signal)
			: await this.#ofOtherChat({ tool, args }, input.tool, { decide, signal });
		// A language-model tool reports failure by an exception.
		if (result.isError) throw new Error(resultText(result));
		return new vscode.LanguageModelToolResult(result.content.map((part) => resultPart(part)));
	}

	/**
	 * Runs a call of a program outside the editor as one of another chat. If the user decides only after the program has given up, the decision counts
	 * when it makes the same call again. Throws if the call cannot be made, or is stopped.
	 */
	async callFor(
		{ name: agent }: GatewayClient,
		input: Pick<CallToolInput, 'tool'> & { readonly arguments?: unknown },
		{ signal, onProgress, onBegun }: GatewayCall,
	): Promise<ToolResult> {
		const args = checkedArguments(input);
		const tool = this.#toolOf(input, undefined);
		const decide = (call: WaitingCall) =>
			this.#decisions.ask(
				// An answer does not outlive a rule that the user has made since.
				stableJson([agent, tool.wireName, call.args, this.#parts.permissions.verdict(call).kind]),
				(question) => this.#parts.permissions.decide(call, undefined, question),
				signal,
			);
		return this.#ofOtherChat({ tool, args, agent }, input.tool, { decide, signal, onProgress, onBegun });
	}

	async #ofOurChat(
		{ tool, args, agent, onBegun, onProgress, onSignIn, onQuestion, onServerFailed }: ExpectedCall,
		signal: AbortSignal,
	): Promise<ToolResult> {
		onBegun();
		const result = await this.#call(tool, args, {
			signal,
			agent,
			onProgress: (progress) => onProgress(progressText(progress)),
			onSignIn: ({ message }) => onSignIn(tool.server, message),
			onQuestion: (event) => {
				// The answer of a stopped chat is closed.
				if (!signal.aborted) onQuestion(tool.server, event);
			},
		}).catch((error: unknown) => {
			if (error instanceof ServerError && !concernsOneRequest(error)) onServerFailed(tool.server);
			throw error;
		});
		return readableResult(result);
	}

	/** `name`: of the tool, as the caller knows it. */
	async #ofOtherChat(
		{ tool, args: givenArgs, agent }: Pick<WaitingCall, 'tool' | 'args' | 'agent'>,
		name: string,
		{ decide, signal, onProgress, onBegun }: OtherCall,
	): Promise<ToolResult> {
		const { reads, run } = this.#parts;
		await reads.restored();
		const { input: args, concerns } = await this.#fitted(tool, name, givenArgs);
		const flows = reads.flowsInto({ server: tool.server, input: args });
		const refusal = refusedResult(
			tool,
			await decide({
				tool,
				args,
				agent,
				concerns: [...flows, ...concerns],
				readFrom: reads.serversOf(undefined),
			}),
		);
		if (refusal) return refusal;
		this.#assertListed(tool);
		onBegun?.(tool.id);
		// The tool loop keeps what `@discovery` reads.
		const keep = (result: ToolResult) => reads.addResult(undefined, [tool.server], result);
		const result = await this.#call(tool, args, {
			signal,
			agent,
			...(onProgress && { onProgress: (progress) => onProgress(progressText(progress)) }),
			onSignIn: ({ message }) => askInNotification(run, tool.server, message),
		}).catch((error: unknown) => {
			keep(errorResult(errorMessage(error)));
			throw error;
		});
		keep(result);
		return readableResult(result);
	}

	async #call(
		tool: CatalogTool,
		args: Readonly<Record<string, unknown>>,
		options: CallOptions,
	): Promise<ToolResult> {
		const { pool } = this.#parts;
		if (!isResourceReader(tool)) return pool.callTool(tool.server, tool.name, args, options);
		const read = pool.withClient(
			tool.server,
			(client, options) => client.readResource(String(args.uri), options),
			options,
		);
		return resourceResult(await read);
	}

	/** Hands an allowed call of our chats to VS Code, which shows it. */
	async #make(
		{ tool, args, agent }: WaitingCall,
		permission: CallPermission,
		details: Omit<ExpectedCall, 'tool' | 'args' | 'agent' | 'isInvoked' | 'by'>,
		token: vscode.ChatParticipantToolToken | undefined,
		signal: AbortSignal,
	): Promise<ToolResult> {
		if (permission.kind === 'never') details.onNever(tool);
		if (permission.kind !== 'allowed') return refusedResult(tool, permission) ?? declinedResult(tool.id);
		this.#assertListed(tool);
		const name = callableName(tool, this.#parts.sessions.surface().names);
		const expected: ExpectedCall = { tool, args, agent, isInvoked: false, by: permission.by, ...details };
		const id = crypto.randomUUID();
		this.#underway.set(id, expected);
		try {
			const input: CallToolInput = { tool: name, arguments: args, call: id };
			const result = await invokedTool(ids.callTool, input, token, signal);
			return expected.isInvoked ? result : declinedResult(tool.id);
		} finally {
			this.#underway.delete(id);
		}
	}

	/** The tool of a call. Throws if it cannot be called this way. */
	#toolOf({ tool: name }: Pick<CallToolInput, 'tool'>, expected: ExpectedCall | undefined): CatalogTool {
		const { sessions } = this.#parts;
		if (expected) return expected.tool;
		const lookup = callableTool(name, sessions.surface(), sessions.earlier);
		if (!lookup.ok) throw new Error(lookup.message);
		if (isEditorTool(lookup.tool, sessions.policy)) {
			throw new Error(sentence`'${name}' is one of VS Code's own tools: call ${lookup.tool.name} directly.`);
		}
		return lookup.tool;
	}

	/** A server may be removed while the user is asked. The error then says so, instead of claiming that the tool never existed. */
	#assertListed(tool: CatalogTool): void {
		if (this.#parts.pool.server(tool.server)) return;
		throw new Error(
			sentence`The server '${tool.server}' was removed from the configuration while this call waited for permission, so '${tool.id}' was not called.`,
		);
	}

	/** The arguments of a call from another chat; throws if they do not fit. */
	async #fitted(tool: CatalogTool, name: string, args: Readonly<Record<string, unknown>>) {
		const { misfit, ...fitted } = await fittedArguments(tool, name, args, argumentCheck(this.#parts.sandbox));
		if (misfit !== undefined) throw new Error(misfit);
		return fitted;
	}
}

/** The result that the model gets for a call that may not run; `undefined` if it may. */
function refusedResult({ id }: CatalogTool, permission: CallPermission): ToolResult | undefined {
	switch (permission.kind) {
		case 'allowed':
			return undefined;
		case 'declined':
			return declinedResult(id);
		case 'never':
			return forbiddenResult(id);
	}
}

/** VS Code shows it while the call runs, and afterwards. */
function callText({ id }: CatalogTool, allowedBy: ExpectedCall['by'] | undefined): string {
	const toolName = code(id);
	if (allowedBy === undefined || allowedBy === 'user' || allowedBy === 'reading')
		return l10n.t('Call of {0}', toolName);
	return allowedBy.scope.kind === 'workspace'
		? l10n.t('Call of {0}, which you always allow', toolName)
		: l10n.t('Call of {0}, which you allowed in this chat', toolName);
}

/** For calls of other chats, whose answers cannot have our buttons. */
function askInNotification(run: RunAction, server: string, why: string): void {
	const signIn = l10n.t('Sign In…');
	void vscode.window
		.showInformationMessage(labelText(`Discovery: ${why}`, whyCharacters), signIn)
		.then((chosen) => {
			if (chosen === signIn) void run('signIn', { server });
		});
}

/** A model of another chat may ignore our schema. */
function checkedArguments({
	arguments: args,
}: {
	readonly arguments?: unknown;
}): Readonly<Record<string, unknown>> {
	if (args === undefined || args === null) return {};
	if (isRecord(args) && !isNestedDeeper(args, maxInputDepth)) return args;
	throw new Error(`'arguments' must be an object that is nested at most ${maxInputDepth} levels deep.`);
}
