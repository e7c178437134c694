import { loadOnce } from '../common/loadOnce.ts';
import { weakMemo } from '../common/memo.ts';
import { ChatLog } from '../discovery/session/chatLog.ts';
import { type LogEntry, withoutHead } from '../discovery/session/logEntry.ts';
import { chatFolderLimits } from './boundedFolder.ts';
import { trimCharacters } from './contextTrim.ts';
import type { ChatSession } from './sessions.ts';
import { StoredFiles } from './storedFiles.ts';

/** Characters kept of one chat; a longer one loses its oldest results, pictures and thoughts. */
const chatCharacters = 4 * 1024 * 1024;

/** A character has at most three bytes. */
const maxBytes = 4 * chatCharacters;

/**
 * Stores the logs of chats for the next window: the editor's history contains only what was shown, a few per cent of it. The files are in the
 * workspace's storage, only their owner can read them, and connections have masked the secrets in them.
 */
export class KeptChats {
	/** The schema of logs is too large for the start. */
	readonly #files: () => Promise<StoredFiles<readonly LogEntry[]>>;
	/** The last entry of each log when it was stored, and its writing. */
	readonly #writes = new WeakMap<ChatLog, { readonly last: LogEntry; readonly writing: Promise<void> }>();
	#isClosed = false;

	constructor(folder: string, limits = chatFolderLimits) {
		this.#files = loadOnce(async () => {
			const { logShape: shape } = await import('./storedLog.ts');
			return new StoredFiles(folder, limits, { version: 1, maxBytes, shape });
		});
	}

	/**
	 * Stores nothing more, because the window closes. That makes calls fail and answers end. None of this may be stored, so that the next window
	 * continues from before.
	 */
	close(): void {
		this.#isClosed = true;
	}

	/** Stores a chat; concurrent calls share a write. Rejects if it cannot be written, or what is stored cannot be read now. */
	keep({ id, discovery: { log } }: Pick<ChatSession, 'id' | 'discovery'>): Promise<void> {
		const last = log.entries.at(-1);
		const write = this.#writes.get(log);
		if (!last || this.#isClosed) return Promise.resolve();
		if (write?.last === last) return write.writing;
		const writing = this.#write(id, boundedLog(log.entries));
		this.#writes.set(log, { last, writing });
		writing.catch(() => this.#writes.delete(log));
		return writing;
	}

	/** The log of a chat of an earlier window; `undefined` if it is not stored, or cannot be read. */
	async read(id: string): Promise<readonly LogEntry[] | undefined> {
		return (await this.#files()).read(id);
	}

	async #write(id: string, log: readonly LogEntry[] | undefined): Promise<void> {
		const files = await this.#files();
		// A chat that cannot be shortened enough would lose its beginning; then the editor's history is the better source.
		await (log ? files.store(id, log) : files.remove(id));
	}
}

/** A log without its oldest results if it is too long; `undefined` if that is not enough. */
function boundedLog(entries: readonly LogEntry[]): readonly LogEntry[] | undefined {
	if (charactersOf(entries) <= chatCharacters) return [...entries];
	const last = entries.findLastIndex((entry) => entry.kind === 'request' && entry.head !== undefined);
	// Only the head of the last request is still needed.
	const log = new ChatLog(entries.map((entry, i) => (i < last ? withoutHead(entry) : entry)));
	const others = charactersOf(log.entries) - JSON.stringify(log.messages).length;
	// JSON needs more characters than the messages.
	trimCharacters(log, (chatCharacters - others) / 2);
	return charactersOf(log.entries) <= chatCharacters ? log.entries : undefined;
}

function charactersOf(entries: readonly LogEntry[]): number {
	return entries.reduce((sum, entry) => sum + charactersIn(entry), 0);
}

/** As JSON. */
const charactersIn = weakMemo((entry: LogEntry) => JSON.stringify(entry).length + 1);
