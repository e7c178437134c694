import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runAgentTool } from '../../chat/agents/runAgent.ts';
import type { AnswerInProgress } from '../../chat/answersInProgress.ts';
import { BoundedFolder } from '../../chat/boundedFolder.ts';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { ChatResults, readResultTool } from '../../chat/results/chatResults.ts';
import type { ChatSession } from '../../chat/sessions.ts';
import { runToolLoop } from '../../chat/toolLoop.ts';
import { plain } from '../../common/markdown.ts';
import type { Configuration } from '../core/configuration.ts';
import type { ModelProvider } from '../core/modelProvider.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands, isPlanner, settings } from '../ui/ids.ts';
import type { AgentFiles } from './agentFiles.ts';
import type { AnswerNotes } from './answerNotes.ts';
import type { ChatRenderer } from './chatRenderer.ts';
import type { AskToSignIn, McpCallTool } from './mcpCallTool.ts';
import type { Prompting } from './prompting.ts';
import type { Readiness } from './readiness.ts';

/** Characters of a server's reason to sign in. */
const reasonCharacters = 500;
const bytesOfKilobyte = 1024;
/** The setting's default, also for a value that is not a number. */
const defaultKilobytes = 8;

/** One message of the user, and where its answer goes. */
export interface UserRequest {
	readonly request: vscode.ChatRequest;
	readonly context: vscode.ChatContext;
	readonly stream: vscode.ChatResponseStream;
	readonly token: vscode.CancellationToken;
}

/** What one message is answered with. */
interface Answering {
	readonly session: ChatSession;
	readonly picked: Awaited<ReturnType<ModelProvider['picked']>>;
	readonly renderer: ChatRenderer;
	readonly notes: AnswerNotes;
	/** The chat's last answer, if closing the window interrupted it. */
	readonly interrupted: AnswerInProgress | undefined;
}

/** Runs the tool loop for messages, with agents and large results. */
export class MessageLoop {
	readonly #prompting: Prompting;
	readonly #callTool: McpCallTool;
	readonly #readiness: Readiness;
	readonly #agentFiles: AgentFiles;
	readonly #configFile: Configuration;
	readonly #resultsFolder: BoundedFolder;
	readonly #results = new WeakMap<ChatSession, ChatResults>();

	/** `resultsFolder`: for large results. */
	constructor(
		parts: {
			readonly prompting: Prompting;
			readonly callTool: McpCallTool;
			readonly readiness: Readiness;
			readonly agentFiles: AgentFiles;
			readonly configFile: Configuration;
		},
		resultsFolder: string,
	) {
		this.#prompting = parts.prompting;
		this.#callTool = parts.callTool;
		this.#readiness = parts.readiness;
		this.#agentFiles = parts.agentFiles;
		this.#configFile = parts.configFile;
		this.#resultsFolder = new BoundedFolder(resultsFolder);
	}

	async *run(
		{ request, stream, token }: UserRequest,
		{ session, picked: { model, definition }, renderer, notes, interrupted }: Answering,
	): AsyncGenerator<LoopEvent> {
		using stop = signalOf(token);
		const { message, notices, used } = await this.#prompting.message(request, interrupted);
		for (const text of notices) yield { type: 'notice', text };
		for (const reference of used) stream.reference(reference);
		await this.#prompting.keepReads(session, message.text);
		const { system, warning } = await this.#prompting.system(definition, session.discovery);
		if (warning !== undefined) stream.markdown(new vscode.MarkdownString(`$(warning) ${warning}\n\n`, true));
		const isByRules = isPlanner(request.model);
		// The offline planner follows rules: it can neither run agents nor fill a context window.
		const agents = isByRules ? undefined : runAgentTool((await this.#agentFiles.list()).agents);
		const limit = isByRules ? 0 : largeResultBytes();
		const results = this.#resultsOf(session);
		const hosted = [...(agents ? [agents] : []), ...(limit > 0 ? [readResultTool(results)] : [])];
		yield* runToolLoop({
			model,
			session: session.discovery,
			...this.#callTool.ofTurn(request.toolInvocationToken, session.id, {
				onSignIn: signInOffer(stream),
				onQuestion: (server, event) => renderer.question(server, event),
				onNever: ({ id }) => notes.forbidden.add(id),
				onServerFailed: (server) => notes.failed.add(server),
			}),
			resultFormat: (!isByRules && this.#configFile.inForce?.config.toolResultFormat) || 'result',
			system,
			message,
			signal: stop.signal,
			miss: this.#readiness.searchMiss(session, stop.signal),
			...(limit > 0 && { fitResult: (result, of) => results.fit(result, limit, of) }),
			...(hosted.length > 0 && { hosted }),
		});
	}

	#resultsOf(session: ChatSession): ChatResults {
		const results = this.#results.get(session) ?? new ChatResults(this.#resultsFolder);
		this.#results.set(session, results);
		return results;
	}
}

/** Size from which a result becomes a file; 0: never. */
export function largeResultBytes(): number {
	const setting: unknown = vscode.workspace.getConfiguration(settings.section).get(settings.largeResult);
	const kilobytes = typeof setting === 'number' && Number.isFinite(setting) ? setting : defaultKilobytes;
	return Math.max(0, kilobytes) * bytesOfKilobyte;
}

/** Says once per reason that a call waits for the user to sign in. */
function signInOffer(stream: vscode.ChatResponseStream): AskToSignIn {
	const shownReasons = new Set<string>();
	return (server, why) => {
		if (shownReasons.has(why)) return;
		shownReasons.add(why);
		stream.markdown(new vscode.MarkdownString(`\n\n$(account) ${plain(why, reasonCharacters)}\n\n`, true));
		stream.button({ command: commands.signIn, title: l10n.t('Sign In…'), arguments: [{ server }] });
	};
}
