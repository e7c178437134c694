import * as vscode from 'vscode';
import { ids } from '../ids.ts';
import type { AnswerParts, ChatAnswers } from './chatAnswers.ts';

/** What the participant works with. */
export interface ParticipantParts extends AnswerParts {
	readonly icon: { readonly light: vscode.Uri; readonly dark: vscode.Uri };
}

/** `@discovery` in the chat panel. */
export class Participant implements vscode.Disposable {
	readonly #participant: vscode.ChatParticipant;
	readonly #parts: ParticipantParts;
	readonly #thinking = registerThinking();
	#answers: Promise<ChatAnswers> | undefined;

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
	#loadAnswers(): Promise<ChatAnswers> {
		this.#answers ??= import('./chatAnswers.ts').then(({ ChatAnswers }) => new ChatAnswers(this.#parts));
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
