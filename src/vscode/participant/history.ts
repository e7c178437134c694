import * as vscode from 'vscode';
import { type HistoryEntry, withoutCalls, withoutImages, withoutThoughts } from '../../chat/chatHistory.ts';
import { joinedSession, type SavedSession } from '../../chat/sessions.ts';

/** What the chat's history keeps of each answer; plain JSON. */
export interface ResultMetadata {
	readonly session?: SavedSession;
	/** Wire names of the tools that were called. */
	readonly called?: readonly string[];
	/** Where no model was asked: a greeting, or a message that nothing could be done about yet. */
	readonly outcome?: 'greeted' | 'notReady';
	/** What speaks for a next step. */
	readonly next?: NextFacts;
	/** The user has stopped it before it was complete. */
	readonly stopped?: true;
}

/** One entry of a chat's history in our own words. */
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

/** What the answers in a chat's history tell of its session. */
export function savedSession(context: vscode.ChatContext): SavedSession | undefined {
	const sessions = context.history
		.filter((turn) => turn instanceof vscode.ChatResponseTurn)
		.map((turn) => metadataOf(turn)?.session)
		.filter((session) => session !== undefined)
		// What other versions have kept there is left aside.
		.filter(({ log }) => Array.isArray(log));
	return joinedSession(sessions);
}

function metadataOf({ result }: vscode.ChatResponseTurn): ResultMetadata | undefined {
	return result.metadata;
}

/** What happened in an answer that speaks for a next step; plain JSON, as it is kept with the chat. */
export interface NextFacts {
	/** What the last search was for, where it found nothing. */
	readonly nothingFor?: string;
	/** The tool whose call has failed last, as `server:tool`. */
	readonly failed?: string;
}
