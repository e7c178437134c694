import * as vscode from 'vscode';
import { type HistoryEntry, withoutCalls, withoutImages, withoutThoughts } from '../../chat/chatHistory.ts';
import { joinedSession, type SavedSession } from '../../chat/sessions.ts';

/** What the chat's history keeps of each answer; plain JSON. */
export interface ResultMetadata {
	readonly session?: SavedSession;
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
	return withoutCalls(withoutThoughts(withoutImages(text)));
}

/** The session that the answers of a chat belong to. */
export function savedSession(context: vscode.ChatContext): SavedSession | undefined {
	const sessions = context.history
		.filter((turn) => turn instanceof vscode.ChatResponseTurn)
		.map((turn) => metadataOf(turn)?.session)
		.filter((session) => session !== undefined)
		// Ignores metadata of another shape.
		.filter(({ log }) => Array.isArray(log));
	return joinedSession(sessions);
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
