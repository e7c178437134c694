import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
	commandOf,
	followHistory,
	pastTurns,
	type SpokenCommand,
	withoutAddress,
} from '../../chat/chatHistory.ts';
import { slashCommandHandlers } from '../../chat/commands/slashCommands.ts';
import type { KeptChats } from '../../chat/keptChats.ts';
import { type LoopEvent, unwrapped } from '../../chat/loopEvent.ts';
import type { ReadTexts } from '../../chat/results/readTexts.ts';
import type { ChatSession } from '../../chat/sessions.ts';
import { UnderwayAnswers } from '../../chat/underway.ts';
import { code, plain } from '../../common/markdown.ts';
import { refOfClient } from '../../config/models/clientDefinition.ts';
import { permitsServer } from '../../discovery/catalog/toolset.ts';
import { saidIn } from '../../discovery/session/logEntry.ts';
import { ListingWait } from '../../mcp/listing/listingWait.ts';
import { ServerError } from '../../mcp/serverError.ts';
import type { EditorTools } from '../core/editorTools.ts';
import type { ModelProvider } from '../core/modelProvider.ts';
import type { UndoHistory } from '../core/undo.ts';
import { unloadedTools } from '../core/undo.ts';
import { signalOf } from '../ui/cancellation.ts';
import { slashCommands } from '../ui/ids.ts';
import { withDetails } from '../ui/unsupported.ts';
import { AgentFiles } from './agentFiles.ts';
import { AnswerNotes, type NoteServices } from './answerNotes.ts';
import type { CallViewer } from './askToCall.ts';
import { hasAttachments } from './attachments.ts';
import { callIn, isCallLink } from './callLinks.ts';
import { ChatRenderer } from './chatRenderer.ts';
import { beginningText, followups, greetingText, isGreeting, updatedFacts } from './followups.ts';
import { historyEntry, savedSession } from './history.ts';
import type { McpCallTool } from './mcpCallTool.ts';
import { type LoopServices, type Message, MessageLoop } from './messageLoop.ts';
import { promptSource } from './promptSource.ts';
import {
	isReady,
	type ReadinessServices,
	sayWaiting,
	searchMissOf,
	waitForApproval,
	waitForServers,
	waitingServers,
	waitUntilReady,
} from './readiness.ts';
import { metadataIn, type NextFacts, type ResultMetadata } from './resultMetadata.ts';

const errorCharacters = 500;
/** VS Code's own command, which shows Markdown rendered. */
const showPreview = 'markdown.showPreview';

/** What happened while a message was answered. */
interface Outcome {
	/** Wire names of the tools that were called. */
	readonly called: readonly string[];
	/** The user stopped the answer. */
	readonly stopped: boolean;
	readonly next?: NextFacts;
}

interface HandlerServices extends LoopServices, ReadinessServices, NoteServices {
	readonly models: ModelProvider;
	readonly editorTools: EditorTools;
	readonly keptChats: KeptChats;
	readonly extensionUri: vscode.Uri;
	readonly runs: CallViewer;
	readonly undo: UndoHistory;
}

/** Answers messages to `@discovery`, with a slash command or with a model and the tool loop. */
export class RequestHandler implements vscode.Disposable {
	readonly #services: HandlerServices;
	readonly #reads: ReadTexts;
	readonly #agentFiles = new AgentFiles();
	readonly #loop: MessageLoop;
	readonly #listings: ListingWait;
	readonly #underway: UnderwayAnswers;

	constructor(services: HandlerServices, callTool: McpCallTool, reads: ReadTexts) {
		this.#services = services;
		this.#reads = reads;
		this.#loop = new MessageLoop(services, callTool, reads, this.#agentFiles);
		this.#listings = new ListingWait(services.pool);
		this.#underway = new UnderwayAnswers(services.folders.chats);
	}

	dispose(): void {
		this.#agentFiles.dispose();
	}

	async answer(message: Message): Promise<vscode.ChatResult> {
		const { request, context, stream, token } = message;
		const greets = isGreeting(request);
		if (greets) stream.markdown(this.#greeting());
		const outcome = greets ? 'greeted' : 'notReady';
		const isAnswered =
			isReady(this.#services, stream) || (!greets && (await waitForApproval(this.#services, stream, token)));
		if (!isAnswered) return { metadata: { outcome } satisfies ResultMetadata };
		if (greets) {
			stream.markdown(beginningText());
			sayWaiting(waitingServers(this.#services), stream);
			return { metadata: { outcome } satisfies ResultMetadata };
		}
		this.#services.editorTools.refresh();
		const session = await this.#open(context);
		const command = commandOf(request);
		const { called, stopped, next } = command
			? await this.#answerCommand(command, session, message)
			: await this.#answerWithModel(message, session);
		const saved = this.#services.sessions.endAnswer(session);
		await this.#keep(session);
		const metadata: ResultMetadata = {
			session: saved,
			called,
			...(stopped && { stopped }),
			...(next && Object.keys(next).length > 0 && { next }),
		};
		return stopped
			? withDetails({ metadata }, l10n.t('You stopped this answer before it was complete.'))
			: { metadata };
	}

	#greeting(): vscode.MarkdownString {
		const guide = vscode.Uri.joinPath(this.#services.extensionUri, 'docs', 'README.md');
		const link = `command:${showPreview}?${encodeURIComponent(JSON.stringify([guide]))}`;
		const greeting = new vscode.MarkdownString(greetingText(link));
		greeting.isTrusted = { enabledCommands: [showPreview] };
		return greeting;
	}

	/** The session of a chat, with the log that an earlier window kept. */
	async #open(context: vscode.ChatContext): Promise<ChatSession> {
		const { sessions, keptChats } = this.#services;
		const saved = savedSession(context);
		const log = saved && !sessions.has(saved) ? await keptChats.read(saved.id) : undefined;
		return sessions.open(saved, log);
	}

	/** If the chat cannot be written, a later window continues with what its history shows. */
	async #keep(session: ChatSession): Promise<void> {
		await this.#services.keptChats.keep(session).catch(() => undefined);
	}

	async #answerWithModel(message: Message, session: ChatSession): Promise<Outcome> {
		const { request, context, stream, token } = message;
		const { sessions, pool, models } = this.#services;
		const { toolset } = session.discovery.surface;
		await waitForServers(pool, this.#listings, stream, token, (server) => permitsServer(toolset, server));
		const picked = await models.picked(request.model);
		const asked = picked.definition && {
			client: refOfClient(picked.definition.client),
			message: hasAttachments(request) ? undefined : withoutAddress(request.prompt),
		};
		const renderer = new ChatRenderer(stream, session.id, asked);
		const notes = new AnswerNotes(this.#services, session, stream);
		/** Ids of the tools that were called, by call. */
		const begun = new Map<string, string>();
		let next: NextFacts = {};
		let stopped = false;
		try {
			const interrupted = await this.#underway.get(session.id);
			followHistory(session.discovery, pastTurns(context.history.map(historyEntry)));
			this.#keepUnderway(session, request.prompt, begun);
			for await (const event of this.#loop.run(message, { session, picked, renderer, notes, interrupted })) {
				// A window that closes lets calls fail and answers end. The loop has not logged that yet.
				if (mayComeOfClosing(event) && !(await isWindowOpen())) this.#services.keptChats.close();
				renderer.render(event);
				if (event.type === 'end' && event.reason === 'cancelled') stopped = true;
				const { event: inner, agents } = unwrapped(event);
				notes.note(inner);
				next = updatedFacts(next, inner);
				if (inner.type === 'toolStarted') begun.set(inner.call.id, inner.tool.id);
				// An agent's calls are not part of this chat's conversation.
				if (inner.type === 'toolFinished' && agents.length > 0) begun.delete(inner.call.id);
				if (inner.type === 'toolStarted' || inner.type === 'usage')
					this.#keepUnderway(session, request.prompt, begun);
			}
		} finally {
			renderer.dispose();
			if (await isWindowOpen()) await this.#underway.remove(session.id);
		}
		notes.show();
		sessions.setUnsent(session, { model: request.model.name, reasons: notes.unsent });
		return { called: [...notes.called], stopped, next };
	}

	/** Records how far an answer is, without waiting, so that a later window can say that it was interrupted and continue. */
	#keepUnderway(session: ChatSession, prompt: string, begun: ReadonlyMap<string, string>): void {
		const { messages } = session.discovery.log;
		const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
		const finished = new Set(results.map(({ callId }) => callId));
		const calls = [...begun].filter(([id]) => !finished.has(id)).map(([, tool]) => tool);
		void this.#underway.keep(session.id, { prompt, calls });
		void this.#keep(session);
	}

	async #answerCommand(
		{ name, args }: SpokenCommand,
		session: ChatSession,
		{ stream, token }: Message,
	): Promise<Outcome> {
		const handler = slashCommandHandlers[name];
		if (!handler) {
			const known = slashCommands.map((one) => code(`/${one}`)).join(', ');
			stream.markdown(l10n.t('Unknown command {0}. Available: {1}.', code(`/${name}`), known));
			return { called: [], stopped: false };
		}
		const { sessions, undo } = this.#services;
		const { discovery } = session;
		const before = discovery.activations;
		using stop = signalOf(token);
		const notes = new AnswerNotes(this.#services, session, stream);
		const masked: string[] = [];
		try {
			const text = await handler(args, {
				session: discovery,
				toolsets: sessions.toolsets,
				chooseToolset: (toolset) => sessions.chooseToolset(session, toolset),
				agents: () => this.#agentFiles.list(),
				miss: searchMissOf(this.#services, session, stop.signal),
				prompts: promptSource(this.#services, session, this.#reads, stop.signal, (line) => masked.push(line)),
				onUnsearched: (found) => {
					notes.unsearched = found;
				},
				onMiss: () => {
					notes.missed = true;
				},
				onWaiting: (tools) => notes.addChanged(tools),
			});
			stream.markdown(text);
			for (const line of masked)
				stream.markdown(new vscode.MarkdownString(`\n\n$(info) ${plain(line)}`, true));
		} catch (error) {
			if (stop.signal.aborted) return { called: [], stopped: true };
			if (!(error instanceof ServerError)) throw error;
			stream.markdown(new vscode.MarkdownString(`$(error) ${plain(error.message, errorCharacters)}`, true));
		}
		notes.showSearch();
		if (name === 'unload') {
			const left = new Set(discovery.activations.map(({ wireName }) => wireName));
			const taken = before.filter(({ wireName }) => !left.has(wireName));
			if (taken.length > 0) undo.push(unloadedTools(sessions, session, taken));
		}
		return { called: [], stopped: false };
	}

	/** Shows a call that an answer links to, in an editor that can run it again. */
	async showCall(link: unknown): Promise<void> {
		if (!isCallLink(link)) return;
		const { sessions, keptChats, runs } = this.#services;
		const chat = sessions.chats.find(({ id }) => id === link.session);
		const log = chat?.discovery.log.entries ?? (await keptChats.read(link.session)) ?? [];
		const call = callIn(saidIn(log), link.call, sessions.catalog);
		if (!call) throw new Error(l10n.t('this call is no longer available.'));
		await runs.show(call);
	}

	/**
	 * What can be clicked after an answer. Suggestions for a first request appear once a server can be used: until then, a click on one could only be
	 * refused. Prompts of the configuration come only from trusted workspaces.
	 */
	async followups(stored: unknown, token: vscode.CancellationToken): Promise<vscode.ChatFollowup[]> {
		const metadata = metadataIn(stored);
		if (metadata.outcome && !(await waitUntilReady(this.#services, token))) return [];
		return followups(metadata, this.#services.configFile.inForce?.config.prompts);
	}
}

/** Whether the end of a window can be the reason for an event. */
function mayComeOfClosing(event: LoopEvent): boolean {
	return event.type === 'end' || (event.type === 'toolFinished' && event.result.isError);
}

/**
 * Whether the window is still open. While it closes, the editor rejects what it was asked, so calls fail and the answer ends: that is an
 * interruption.
 */
async function isWindowOpen(): Promise<boolean> {
	try {
		await vscode.commands.getCommands(true);
		return true;
	} catch {
		return false;
	}
}
