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

function shownText({ response }: vscode.ChatResponseTurn): string {
	const text = response
		.map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
		.join('');
	return modelText(text);
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
