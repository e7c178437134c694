import { readdir } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BoundedFolder, chatFolderLimits } from '../../chat/boundedFolder.ts';
import type { Disposable } from '../../common/event.ts';
import type { Services } from '../../services.ts';
import { ids } from '../ui/ids.ts';
import { Lazy } from '../ui/lazy.ts';
import { sayFailed } from '../ui/messages.ts';
import { ReadingDocuments } from '../ui/readingEditor.ts';
import type { CallToolInput } from './mcpCallTool.ts';
import type { AnswerServices, RequestHandler } from './requestHandler.ts';

type ParticipantServices = AnswerServices & Pick<Services, 'trust'>;

/** `@discovery` in the chat panel, and the language-model tools through which it calls MCP tools. */
export class Participant implements vscode.Disposable {
	readonly #participant: vscode.ChatParticipant;
	readonly #subscriptions: readonly Disposable[];
	/** The loop and the commands are loaded with the first message, what calls tools with that or with the first call of another chat. */
	readonly #handler: Lazy<RequestHandler>;

	constructor(services: ParticipantServices) {
		const {
			places: { folders },
		} = services;
		const callTool = new Lazy(async () => {
			const { McpCallTool } = await import('./mcpCallTool.ts');
			return new McpCallTool(services);
		});
		this.#handler = new Lazy(async () => {
			const { RequestHandler } = await import('./requestHandler.ts');
			return new RequestHandler(services, await callTool.get());
		});
		this.#participant = vscode.chat.createChatParticipant(
			ids.participant,
			async (request, context, stream, token) =>
				(await this.#handler.get()).answer({ request, context, stream, token }),
		);
		// A picture would be drawn black on the dark and high-contrast themes.
		this.#participant.iconPath = new vscode.ThemeIcon('zoom-in');
		this.#participant.followupProvider = {
			provideFollowups: async ({ metadata }) => (await this.#handler.get()).followups(metadata),
		};
		this.#subscriptions = [
			this.#participant,
			vscode.lm.registerTool<CallToolInput>(ids.callTool, {
				prepareInvocation: async (options) => (await callTool.get()).prepareInvocation(options),
				invoke: async (options, token) => (await callTool.get()).invoke(options, token),
			}),
			registerThinking(),
			vscode.commands.registerCommand(ids.showCall, async (link: unknown) =>
				(await this.#handler.get()).showCall(link).catch(sayFailed),
			),
			vscode.commands.registerCommand(ids.takeSuggestion, async (id: unknown) =>
				(await this.#handler.get()).takeSuggestion(id).catch(sayFailed),
			),
			registerFolderSweep(folders),
		];
		void lookForInterrupted(folders.chats);
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
		this.#handler.dispose();
	}
}

/** Answers that an earlier window has left. Most have left none, and then nothing is loaded. */
async function lookForInterrupted(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	if (names.some((name) => name.startsWith('underway-'))) {
		const { sayInterrupted } = await import('./interrupted.ts');
		await sayInterrupted(folder, names);
	}
}

/** Has the button below an answer show what the model thought, in a document that can only be read. */
function registerThinking(): vscode.Disposable {
	const documents = new ReadingDocuments<undefined>(ids.thinkingScheme, () =>
		l10n.t('Show this again from the chat.'),
	);
	const show = (text: unknown) =>
		documents.open(`${l10n.t('Thinking')}.md`, { text: `${text}\n`, source: undefined });
	return vscode.Disposable.from(documents, vscode.commands.registerCommand(ids.showThinking, show));
}

/** How often a window that stays open looks for what nobody has used for long. */
const sweepEveryMs = 60 * 60 * 1000;

/**
 * Removes what is too old from the folders of large results and of chats, of earlier windows too: now, and as long as the window is open.
 */
function registerFolderSweep(folders: Services['places']['folders']): Disposable {
	const swept = [new BoundedFolder(folders.results), new BoundedFolder(folders.chats, chatFolderLimits)];
	// What cannot be removed now may be so later; nobody waits for it.
	const sweep = () => {
		for (const one of swept) void one.sweep().catch(() => undefined);
	};
	sweep();
	const timer = setInterval(sweep, sweepEveryMs).unref();
	return { dispose: () => clearInterval(timer) };
}
