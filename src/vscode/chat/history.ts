import * as vscode from 'vscode';
import type { HistoryEntry } from '../../chat/pastTurns.ts';
import { withoutImages } from '../../chat/shownImage.ts';
import type { SavedSession } from '../discoveryHub.ts';

/** What the chat's history keeps of each answer; plain JSON. */
export interface ResultMetadata {
	readonly session?: SavedSession;
	/** Wire names of the tools that were called. */
	readonly called?: readonly string[];
	/** The user has stopped it before it was complete. */
	readonly stopped?: true;
}

/** One entry of a chat's history in our own words. */
export function historyEntry(turn: vscode.ChatRequestTurn | vscode.ChatResponseTurn): HistoryEntry {
	return turn instanceof vscode.ChatRequestTurn
		? { kind: 'request', prompt: turn.prompt, command: turn.command }
		: { kind: 'answer', text: shownText(turn) };
}

function shownText({ response }: vscode.ChatResponseTurn): string {
	const text = response
		.map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
		.join('');
	return withoutImages(text);
}

/** What the newest answer in a chat's history tells of its session, with what all of them tell of what happened. */
export function savedSession(context: vscode.ChatContext): SavedSession | undefined {
	const sessions = context.history
		.filter((turn) => turn instanceof vscode.ChatResponseTurn)
		.map((turn) => (turn.result.metadata as ResultMetadata | undefined)?.session)
		.filter((session) => session !== undefined);
	const newest = sessions.at(-1);
	return newest && { ...newest, timeline: sessions.flatMap(({ timeline = [] }) => timeline) };
}
