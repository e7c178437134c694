import * as vscode from 'vscode';
import { BoundedFolder, chatFolderLimits } from '../../chat/boundedFolder.ts';
import type { Disposable } from '../../common/event.ts';
import { ids } from '../ui/ids.ts';
import type { AnswerParts, RequestHandler } from './requestHandler.ts';

/** What the participant works with. */
export interface ParticipantParts extends AnswerParts {
	readonly icon: { readonly light: vscode.Uri; readonly dark: vscode.Uri };
}

/** `@discovery` in the chat panel. */
export class Participant implements vscode.Disposable {
	readonly #participant: vscode.ChatParticipant;
	readonly #parts: ParticipantParts;
	readonly #thinking = registerThinking();
	#answers: Promise<RequestHandler> | undefined;

	constructor(parts: ParticipantParts) {
		this.#parts = parts;
		this.#participant = vscode.chat.createChatParticipant(
			ids.participant,
			async (request, context, stream, token) =>
				(await this.#loadAnswers()).answer({ request, context, stream, token }),
		);
		this.#participant.iconPath = parts.icon;
		this.#participant.followupProvider = {
			provideFollowups: async ({ metadata }) => (await this.#loadAnswers()).followups(metadata),
		};
	}

	dispose(): void {
		this.#participant.dispose();
		this.#thinking.dispose();
		void this.#answers?.then((answers) => answers.dispose());
	}

	/** The loop and the commands are loaded with the first message: who never asks never pays for them. */
	#loadAnswers(): Promise<RequestHandler> {
		this.#answers ??= import('./requestHandler.ts').then(
			({ RequestHandler }) => new RequestHandler(this.#parts),
		);
		return this.#answers;
	}
}

/** The button below an answer that shows what the model thought, and the documents in which it does. */
function registerThinking(): vscode.Disposable {
	const load = () => import('./thinking.ts');
	return vscode.Disposable.from(
		vscode.commands.registerCommand(ids.showThinking, async (text) =>
			(await load()).showThinking(String(text)),
		),
		vscode.workspace.registerTextDocumentContentProvider(ids.thinkingScheme, {
			provideTextDocumentContent: async (uri) => (await load()).thinkingText(uri),
		}),
	);
}

/** How often a window that stays open looks for what nobody has used for long. */
const sweepEveryMs = 60 * 60 * 1000;

/**
 * Removes what is too old from the folders of large results and of chats, of earlier windows too: now, and as long as the window is open.
 */
export function registerFolderSweep(folders: {
	readonly results: string;
	readonly chats: string;
}): Disposable {
	const swept = [new BoundedFolder(folders.results), new BoundedFolder(folders.chats, chatFolderLimits)];
	// What cannot be removed now may be so later; nobody waits for it.
	const sweep = () => {
		for (const one of swept) void one.sweep().catch(() => undefined);
	};
	sweep();
	const timer = setInterval(sweep, sweepEveryMs).unref();
	return { dispose: () => clearInterval(timer) };
}
