import { readdir } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BoundedFolder, chatFolderLimits } from '../../chat/boundedFolder.ts';
import type { Disposable } from '../../common/event.ts';
import type { Services } from '../../services.ts';
import { ids } from '../ui/ids.ts';
import { sayFailed } from '../ui/messages.ts';
import { ReadingDocuments } from '../ui/readingEditor.ts';
import type { CallToolInput } from './mcpCallTool.ts';

/** `@discovery` in the chat panel, and the language-model tools through which it calls MCP tools. */
export class Participant implements vscode.Disposable {
	readonly #participant: vscode.ChatParticipant;
	readonly #subscriptions: readonly Disposable[];

	constructor({ app, storage: { folders } }: Pick<Services, 'app' | 'storage'>) {
		this.#participant = vscode.chat.createChatParticipant(
			ids.participant,
			async (request, context, stream, token) =>
				(await app()).chat.answer({ request, context, stream, token }),
		);
		// A picture would be drawn black on the dark and high-contrast themes.
		this.#participant.iconPath = new vscode.ThemeIcon('zoom-in');
		this.#participant.followupProvider = {
			provideFollowups: async ({ metadata }) => (await app()).chat.followups(metadata),
		};
		this.#subscriptions = [
			this.#participant,
			vscode.lm.registerTool<CallToolInput>(ids.callTool, {
				prepareInvocation: async (options) => (await app()).callTool.prepareInvocation(options),
				invoke: async (options, token) => (await app()).callTool.invoke(options, token),
			}),
			registerThinking(),
			vscode.commands.registerCommand(ids.showCall, async (link: unknown) =>
				(await app()).chat.showCall(link).catch(sayFailed),
			),
			vscode.commands.registerCommand(ids.takeSuggestion, async (id: unknown) =>
				(await app()).chat.takeSuggestion(id).catch(sayFailed),
			),
			registerFolderSweep(folders),
		];
		void lookForInterrupted(folders.chats, app);
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}
}

/** Answers that an earlier window has left. Most have left none, and then nothing is loaded. */
async function lookForInterrupted(folder: string, app: Services['app']): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	if (names.some((name) => name.startsWith('underway-'))) await (await app()).sayInterrupted(folder, names);
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
function registerFolderSweep(folders: Services['storage']['folders']): Disposable {
	const swept = [new BoundedFolder(folders.results), new BoundedFolder(folders.chats, chatFolderLimits)];
	// What cannot be removed now may be so later; nobody waits for it.
	const sweep = () => {
		for (const one of swept) void one.sweep().catch(() => undefined);
	};
	sweep();
	const timer = setInterval(sweep, sweepEveryMs).unref();
	return { dispose: () => clearInterval(timer) };
}
