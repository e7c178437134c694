import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runAgentTool } from '../../chat/agents/runAgent.ts';
import { BoundedFolder } from '../../chat/boundedFolder.ts';
import { commandOf, pastTurns, type SpokenCommand, withoutAddress } from '../../chat/chatHistory.ts';
import type { SlashCommandContext } from '../../chat/commands/namedTools.ts';
import { slashCommandHandlers } from '../../chat/commands/slashCommands.ts';
import { missingToolset } from '../../chat/commands/toolset.ts';
import { innermost, type LoopEvent } from '../../chat/loopEvent.ts';
import type { LoopOptions } from '../../chat/loopOptions.ts';
import { followHistory } from '../../chat/pastTurns.ts';
import { ChatResults, readResultTool } from '../../chat/results/chatResults.ts';
import { flowOf } from '../../chat/results/keptFlow.ts';
import type { ChatSession, SavedSession } from '../../chat/sessions.ts';
import { defaultSystemPrompt, renderSystemPrompt } from '../../chat/systemPrompt.ts';
import { argumentCheck } from '../../chat/toolAnswer.ts';
import { runToolLoop } from '../../chat/toolLoop.ts';
import { UnderwayAnswers } from '../../chat/underway.ts';
import { code, plain } from '../../common/markdown.ts';
import { SecretMask } from '../../config/secrets/secretMask.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { UserMessage } from '../../discovery/catalog/message.ts';
import type { SearchMiss, Unsearched } from '../../discovery/catalog/searchMiss.ts';
import { permitsServer } from '../../discovery/catalog/toolset.ts';
import { type LogEntry, saidIn } from '../../discovery/session/logEntry.ts';
import { isMissByWords } from '../../discovery/tools/findTools.ts';
import { searchMiss } from '../../mcp/listing/unsearched.ts';
import { ServerError } from '../../mcp/serverError.ts';
import type { Services } from '../../services.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands, isPlanner, settings, slashCommands } from '../ui/ids.ts';
import { keyRetries } from '../ui/keyRetries.ts';
import { commandButton } from '../ui/messages.ts';
import { openDocument } from '../ui/readingEditor.ts';
import { readBytes } from '../ui/textFiles.ts';
import { withDetails } from '../ui/unsupported.ts';
import { AgentFiles } from './agentFiles.ts';
import { type AttachmentReader, type Attachments, attachments } from './attachments.ts';
import { callIn, isCallLink } from './callLinks.ts';
import { ChangedFiles } from './changedFiles.ts';
import { asksForKey, ChatRenderer } from './chatRenderer.ts';
import {
	beginningText,
	followups,
	greetingText,
	isGreeting,
	noted,
	offerSuggestions,
	takeSuggestion,
} from './followups.ts';
import { historyEntry, type NextFacts, type ResultMetadata, savedSession } from './history.ts';
import { interruptedLine, interruptedNews } from './interrupted.ts';
import { knownSecrets } from './knownSecrets.ts';
import type { AskToSignIn, McpCallTool } from './mcpCallTool.ts';
import { promptSource } from './promptSource.ts';
import {
	faultyServers,
	isReady,
	offerChanges,
	ServerWait,
	sayTeachable,
	sayUnsearched,
	sayWaiting,
	waitForApproval,
	waitingServers,
} from './readiness.ts';
import { sentAgain } from './sendAgain.ts';

/** Characters of a server's name. */
const nameCharacters = 100;
/** Longest reason to sign in that the chat shows, in characters. */
const whyCharacters = 500;

/** What answers are made with. */
export type AnswerServices = Pick<
	Services,
	| 'sessions'
	| 'pool'
	| 'configFile'
	| 'languageModels'
	| 'keyring'
	| 'sandbox'
	| 'trust'
	| 'log'
	| 'learning'
	| 'undo'
	| 'storage'
	| 'ui'
	| 'app'
>;

/** One message of the user, and where its answer goes. */
export interface Message {
	readonly request: vscode.ChatRequest;
	readonly context: vscode.ChatContext;
	readonly stream: vscode.ChatResponseStream;
	readonly token: vscode.CancellationToken;
}

/** What happened while a message was answered. */
interface Happened {
	/** Wire names of the tools that were called. */
	readonly called: readonly string[];
	/** The user has stopped it. */
	readonly stopped: boolean;
	readonly next?: NextFacts;
}

/** Answers what is said to `@discovery`: by a slash command, or with a model and the tool loop. */
export class RequestHandler implements vscode.Disposable {
	readonly #services: AnswerServices;
	readonly #callTool: McpCallTool;
	readonly #serverWait: ServerWait;
	readonly #agentFiles = new AgentFiles();
	readonly #largeResults: LargeResults;
	readonly #underway: UnderwayAnswers;
	/** Chats in which the user has read that search can be taught. */
	readonly #toldTeachable = new WeakSet<ChatSession>();

	constructor(services: AnswerServices, callTool: McpCallTool) {
		const {
			pool,
			storage: { folders },
		} = services;
		this.#services = services;
		this.#callTool = callTool;
		this.#serverWait = new ServerWait(pool);
		this.#largeResults = new LargeResults(folders.results);
		this.#underway = new UnderwayAnswers(folders.chats);
	}

	dispose(): void {
		this.#agentFiles.dispose();
	}

	/** Answers one message, to its end. */
	async answer(message: Message): Promise<vscode.ChatResult> {
		const { request, context, stream, token } = message;
		const {
			ui: { editorTools },
		} = this.#services;
		const greets = isGreeting(request);
		if (greets) stream.markdown(greetingText());
		const outcome = greets ? 'greeted' : 'notReady';
		const isAnswered =
			isReady(this.#services, stream) || (!greets && (await waitForApproval(this.#services, stream, token)));
		if (!isAnswered) return { metadata: { outcome } satisfies ResultMetadata };
		if (greets) {
			stream.markdown(beginningText());
			sayWaiting(waitingServers(this.#services), stream);
			return { metadata: { outcome } satisfies ResultMetadata };
		}
		editorTools.refresh();
		const session = await this.#open(context);
		const command = commandOf(request);
		const { called, stopped, next } = command
			? await this.#answerCommand(command, session, message)
			: await this.#answerWithModel(message, session);
		const metadata: ResultMetadata = {
			session: await this.#keepAnswer(session),
			called,
			...(stopped && { stopped }),
			...(next && Object.keys(next).length > 0 && { next }),
		};
		return stopped
			? withDetails({ metadata }, l10n.t('You stopped this answer before it was complete.'))
			: { metadata };
	}

	/** The session of a chat, with the log that was kept of it where another window has gone before. */
	async #open(context: vscode.ChatContext): Promise<ChatSession> {
		const { sessions } = this.#services;
		const saved = savedSession(context);
		const log = saved && !sessions.has(saved) ? await this.#kept(saved.id) : undefined;
		return sessions.open(saved, log);
	}

	/** The log that is kept of a chat. */
	async #kept(id: string): Promise<readonly LogEntry[] | undefined> {
		return this.#services.storage.keptChats.read(id);
	}

	/** Keeps a chat as it is now. Where that fails, it goes on with what its history shows. */
	async #keep(session: ChatSession): Promise<void> {
		await this.#services.storage.keptChats.keep(session).catch(() => undefined);
	}

	/** Keeps a chat with its answer. */
	async #keepAnswer(session: ChatSession): Promise<SavedSession> {
		const saved = this.#services.sessions.keepAnswer(session);
		await this.#keep(session);
		return saved;
	}

	async #answerWithModel(message: Message, session: ChatSession): Promise<Happened> {
		const { request, stream, token } = message;
		const {
			sessions,
			languageModels: { models },
			keyring: { keys },
		} = this.#services;
		keyRetries(keys).forget(session);
		const { toolset } = session.discovery.surface;
		const isPermitted = (server: string) => permitsServer(toolset, server);
		await this.#serverWait.wait(stream, token, isPermitted);
		const renderer = new ChatRenderer(stream, models.definitionOf(request.model)?.client.name, session.id);
		const called = new Set<string>();
		const forbidden = new Set<string>();
		const unsent = new Map<string, string>();
		const canRead = (server: string) =>
			session.discovery.surface.tools.some(
				(tool) => tool.server === server && /(^|[_-])read/.test(tool.name),
			);
		let next: NextFacts = {};
		let stopped = false;
		let unsearched: Unsearched | undefined;
		let missed = false;
		const begun = new Map<string, string>();
		const changed = new Map<string, CatalogTool>();
		const files = new ChangedFiles(vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? []);
		try {
			for await (const event of this.#loop(message, session, renderer, forbidden)) {
				renderer.render(event);
				if (event.type === 'end' && event.reason === 'cancelled') stopped = true;
				if (event.type === 'end' && event.reason === 'failed' && asksForKey(event.error))
					this.#keepForKey(request, session);
				const happened = innermost(event);
				if (happened.type === 'toolStarted') begun.set(happened.call.id, happened.tool.id);
				// A call of an agent is no part of this chat's conversation.
				if (happened.type === 'toolFinished' && happened !== event) begun.delete(happened.call.id);
				if (happened.type === 'toolStarted' || happened.type === 'usage')
					this.#keepUnderway(session, request.prompt, begun);
				next = noted(next, happened, canRead);
				files.note(happened);
				if (happened.type === 'searchFinished') {
					unsearched = happened.outcome.unsearched;
					missed = isMissByWords(happened.outcome);
					if (happened.outcome.ok)
						for (const tool of happened.outcome.waiting ?? []) changed.set(tool.id, tool);
				}
				if (happened.type === 'toolDropped') unsent.set(happened.name, happened.reason);
				if (happened.type !== 'toolFinished' || !happened.tool) continue;
				called.add(happened.tool.wireName);
				if (happened.result.isError) this.#offerLog(happened.tool.server, stream);
			}
		} finally {
			renderer.dispose();
			if (await isWindowOpen()) await this.#underway.remove(session.id);
		}
		linkFiles(await files.existing(), stream);
		this.#sayMissing(session, stream);
		sayForbidden(forbidden, stream);
		offerChanges(changed.values(), stream);
		if (unsearched) sayUnsearched(unsearched, stream);
		else if (missed) this.#sayTeachable(session, stream);
		const told = new Set(unsearched?.servers.map(({ name }) => name));
		sayWaiting(
			waitingServers(this.#services).filter((name) => isPermitted(name) && !told.has(name)),
			stream,
		);
		sessions.setUnsent(session, { model: request.model.name, reasons: unsent });
		return { called: [...called], stopped, next };
	}

	/** Keeps a message that failed for want of a key, so that setting the key can send it again, as long as nothing else was said since. */
	#keepForKey(request: vscode.ChatRequest, session: ChatSession): void {
		const {
			sessions,
			languageModels: { models },
			keyring: { keys },
		} = this.#services;
		const client = models.definitionOf(request.model)?.client;
		const options = sentAgain(request);
		if (!client || !options) return;
		keyRetries(keys).keep(session, client, {
			holds: () => sessions.current === session,
			again: () => vscode.commands.executeCommand('workbench.action.chat.open', options),
		});
	}

	/**
	 * Keeps how far an answer is, so that a later window can say that it was interrupted, and go on. Nobody waits for it. `begun`: tools that were
	 * called, by the call's id; results that are part of the conversation already are kept with it.
	 */
	#keepUnderway(session: ChatSession, prompt: string, begun: ReadonlyMap<string, string>): void {
		const { messages } = session.discovery.log;
		const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
		const known = new Set(results.map(({ callId }) => callId));
		const calls = [...begun].filter(([id]) => !known.has(id)).map(([, tool]) => tool);
		void this.#underway.keep(session.id, { prompt, calls });
		void this.#keep(session);
	}

	async #answerCommand(
		command: SpokenCommand,
		session: ChatSession,
		{ stream, token }: Message,
	): Promise<Happened> {
		const {
			learning: { habits },
			undo,
		} = this.#services;
		const before = session.discovery.activations;
		const stop = signalOf(token);
		const masked: string[] = [];
		let unsearched: Unsearched | undefined;
		let missed = false;
		let changed: readonly CatalogTool[] = [];
		try {
			const text = await this.#command(command, session, {
				miss: this.#miss(session, stop.signal),
				prompts: promptSource(this.#services, session, stop.signal, (line) => masked.push(line)),
				onUnsearched: (found) => {
					unsearched = found;
				},
				onMiss: () => {
					missed = true;
				},
				onWaiting: (tools) => {
					changed = tools;
				},
			});
			stream.markdown(text);
			for (const line of masked)
				stream.markdown(new vscode.MarkdownString(`\n\n$(info) ${plain(line)}`, true));
		} catch (error) {
			if (stop.signal.aborted) return { called: [], stopped: true };
			if (!(error instanceof ServerError)) throw error;
			stream.markdown(new vscode.MarkdownString(`$(error) ${plain(error.message, whyCharacters)}`, true));
		} finally {
			stop.dispose();
		}
		offerChanges(changed, stream);
		if (unsearched) sayUnsearched(unsearched, stream);
		else if (missed) this.#sayTeachable(session, stream);
		if (command.name === 'unload') {
			const left = new Set(session.discovery.activations.map(({ wireName }) => wireName));
			undo.pushUnloaded(
				session,
				before.filter(({ wireName }) => !left.has(wireName)),
			);
		}
		if (command.name === 'context') offerSuggestions(habits, stream);
		return { called: [], stopped: false };
	}

	/** Does what a button in an answer suggests; the id of the suggestion is its argument. */
	takeSuggestion(id: unknown): Promise<void> {
		return takeSuggestion(this.#services.learning.habits, id);
	}

	/** Shows a call that an answer links to, in an editor that can run it again. */
	async showCall(link: unknown): Promise<void> {
		if (!isCallLink(link)) return;
		const { sessions, app } = this.#services;
		const chat = sessions.chats.find(({ id }) => id === link.session);
		const log = chat?.discovery.log.entries ?? (await this.#kept(link.session)) ?? [];
		const call = callIn(saidIn(log), link.call, sessions.catalog);
		if (!call) throw new Error(l10n.t('this call is not kept any more.'));
		await (await app()).runs.show(call);
	}

	/** What can be clicked after an answer; none of it comes from a workspace that is not trusted. */
	followups(metadata: ResultMetadata | undefined): vscode.ChatFollowup[] {
		const prompts = this.#services.configFile.inForce?.config.prompts;
		return followups(metadata ?? {}, prompts);
	}

	/** Says that the chat's toolset is missing from the configuration. At the end of the answer: the editor folds texts before calls with them. */
	#sayMissing({ discovery }: ChatSession, stream: vscode.ChatResponseStream): void {
		const missing = missingToolset(discovery.surface);
		if (missing === undefined) return;
		stream.markdown(new vscode.MarkdownString(`\n\n$(warning) ${missing}\n\n`, true));
	}

	/** Once in each chat: who does not want it is not to read it below each answer. */
	#sayTeachable(session: ChatSession, stream: vscode.ChatResponseStream): void {
		if (this.#toldTeachable.has(session)) return;
		this.#toldTeachable.add(session);
		sayTeachable(this.#services.sessions, stream);
	}

	/** Where a call failed because its server did: a button that opens the server's log. */
	#offerLog(name: string, stream: vscode.ChatResponseStream): void {
		const status = this.#services.pool.servers().find((server) => server.name === name);
		if (status?.state.kind !== 'failed') return;
		stream.button({
			command: commands.showServerLog,
			title: l10n.t('Show Log of {0}', name),
			arguments: [{ server: name }],
		});
	}

	/** For searches of a chat that find nothing likely. */
	#miss({ discovery }: ChatSession, signal: AbortSignal): SearchMiss {
		return searchMiss({
			pool: this.#services.pool,
			toolset: () => discovery.surface.toolset,
			faulty: () => faultyServers(this.#services),
			signal,
		});
	}

	async #command(
		{ name, args }: SpokenCommand,
		session: ChatSession,
		searching: Pick<SlashCommandContext, 'miss' | 'onUnsearched' | 'onMiss' | 'onWaiting' | 'prompts'>,
	): Promise<string> {
		const handler = slashCommandHandlers[name];
		if (!handler)
			return l10n.t(
				'There is no command {0}. There are: {1}.',
				code(`/${name}`),
				slashCommands.map((known) => code(`/${known}`)).join(', '),
			);
		return handler(args, {
			session: session.discovery,
			toolsets: this.#services.sessions.toolsets,
			chooseToolset: (toolset) => this.#services.sessions.chooseToolset(session, toolset),
			agents: () => this.#agentFiles.list(),
			...searching,
		});
	}

	/** `forbidden`: gets the ids of tools that were not called, as the user never allows it. */
	async *#loop(
		{ request, context, stream, token }: Message,
		session: ChatSession,
		renderer: ChatRenderer,
		forbidden: Set<string>,
	): AsyncGenerator<LoopEvent> {
		const {
			languageModels: { models },
			configFile,
			ui: { editorTools },
			sandbox,
		} = this.#services;
		const stop = signalOf(token);
		try {
			const { discovery } = session;
			const model = await models.chatModelOf(request.model);
			const known = request.references.length > 0 ? await knownSecrets(this.#services) : [];
			const attached = await attachments(request, attachmentReader, new SecretMask(known));
			for (const text of attached.faults) yield { type: 'notice', text };
			for (const used of attached.used) stream.reference(used);
			const history = pastTurns(context.history.map(historyEntry));
			const interrupted = await this.#underway.get(session.id);
			if (interrupted) yield { type: 'notice', text: interruptedLine(interrupted) };
			const news = interrupted && interruptedNews(interrupted);
			const system = await this.#systemPrompt(request, session, stream);
			const isByRules = isPlanner(request.model);
			if (isByRules && attached.text !== undefined)
				yield {
					type: 'notice',
					text: l10n.t('The Offline Planner goes by your words alone: it does not read what you attach.'),
				};
			// The offline planner goes by rules: it has no task to give, no context that a result could fill, and takes results as they are.
			const agents = isByRules ? undefined : runAgentTool((await this.#agentFiles.list()).agents);
			const large = isByRules ? undefined : this.#largeResults.turn(session);
			const hosted = [...(agents ? [agents] : []), ...(large?.hosted ?? [])];
			followHistory(discovery, history);
			const { toolInvocationToken } = request;
			this.#keepUnderway(session, request.prompt, new Map());
			yield* runToolLoop({
				model,
				session: discovery,
				runTool: editorTools.runner(
					this.#callTool.runner(toolInvocationToken, session.id, {
						onSignIn: signInOffer(stream),
						onQuestion: (server, what) => renderer.question(server, what),
						onNever: ({ id }) => forbidden.add(id),
					}),
					toolInvocationToken,
					(call, signal) =>
						this.#callTool.refusal({ ...call, chat: session.id }, toolInvocationToken, signal),
				),
				checkArguments: argumentCheck(sandbox),
				resultFormat: (!isByRules && configFile.inForce?.config.toolResultFormat) || 'result',
				system,
				message: userMessage(withoutAddress(request.prompt), attached, news),
				signal: stop.signal,
				flow: flowOf(discovery),
				hasLinks: (server) => this.#services.pool.hasLinks(server),
				miss: this.#miss(session, stop.signal),
				...(large && { fitResult: large.fitResult }),
				...(hosted.length > 0 && { hosted }),
			});
		} finally {
			stop.dispose();
		}
	}

	/** The template of the chosen model, else our own words. One that cannot be rendered is told, and the chat goes on. */
	async #systemPrompt(
		request: vscode.ChatRequest,
		session: ChatSession,
		stream: vscode.ChatResponseStream,
	): Promise<string> {
		const definition = this.#services.languageModels.models.definitionOf(request.model);
		const { template } = definition ?? {};
		const { state } = this.#services.configFile;
		if (template === undefined || state.kind !== 'ok') return defaultSystemPrompt;
		const known = session.discovery.log.seen.systemPrompts.get(template);
		if (known !== undefined) return known;
		// Templates stand beside the file that names them.
		const file = state.models.get(definition?.name ?? '');
		const folder = vscode.Uri.joinPath(file === undefined ? state.uri : vscode.Uri.parse(file), '..').fsPath;
		const tools = session.discovery.definitions;
		const rendered = await renderSystemPrompt({ folder, template, tools, sandbox: this.#services.sandbox });
		if (rendered.kind === 'failed') {
			const warning = l10n.t('{0} The default system prompt is used.', plain(rendered.message, 500));
			stream.markdown(new vscode.MarkdownString(`$(warning) ${warning}\n\n`, true));
			return defaultSystemPrompt;
		}
		session.discovery.log.append({ kind: 'system', template, text: rendered.text });
		return rendered.text;
	}
}

/** What the user said, with what goes with it. */
function userMessage(
	text: string,
	{ images, text: attached }: Pick<Attachments, 'images' | 'text'>,
	news: string | undefined,
): UserMessage {
	return {
		role: 'user',
		text,
		...(images.length > 0 && { images }),
		...(attached !== undefined && { attached }),
		...(news !== undefined && { news }),
	};
}

/** Reads what is attached as the user sees it: with unsaved changes, where an editor shows it. */
const attachmentReader: AttachmentReader = {
	open: (uri) => openDocument(uri)?.getText(),
	bytes: readBytes,
	path: (uri) =>
		vscode.workspace.getWorkspaceFolder(uri) && vscode.workspace.asRelativePath(uri).replaceAll('\\', '/'),
};

/**
 * Whether the window is still there. While it closes, what was asked of the editor is rejected, so that a call fails and its answer ends: that is an
 * interruption, and no end.
 */
async function isWindowOpen(): Promise<boolean> {
	try {
		await vscode.commands.getCommands(true);
		return true;
	} catch {
		return false;
	}
}

const bytesOfKilobyte = 1024;
/** The setting's default, which also stands for a value that is no number. */
const defaultKilobytes = 8;

/** Large results of all chats: files in the workspace's own storage. */
class LargeResults {
	readonly #folder: BoundedFolder;
	readonly #chats = new WeakMap<ChatSession, ChatResults>();

	constructor(folder: string) {
		this.#folder = new BoundedFolder(folder);
	}

	/** What a turn does with large results, and the tool that reads on in them; nothing where the user wants results to stay whole. */
	turn(session: ChatSession): Required<Pick<LoopOptions, 'fitResult' | 'hosted'>> | undefined {
		const limit = largeResultBytes();
		if (limit === 0) return undefined;
		const results = this.#chats.get(session) ?? new ChatResults(this.#folder);
		this.#chats.set(session, results);
		return {
			fitResult: (result, of) => results.fit(result, limit, of),
			hosted: [readResultTool(results)],
		};
	}
}

/** Bytes of a result from which on it becomes a file; 0: never. */
function largeResultBytes(): number {
	const set: unknown = vscode.workspace.getConfiguration(settings.section).get(settings.largeResult);
	const kilobytes = typeof set === 'number' && Number.isFinite(set) ? set : defaultKilobytes;
	return Math.max(0, kilobytes) * bytesOfKilobyte;
}

/** Tells in the chat that a call waits for the user to sign in; of several calls of one server once. */
function signInOffer(stream: vscode.ChatResponseStream): AskToSignIn {
	const told = new Set<string>();
	return (server, why) => {
		if (told.has(why)) return;
		told.add(why);
		stream.markdown(new vscode.MarkdownString(`\n\n$(account) ${plain(why, whyCharacters)}\n\n`, true));
		stream.button({
			command: commands.signIn,
			title: l10n.t('Sign In…'),
			arguments: [{ server }],
		});
	};
}

/** Files that open with a click, in one line below the answer. */
function linkFiles(files: readonly string[], stream: vscode.ChatResponseStream): void {
	for (const [i, file] of files.entries()) {
		const uri = vscode.Uri.file(file);
		stream.markdown(i === 0 ? '\n\n' : ' · ');
		stream.anchor(uri, vscode.workspace.asRelativePath(uri));
	}
}

/** Tells which calls were not made because of a rule, and where that is taken back. At the end of the answer, since the editor folds texts before calls with them. */
function sayForbidden(forbidden: ReadonlySet<string>, stream: vscode.ChatResponseStream): void {
	if (forbidden.size === 0) return;
	const lines = [...forbidden].map((id) => {
		const text = l10n.t('{0} is blocked by your permission settings.', code(id, nameCharacters));
		return `$(circle-slash) ${text}`;
	});
	stream.markdown(new vscode.MarkdownString(`\n\n${lines.join('\n\n')}\n\n`, true));
	stream.button(commandButton(commands.managePermissions));
}
