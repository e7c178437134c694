import { sealed, unsealed } from '../common/atomicFile.ts';
import { ChatLog } from '../discovery/session/chatLog.ts';
import { type LogEntry, withoutHead } from '../discovery/session/logEntry.ts';
import { BoundedFolder, chatFolderLimits } from './boundedFolder.ts';
import { trimCharacters } from './contextTrim.ts';
import type { ChatSession } from './sessions.ts';

/** Characters kept of one chat; a longer one loses its oldest results, pictures and thoughts. */
const chatCharacters = 4 * 1024 * 1024;

/** Increase this when the format changes: older files are then ignored. */
const form = 5;

/**
 * Stores the logs of chats for the next window: the editor's history contains only what was shown, a few per cent of it. The files are in the
 * workspace's storage, only their owner can read them, and connections have masked the secrets in them.
 */
export class KeptChats {
	readonly #folder: BoundedFolder;
	/** The last entry of each log when it was stored, and its writing. */
	readonly #kept = new WeakMap<ChatLog, { readonly last: LogEntry; readonly writing: Promise<void> }>();
	#isClosed = false;

	constructor(folder: string, limits = chatFolderLimits) {
		this.#folder = new BoundedFolder(folder, limits);
	}

	/**
	 * Stores nothing more, because the window closes. Closing makes calls fail and answers end; the chat must not keep these, so that the next
	 * window continues from before.
	 */
	close(): void {
		this.#isClosed = true;
	}

	/** Stores a chat, once for all who ask at the same time. Rejects if it cannot be written. */
	keep({ id, discovery: { log } }: Pick<ChatSession, 'id' | 'discovery'>): Promise<void> {
		const last = log.entries.at(-1);
		const known = this.#kept.get(log);
		if (!last || this.#isClosed) return Promise.resolve();
		if (known?.last === last) return known.writing;
		const writing = this.#write(id, log.entries);
		this.#kept.set(log, { last, writing });
		writing.catch(() => this.#kept.delete(log));
		return writing;
	}

	/** The log of a chat of an earlier window; `undefined` if it is not stored. */
	async read(id: string): Promise<readonly LogEntry[] | undefined> {
		try {
			// A damaged file is not used: the editor's history is better than half a log.
			const kept = unsealed(form, String(await this.#folder.read(id))) as {
				readonly log: readonly LogEntry[];
			};
			return kept.log;
		} catch {
			// No such file, or not ours.
			return undefined;
		}
	}

	async #write(id: string, entries: readonly LogEntry[]): Promise<void> {
		const text = boundedText(entries);
		// A chat that cannot be shortened enough would lose its beginning; then the editor's history is the better source.
		if (text === undefined) await this.#folder.remove(id);
		else await this.#folder.replace(id, Buffer.from(sealed(form, `"log":${text}`)));
	}
}

/** A log as text, without its oldest results if it is too long; `undefined` if that is not enough. */
function boundedText(entries: readonly LogEntry[]): string | undefined {
	const whole = JSON.stringify(entries);
	if (whole.length <= chatCharacters) return whole;
	const last = entries.findLastIndex((entry) => entry.kind === 'request' && entry.head !== undefined);
	// Only the head of the last request is still needed.
	const log = new ChatLog(entries.map((entry, i) => (i < last ? withoutHead(entry) : entry)));
	const others = JSON.stringify(log.entries).length - JSON.stringify(log.messages).length;
	// JSON needs more characters than the messages.
	trimCharacters(log, (chatCharacters - others) / 2);
	const text = JSON.stringify(log.entries);
	return text.length <= chatCharacters ? text : undefined;
}
