import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type AnswerInProgress, AnswersInProgress, chatsUnderway } from '../../chat/answersInProgress.ts';
import { labelText } from '../ui/labelText.ts';
import { notify } from '../ui/messages.ts';

const shownCharacters = 80;

/** Says once per answer that closing the window interrupted it, and offers to continue. `names`: files in the folder. */
export async function sayInterrupted(folder: string, names: readonly string[]): Promise<void> {
	const answers = new AnswersInProgress(folder);
	for (const chat of chatsUnderway(names)) {
		const answer = await answers.get(chat);
		if (!answer || answer.isReported) continue;
		await answers.keep(chat, { ...answer, isReported: true });
		const text = l10n.t(
			'the answer to “{0}” was interrupted when the window closed.',
			labelText(answer.prompt, shownCharacters),
		);
		const { title, arguments: args } = continueCommand();
		if ((await notify(text, title)) === title)
			await vscode.commands.executeCommand('workbench.action.chat.open', ...args);
	}
}

/** Sends “Continue” to the chat. */
export function continueCommand(): vscode.Command & { readonly arguments: readonly unknown[] } {
	const title = l10n.t('Continue');
	return { command: 'workbench.action.chat.open', title, arguments: [{ query: `@discovery ${title}` }] };
}

export function interruptedLine({ calls }: AnswerInProgress): string {
	return calls.length === 0
		? l10n.t('The last answer was interrupted when the window closed.')
		: l10n.t('The last answer was interrupted when the window closed, during: {0}', calls.join(', '));
}

/** The note to the model about the interruption. */
export function interruptedNews({ calls }: AnswerInProgress): string {
	const notice = 'The window closed before the last answer was complete.';
	if (calls.length === 0) return notice;
	const running = `These calls had started, and whether they completed is unknown: ${calls.join(', ')}.`;
	return `${notice} ${running} Check their effects before you repeat one that changes something.`;
}
