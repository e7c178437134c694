import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { KeptChats } from '../../chat/keptChats.ts';
import type { ChatSessions, SavedChat } from '../../chat/sessions.ts';
import { isRecord } from '../../common/json.ts';
import type { Lazy } from '../ui/lazy.ts';
import { redrawEveryMs } from '../ui/throttle.ts';

/** How often a chat is written at most while it is answered, in milliseconds: it may have megabytes. */
const writeEveryMs = 5_000;

type Chats = Pick<Lazy<Pick<KeptChats, 'keep' | 'read'>>, 'get'>;

/** Where the last used chat is found again. */
interface ChatPlaces {
	/** Which it was. */
	readonly memento: vscode.Memento;
	/** What happened in it. */
	readonly chats: Chats;
	/** Where the editor keeps the chats of this workspace, see {@link storedAnswers}; `undefined` without a workspace. */
	readonly chatFolder: string | undefined;
}

/** Keeps the last used chat. */
export interface ChatMemory extends vscode.Disposable {
	/** Writes what has not been written yet; settles when it is, or cannot be. */
	flush(): Promise<void>;
}

/**
 * Keeps the last used chat, with each answer at once, and restores it at the next start, before anything is said in it. The editor writes chats less
 * often: after an abrupt end its chat may have fewer answers than we have kept, and then ours is cut to what the editor has.
 */
export function registerChatMemory(
	sessions: ChatSessions,
	{ memento, chats, chatFolder }: ChatPlaces,
): ChatMemory {
	const key = 'currentChat';
	const saved = memento.get<SavedChat>(key);
	if (saved && !sessions.current) void restore(sessions, saved, chats, chatFolder);
	let written: unknown;
	const write = async () => {
		const { current, saved } = sessions;
		const last = current?.discovery.log.entries.at(-1);
		if (!current || last === written) return;
		written = last;
		const kept = [memento.update(key, saved), chats.get().then((all) => all.keep(current))];
		// What cannot be kept is lost with the window, and nothing else.
		await Promise.allSettled(kept);
	};
	let answers: number | undefined;
	let soon: NodeJS.Timeout | undefined;
	let lastMs = Number.NEGATIVE_INFINITY;
	const writeNow = () => {
		clearTimeout(soon);
		soon = undefined;
		lastMs = Date.now();
		void write();
	};
	const listener = sessions.onDidChange(() => {
		// One that an earlier window has kept is written there already.
		if (sessions.isRestored) written = sessions.current?.discovery.log.entries.at(-1);
		const now = sessions.saved?.answers;
		const isAnswered = now !== answers;
		answers = now;
		if (isAnswered) writeNow();
		else soon ??= setTimeout(writeNow, Math.max(redrawEveryMs, lastMs + writeEveryMs - Date.now()));
	});
	return {
		flush: write,
		dispose() {
			listener.dispose();
			clearTimeout(soon);
		},
	};
}

async function restore(
	sessions: ChatSessions,
	{ id, answers }: SavedChat,
	chats: Chats,
	chatFolder: string | undefined,
): Promise<void> {
	const [log, stored] = await Promise.all([
		chats.get().then((all) => all.read(id)),
		chatFolder === undefined ? undefined : storedAnswers(chatFolder, id),
	]);
	// A message that was sent meanwhile has brought the chat's history along.
	if (log && !sessions.current) sessions.restore({ id, answers: stored ?? answers }, log);
}

/**
 * How many answers a chat has as the editor has stored it; `undefined` where it has stored none, or in a form that we do not
 * know. No API tells an extension which chat a window comes back with, so this reads the editor's own files: one for each chat, in JSON or
 * JSON Lines with the newest line last. Each answer in them has the metadata that we have given it.
 */
export async function storedAnswers(chatFolder: string, id: string): Promise<number | undefined> {
	const names = await readdir(chatFolder).catch(() => []);
	for (const name of names.filter((each) => /\.jsonl?$/.test(each))) {
		const text = await readFile(path.join(chatFolder, name), 'utf8').catch(() => '');
		const told = text
			.split('\n')
			.filter((line) => line.includes(id))
			.flatMap((line) => answersIn(parsed(line), id));
		const newest = told.at(-1);
		if (newest !== undefined) return newest;
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

/** The numbers of a chat's answers, wherever they stand in a value. */
function answersIn(value: unknown, id: string): readonly number[] {
	if (Array.isArray(value)) return value.flatMap((each) => answersIn(each, id));
	if (!isRecord(value)) return [];
	const { session } = value;
	if (isRecord(session) && session.id === id && typeof session.answers === 'number') return [session.answers];
	return Object.values(value).flatMap((each) => answersIn(each, id));
}
