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
	/** The last entry of each log when it was stored. */
	readonly #kept = new WeakMap<ChatLog, LogEntry>();

	constructor(folder: string, limits = chatFolderLimits) {
		this.#folder = new BoundedFolder(folder, limits);
	}

	/** Stores a chat. Rejects if it cannot be written. */
	async keep({ id, discovery }: Pick<ChatSession, 'id' | 'discovery'>): Promise<void> {
		const { log } = discovery;
		const last = log.entries.at(-1);
		if (!last || this.#kept.get(log) === last) return;
		const text = boundedText(log.entries);
		// A chat that cannot be shortened enough would lose its beginning; then the editor's history is the better source.
		if (text === undefined) await this.#folder.remove(id);
		else await this.#folder.replace(id, Buffer.from(sealed(form, `"log":${text}`)));
		this.#kept.set(log, last);
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
