import { readdir } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
	BoundedFolder,
	chatFolderLimits,
	readFolderLimits,
	type StorageFolders,
} from '../../chat/boundedFolder.ts';
import type { Disposable } from '../../common/event.ts';
import { ids } from '../ui/ids.ts';
import { showError } from '../ui/messages.ts';
import { ReadingDocuments } from '../ui/readingEditor.ts';
import type { sayInterrupted } from './interrupted.ts';
import type { CallToolInput, McpCallTool } from './mcpCallTool.ts';
import type { RequestHandler } from './requestHandler.ts';

/** What the first message needs of the application. */
export interface ParticipantParts {
	readonly chat: RequestHandler;
	/** The language-model tool through which every chat calls MCP tools. */
	readonly callTool: McpCallTool;
	/** Reports answers that were interrupted when an earlier window closed. */
	readonly sayInterrupted: typeof sayInterrupted;
	/** What can be clicked after a stored answer. */
	followups(
		stored: unknown,
		history: vscode.ChatContext['history'],
		token: vscode.CancellationToken,
	): Promise<vscode.ChatFollowup[]>;
	/** Shows a call that an answer links to. */
	showCall(link: unknown): Promise<void>;
}

/** `@discovery` in the chat panel, and the language-model tools that run MCP tools. */
export class Participant implements vscode.Disposable {
	readonly #participant: vscode.ChatParticipant;
	readonly #subscriptions: readonly Disposable[];

	constructor(app: () => Promise<ParticipantParts>, folders: StorageFolders) {
		this.#participant = vscode.chat.createChatParticipant(
			ids.participant,
			async (request, context, stream, token) =>
				(await app()).chat.answer({ request, context, stream, token }),
		);
		// A PNG or SVG would be black in dark and high-contrast themes.
		this.#participant.iconPath = new vscode.ThemeIcon('zoom-in');
		this.#participant.followupProvider = {
			provideFollowups: async ({ metadata }, { history }, token) =>
				(await app()).followups(metadata, history, token),
		};
		this.#subscriptions = [
			this.#participant,
			vscode.lm.registerTool<CallToolInput>(ids.callTool, {
				prepareInvocation: async (options) => (await app()).callTool.prepareInvocation(options),
				invoke: async (options, token) => (await app()).callTool.invoke(options, token),
			}),
			registerThinking(),
			vscode.commands.registerCommand(ids.showCall, async (link: unknown) =>
				(await app()).showCall(link).catch(showError),
			),
			registerFolderSweep(folders),
		];
		void lookForInterrupted(folders.chats, app);
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}
}

/** Loads the application only if an earlier window left an unfinished answer. */
async function lookForInterrupted(folder: string, app: () => Promise<ParticipantParts>): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	if (names.some((name) => name.startsWith('underway-'))) await (await app()).sayInterrupted(folder, names);
}

/** Opens the model's thinking, from the button below an answer, in a read-only editor. */
function registerThinking(): vscode.Disposable {
	const documents = new ReadingDocuments<undefined>(ids.thinkingScheme, () =>
		l10n.t('Reopen this from the chat.'),
	);
	const show = (text: unknown) =>
		documents.open(`${l10n.t('Thinking')}.md`, { text: `${text}\n`, source: undefined });
	return vscode.Disposable.from(documents, vscode.commands.registerCommand(ids.showThinking, show));
}

/** How often an open window removes old files. */
const sweepEveryMs = 60 * 60 * 1000;

/** Removes old files of results and chats, also of earlier windows, now and while the window is open. */
function registerFolderSweep(folders: StorageFolders): Disposable {
	const swept = [
		new BoundedFolder(folders.results),
		new BoundedFolder(folders.chats, chatFolderLimits),
		new BoundedFolder(folders.reads, readFolderLimits),
	];
	// A later sweep removes what cannot be removed now.
	const sweep = () => {
		for (const folder of swept) void folder.sweep().catch(() => undefined);
	};
	sweep();
	const timer = setInterval(sweep, sweepEveryMs).unref();
	return { dispose: () => clearInterval(timer) };
}
