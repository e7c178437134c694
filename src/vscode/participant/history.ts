import * as vscode from 'vscode';
import { type HistoryEntry, modelText } from '../../chat/chatHistory.ts';
import type { SavedChat } from '../../chat/sessions.ts';

/** What the chat's history keeps of each answer; plain JSON. */
export interface ResultMetadata {
	readonly session?: SavedChat;
	/** Wire names of the tools that were called. */
	readonly called?: readonly string[];
	/** Set if no model answered: a greeting, or a message that came too early. */
	readonly outcome?: 'greeted' | 'notReady';
	readonly next?: NextFacts;
	/** The user stopped the answer. */
	readonly stopped?: true;
}

export function historyEntry(turn: vscode.ChatRequestTurn | vscode.ChatResponseTurn): HistoryEntry {
	return turn instanceof vscode.ChatRequestTurn
		? { kind: 'request', prompt: turn.prompt, command: turn.command }
		: { kind: 'answer', text: shownText(turn), isGreeting: metadataOf(turn)?.outcome === 'greeted' };
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
	return answers.map((turn) => metadataOf(turn)?.session).findLast((session) => session !== undefined);
}

function metadataOf({ result }: vscode.ChatResponseTurn): ResultMetadata | undefined {
	return result.metadata;
}

/** What followups are based on; plain JSON. */
export interface NextFacts {
	/** The last search, if it found nothing. */
	readonly nothingFor?: string;
	/** The tool whose call failed last, as `server:tool`. */
	readonly failed?: string;
}
