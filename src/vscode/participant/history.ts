import * as vscode from 'vscode';
import { type HistoryEntry, modelText } from '../../chat/chatHistory.ts';
import type { SavedChat } from '../../chat/sessions.ts';
import { metadataIn } from './resultMetadata.ts';

export function historyEntry(turn: vscode.ChatRequestTurn | vscode.ChatResponseTurn): HistoryEntry {
	return turn instanceof vscode.ChatRequestTurn
		? { kind: 'request', prompt: turn.prompt, command: turn.command }
		: {
				kind: 'answer',
				text: shownText(turn),
				isGreeting: metadataIn(turn.result.metadata).outcome === 'greeted',
			};
}

/** What the model said of an answer. Only our own lines have icons, and the model must not take them for its words. */
function shownText({ response }: vscode.ChatResponseTurn): string {
	const texts = response.flatMap((part) =>
		part instanceof vscode.ChatResponseMarkdownPart && !part.value.supportThemeIcons
			? [part.value.value]
			: [],
	);
	return modelText(texts.join(''));
}

/** The session of a chat, as its newest answer left it. */
export function savedSession({ history }: vscode.ChatContext): SavedChat | undefined {
	const answers = history.filter((turn) => turn instanceof vscode.ChatResponseTurn);
	return answers
		.map(({ result }) => metadataIn(result.metadata).session)
		.findLast((session) => session !== undefined);
}

/** What the user wrote in a chat, without slash commands. */
export function promptsIn(history: vscode.ChatContext['history']): readonly string[] {
	return history.flatMap((turn) =>
		turn instanceof vscode.ChatRequestTurn && turn.command === undefined ? [turn.prompt] : [],
	);
}
