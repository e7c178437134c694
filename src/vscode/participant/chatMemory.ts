import type * as vscode from 'vscode';
import type { KeptChats } from '../../chat/keptChats.ts';
import { type ChatSessions, type SavedChat, savedChatIn } from '../../chat/sessions.ts';
import { Throttle } from '../ui/throttle.ts';

/** Shortest time between two writes of a chat during an answer, in milliseconds. A chat may have megabytes. */
const writeEveryMs = 5_000;

type Chats = Pick<KeptChats, 'keep' | 'read' | 'close'>;

/** Where the last used chat is stored. */
interface ChatPlaces {
	/** Which chat it was. */
	readonly memento: vscode.Memento;
	/** Its log. */
	readonly chats: Chats;
}

export interface ChatMemory extends vscode.Disposable {
	/** Writes what is unwritten, and nothing more after that: the window closes. Never rejects. */
	close(): Promise<void>;
}

/**
 * Stores the last used chat after each answer, and restores it at the next start. VS Code stores chats less often: after a crash its chat
 * may have fewer answers than ours, which the history of the next message then shows.
 */
export function registerChatMemory(sessions: ChatSessions, { memento, chats }: ChatPlaces): ChatMemory {
	const key = 'currentChat';
	const saved = savedChatIn(memento.get(key));
	if (saved && !sessions.current) void restore(sessions, saved, chats);
	let lastWritten: unknown;
	const write = async () => {
		const { current, saved } = sessions;
		const last = current?.discovery.log.entries.at(-1);
		if (!current || last === lastWritten) return;
		lastWritten = last;
		const writes = [memento.update(key, saved), chats.keep(current)];
		// If writing fails, the chat is lost with the window.
		await Promise.allSettled(writes);
	};
	const throttle = new Throttle(write, writeEveryMs);
	let answers: number | undefined;
	const listener = sessions.onDidChange(() => {
		// A restored chat is on disk already.
		if (sessions.isRestored) lastWritten = sessions.current?.discovery.log.entries.at(-1);
		const now = sessions.saved?.answers;
		if (now === answers) throttle.request();
		else void write();
		answers = now;
	});
	const stop = () => {
		listener.dispose();
		throttle.dispose();
	};
	return {
		async close() {
			stop();
			await write();
			chats.close();
		},
		dispose: stop,
	};
}

async function restore(sessions: ChatSessions, saved: SavedChat, chats: Chats): Promise<void> {
	const log = await chats.read(saved.id);
	// A message sent meanwhile brought the chat's history along.
	if (log && !sessions.current) sessions.restore(saved, log);
}
