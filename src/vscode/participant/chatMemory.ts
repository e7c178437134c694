import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { type ChatSessions, joinedSession, type SavedSession } from '../../chat/sessions.ts';
import { isRecord } from '../../common/json.ts';
import { redrawEveryMs } from '../ui/throttle.ts';

/** How often a chat is written at most while it is answered, in milliseconds: it may have a megabyte. */
const writeEveryMs = 5_000;

/** Where the last used chat is found again. */
interface ChatMemory {
	readonly memento: vscode.Memento;
	/** Where the editor keeps the chats of this workspace, see {@link storedSession}; `undefined` without a workspace. */
	readonly chatFolder: string | undefined;
}

/**
 * Keeps the last used chat, with each answer at once, and restores it at the next start, before anything is said in it. The editor writes chats less
 * often: after an abrupt end its chat may have fewer answers than we have kept, and then ours is cut to what the editor has.
 */
export function registerChatMemory(
	sessions: ChatSessions,
	{ memento, chatFolder }: ChatMemory,
): vscode.Disposable {
	const key = 'currentChat';
	const saved = memento.get<SavedSession>(key);
	if (saved && !sessions.current) {
		sessions.restore(saved);
		if (chatFolder !== undefined) void adoptStored(sessions, saved, chatFolder);
	}
	let written = JSON.stringify(saved);
	const write = () => {
		const now = JSON.stringify(sessions.saved);
		if (now === written) return;
		written = now;
		void memento.update(key, sessions.saved);
	};
	let answers = sessions.current?.answers;
	let soon: NodeJS.Timeout | undefined;
	let lastMs = Number.NEGATIVE_INFINITY;
	const writeNow = () => {
		clearTimeout(soon);
		soon = undefined;
		lastMs = Date.now();
		write();
	};
	const listener = sessions.onDidChange(() => {
		const isAnswered = sessions.current?.answers !== answers;
		answers = sessions.current?.answers;
		if (isAnswered) writeNow();
		else soon ??= setTimeout(writeNow, Math.max(redrawEveryMs, lastMs + writeEveryMs - Date.now()));
	});
	return {
		dispose() {
			listener.dispose();
			clearTimeout(soon);
			// What happened right before the window closes is kept, too.
			write();
		},
	};
}

async function adoptStored(sessions: ChatSessions, saved: SavedSession, chatFolder: string): Promise<void> {
	const stored = await storedSession(chatFolder, saved.id);
	// A message that was sent meanwhile has brought the chat's history along, which is all that we would read here.
	if (stored && sessions.isRestored && stored.answers !== saved.answers) sessions.restore(stored);
}

/**
 * A chat as the editor has stored it, by the newest answer in its file; `undefined` where it has stored none, or in a form that we do not
 * know. No API tells an extension which chat a window comes back with, so this reads the editor's own files: one for each chat, in JSON or
 * JSON Lines with the newest line last. Each answer in them has the metadata that we have given it.
 */
export async function storedSession(chatFolder: string, id: string): Promise<SavedSession | undefined> {
	const names = await readdir(chatFolder).catch(() => []);
	for (const name of names.filter((each) => /\.jsonl?$/.test(each))) {
		const text = await readFile(path.join(chatFolder, name), 'utf8').catch(() => '');
		const told = text
			.split('\n')
			.filter((line) => line.includes(id))
			.flatMap((line) => sessionsIn(parsed(line), id));
		const newest = told.at(-1)?.answers;
		if (newest === undefined) continue;
		// An answer may stand there more than once; one that was taken back has a higher number.
		const answers = new Map(told.map((session) => [session.answers ?? 0, session]));
		return joinedSession(
			[...answers]
				.sort(([a], [b]) => a - b)
				.filter(([number]) => number <= newest)
				.map(([, each]) => each),
		);
	}
	return undefined;
}

function parsed(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		// One that is being written.
		return undefined;
	}
}

/** What answers keep of the chat with this id, wherever it stands in a value. */
function sessionsIn(value: unknown, id: string): readonly SavedSession[] {
	if (Array.isArray(value)) return value.flatMap((each) => sessionsIn(each, id));
	if (!isRecord(value)) return [];
	const { session } = value;
	if (isRecord(session) && session.id === id && isRecord(session.state))
		return [session as unknown as SavedSession];
	return Object.values(value).flatMap((each) => sessionsIn(each, id));
}
