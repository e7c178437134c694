import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from '../ids.ts';
import type { AnswerParts, ChatAnswers } from './chatAnswers.ts';
import type { ResultMetadata } from './history.ts';

/** What the participant works with. */
export interface ParticipantParts extends AnswerParts {
	readonly icon: { readonly light: vscode.Uri; readonly dark: vscode.Uri };
}

/** `@discovery` in the chat panel. */
export class Participant implements vscode.Disposable {
	readonly #participant: vscode.ChatParticipant;
	readonly #parts: ParticipantParts;
	#answers: Promise<ChatAnswers> | undefined;

	constructor(parts: ParticipantParts) {
		this.#parts = parts;
		this.#participant = vscode.chat.createChatParticipant(
			ids.participant,
			async (request, context, stream, token) =>
				(await this.#loadAnswers()).answer({ request, context, stream, token }),
		);
		this.#participant.iconPath = parts.icon;
		this.#participant.followupProvider = { provideFollowups: (result) => followups(result.metadata) };
	}

	dispose(): void {
		this.#participant.dispose();
		void this.#answers?.then((answers) => answers.dispose());
	}

	/** The loop and the commands are loaded with the first message: who never asks never pays for them. */
	#loadAnswers(): Promise<ChatAnswers> {
		this.#answers ??= import('./chatAnswers.ts').then(({ ChatAnswers }) => new ChatAnswers(this.#parts));
		return this.#answers;
	}
}

/** Of a stopped answer the editor takes no more text, but it asks for these: the first one says what it is, and goes on with it. */
function followups(metadata: ResultMetadata | undefined): vscode.ChatFollowup[] {
	const { stopped, called = [] } = metadata ?? {};
	return [
		...(stopped ? [{ prompt: l10n.t('Continue'), label: l10n.t('You stopped this answer. Continue?') }] : []),
		...(called.length > 0 ? [{ prompt: '', command: 'context', label: l10n.t('What is loaded now?') }] : []),
	];
}
