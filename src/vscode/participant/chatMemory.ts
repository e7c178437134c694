import type * as vscode from 'vscode';
import type { KeptChats } from '../../chat/keptChats.ts';
import type { ChatSessions, SavedChat } from '../../chat/sessions.ts';
import { redrawEveryMs } from '../ui/throttle.ts';

/** How often a chat is written at most while it is answered, in milliseconds: it may have megabytes. */
const writeEveryMs = 5_000;

type Chats = Pick<KeptChats, 'keep' | 'read'>;

/** Where the last used chat is found again. */
interface ChatPlaces {
	/** Which it was. */
	readonly memento: vscode.Memento;
	/** What happened in it. */
	readonly chats: Chats;
}

/** Keeps the last used chat. */
export interface ChatMemory extends vscode.Disposable {
	/** Writes what has not been written yet; settles when it is, or cannot be. */
	flush(): Promise<void>;
}

/**
 * Keeps the last used chat, with each answer at once, and restores it at the next start, before anything is said in it. The editor writes chats less
 * often: after an abrupt end its chat may have fewer answers than we have kept, which the history of the next message tells.
 */
export function registerChatMemory(sessions: ChatSessions, { memento, chats }: ChatPlaces): ChatMemory {
	const key = 'currentChat';
	const saved = memento.get<SavedChat>(key);
	if (saved && !sessions.current) void restore(sessions, saved, chats);
	let written: unknown;
	const write = async () => {
		const { current, saved } = sessions;
		const last = current?.discovery.log.entries.at(-1);
		if (!current || last === written) return;
		written = last;
		const kept = [memento.update(key, saved), chats.keep(current)];
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

async function restore(sessions: ChatSessions, saved: SavedChat, chats: Chats): Promise<void> {
	const log = await chats.read(saved.id);
	// A message that was sent meanwhile has brought the chat's history along.
	if (log && !sessions.current) sessions.restore(saved, log);
}
