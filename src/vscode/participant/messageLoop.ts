import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runAgentTool } from '../../chat/agents/runAgent.ts';
import { BoundedFolder, type StorageFolders } from '../../chat/boundedFolder.ts';
import { withoutAddress } from '../../chat/chatHistory.ts';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { ChatResults, readResultTool } from '../../chat/results/chatResults.ts';
import type { ReadTexts } from '../../chat/results/readTexts.ts';
import { argumentCheck } from '../../chat/runCall.ts';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import { defaultSystemPrompt, systemPromptIn } from '../../chat/systemPrompt.ts';
import { runToolLoop } from '../../chat/toolLoop.ts';
import type { UnderwayAnswer } from '../../chat/underway.ts';
import { plain } from '../../common/markdown.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import { SecretMask } from '../../config/secrets/secretMask.ts';
import type { AcceptedDefinitions } from '../../mcp/accepted/acceptedDefinitions.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Configuration } from '../core/configuration.ts';
import type { KeyStore } from '../core/keyStore.ts';
import type { ModelProvider } from '../core/modelProvider.ts';
import type { SecretVariables } from '../core/secretVariables.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands, isPlanner, settings } from '../ui/ids.ts';
import { openDocument } from '../ui/readingEditor.ts';
import { readBytes } from '../ui/textFiles.ts';
import type { AgentFiles } from './agentFiles.ts';
import type { AnswerNotes } from './answerNotes.ts';
import { type AttachmentReader, attachments } from './attachments.ts';
import type { ChatRenderer } from './chatRenderer.ts';
import { interruptedLine, interruptedNews } from './interrupted.ts';
import { knownSecrets } from './knownSecrets.ts';
import type { AskToSignIn, McpCallTool } from './mcpCallTool.ts';
import { searchMissOf } from './readiness.ts';

/** Characters of a server's reason to sign in. */
const reasonCharacters = 500;
const bytesOfKilobyte = 1024;
/** The setting's default, also for a value that is not a number. */
const defaultKilobytes = 8;

/** One message of the user, and where its answer goes. */
export interface Message {
	readonly request: vscode.ChatRequest;
	readonly context: vscode.ChatContext;
	readonly stream: vscode.ChatResponseStream;
	readonly token: vscode.CancellationToken;
}

export type LoopServices = {
	readonly sessions: ChatSessions;
	readonly pool: ServerPool;
	readonly configFile: Configuration;
	readonly keys: KeyStore;
	readonly secrets: SecretVariables;
	readonly sandbox: Sandbox;
	readonly accepted: AcceptedDefinitions;
	readonly folders: StorageFolders;
};

/** What one message is answered with. */
interface Answering {
	readonly session: ChatSession;
	readonly picked: Awaited<ReturnType<ModelProvider['picked']>>;
	readonly renderer: ChatRenderer;
	readonly notes: AnswerNotes;
	/** The chat's last answer, if closing the window interrupted it. */
	readonly interrupted: UnderwayAnswer | undefined;
}

/** Runs the tool loop for messages, with their attachments, the system prompt, agents and large results. */
export class MessageLoop {
	readonly #services: LoopServices;
	readonly #callTool: McpCallTool;
	readonly #reads: ReadTexts;
	readonly #agentFiles: AgentFiles;
	readonly #resultsFolder: BoundedFolder;
	readonly #results = new WeakMap<ChatSession, ChatResults>();

	constructor(services: LoopServices, callTool: McpCallTool, reads: ReadTexts, agentFiles: AgentFiles) {
		this.#services = services;
		this.#callTool = callTool;
		this.#reads = reads;
		this.#agentFiles = agentFiles;
		this.#resultsFolder = new BoundedFolder(services.folders.results);
	}

	async *run(
		{ request, stream, token }: Message,
		{ session, picked: { model, definition }, renderer, notes, interrupted }: Answering,
	): AsyncGenerator<LoopEvent> {
		const { configFile, pool, sandbox } = this.#services;
		const { discovery } = session;
		using stop = signalOf(token);
		const mask =
			request.references.length > 0
				? await knownSecrets(this.#services).then(
						(known) => new SecretMask(known),
						() => undefined,
					)
				: undefined;
		const { images, text: attached, used, faults } = await attachments(request, attachmentReader, mask);
		for (const text of faults) yield { type: 'notice', text };
		for (const one of used) stream.reference(one);
		if (interrupted) yield { type: 'notice', text: interruptedLine(interrupted) };
		const text = withoutAddress(request.prompt);
		await this.#reads.restored();
		this.#reads.keepLog(session.id, discovery.log.entries);
		this.#reads.keepOwn(session.id, text);
		const system = await this.#systemPrompt(definition, session, stream);
		const isByRules = isPlanner(request.model);
		if (isByRules && attached !== undefined)
			yield { type: 'notice', text: l10n.t('The Offline Planner does not read attachments.') };
		// The offline planner follows rules: it can neither run agents nor fill a context window.
		const agents = isByRules ? undefined : runAgentTool((await this.#agentFiles.list()).agents);
		const limit = isByRules ? 0 : largeResultBytes();
		const results = this.#resultsOf(session);
		const hosted = [...(agents ? [agents] : []), ...(limit > 0 ? [readResultTool(results)] : [])];
		yield* runToolLoop({
			model,
			session: discovery,
			runTool: this.#callTool.runner(request.toolInvocationToken, session.id, {
				onSignIn: signInOffer(stream),
				onQuestion: (server, what) => renderer.question(server, what),
				onNever: ({ id }) => notes.forbidden.add(id),
			}),
			checkArguments: argumentCheck(sandbox),
			resultFormat: (!isByRules && configFile.inForce?.config.toolResultFormat) || 'result',
			system,
			message: {
				role: 'user',
				text,
				...(images.length > 0 && { images }),
				...(attached !== undefined && { attached }),
				...(interrupted && { news: interruptedNews(interrupted) }),
			},
			signal: stop.signal,
			reads: { texts: this.#reads, chat: session.id },
			hasLinks: (server) => pool.hasLinks(server),
			miss: searchMissOf(this.#services, session, stop.signal),
			...(limit > 0 && { fitResult: (result, of) => results.fit(result, limit, of) }),
			...(hosted.length > 0 && { hosted }),
		});
	}

	#resultsOf(session: ChatSession): ChatResults {
		const results = this.#results.get(session) ?? new ChatResults(this.#resultsFolder);
		this.#results.set(session, results);
		return results;
	}

	/** The template of the chosen model, else our own prompt. If a template cannot be rendered, the chat says so and goes on. */
	async #systemPrompt(
		definition: ModelDefinition | undefined,
		{ discovery }: ChatSession,
		stream: vscode.ChatResponseStream,
	): Promise<string> {
		const { sandbox } = this.#services;
		const { file, template } = definition ?? {};
		if (file === undefined || template === undefined) return defaultSystemPrompt;
		// A template's path is relative to the file that names it.
		const folder = vscode.Uri.joinPath(vscode.Uri.parse(file), '..').fsPath;
		const rendered = await systemPromptIn(discovery, { folder, template, sandbox });
		if (rendered.kind === 'ok') return rendered.text;
		const warning = l10n.t('{0} The default system prompt is used.', plain(rendered.message, 500));
		stream.markdown(new vscode.MarkdownString(`$(warning) ${warning}\n\n`, true));
		return defaultSystemPrompt;
	}
}

/** Reads attachments with their unsaved changes. */
const attachmentReader: AttachmentReader = {
	open: (uri) => openDocument(uri)?.getText(),
	bytes: (uri, most) => readBytes(uri, { most }),
	path: (uri) =>
		vscode.workspace.getWorkspaceFolder(uri) && vscode.workspace.asRelativePath(uri).replaceAll('\\', '/'),
};

/** Size from which a result becomes a file; 0: never. */
function largeResultBytes(): number {
	const set: unknown = vscode.workspace.getConfiguration(settings.section).get(settings.largeResult);
	const kilobytes = typeof set === 'number' && Number.isFinite(set) ? set : defaultKilobytes;
	return Math.max(0, kilobytes) * bytesOfKilobyte;
}

/** Says once per reason that a call waits for the user to sign in. */
function signInOffer(stream: vscode.ChatResponseStream): AskToSignIn {
	const told = new Set<string>();
	return (server, why) => {
		if (told.has(why)) return;
		told.add(why);
		stream.markdown(new vscode.MarkdownString(`\n\n$(account) ${plain(why, reasonCharacters)}\n\n`, true));
		stream.button({ command: commands.signIn, title: l10n.t('Sign In…'), arguments: [{ server }] });
	};
}
