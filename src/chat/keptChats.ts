import { sealed, unsealed } from '../common/atomicFile.ts';
import { ChatLog } from '../discovery/session/chatLog.ts';
import { type LogEntry, withoutHead } from '../discovery/session/logEntry.ts';
import { BoundedFolder, chatFolderLimits } from './boundedFolder.ts';
import { trimCharacters } from './contextTrim.ts';
import type { ChatSession } from './sessions.ts';

/** Characters that are kept of one chat; of a longer one the oldest results of tools, pictures and thoughts are left out. */
const chatCharacters = 4 * 1024 * 1024;

/** To be raised when what is kept changes its form: older files are then left aside. */
const form = 4;

/**
 * The logs of chats, for when the window is opened again: the editor's history has only what was shown, a few per cent of it. As
 * files of the workspace's own storage that only their owner can read, without what the connections have masked as secret.
 */
export class KeptChats {
	readonly #folder: BoundedFolder;
	/** With what each log ended when it was kept last. */
	readonly #kept = new WeakMap<ChatLog, LogEntry>();

	constructor(folder: string, limits = chatFolderLimits) {
		this.#folder = new BoundedFolder(folder, limits);
	}

	/** Keeps a chat as it is now. Rejects if it cannot be written. */
	async keep({ id, discovery }: Pick<ChatSession, 'id' | 'discovery'>): Promise<void> {
		const { log } = discovery;
		const last = log.entries.at(-1);
		if (!last || this.#kept.get(log) === last) return;
		const text = boundedText(log.entries);
		// A chat that cannot be made short enough would come back without its beginning; then its history is the better source.
		if (text === undefined) await this.#folder.remove(id);
		else await this.#folder.replace(id, Buffer.from(sealed(form, `"log":${text}`)));
		this.#kept.set(log, last);
	}

	/** The log of a chat of an earlier window; nothing where it is not kept. */
	async read(id: string): Promise<readonly LogEntry[] | undefined> {
		try {
			// A damaged file is not used at all: its chat comes back as its history shows it, which is better than half of it.
			const kept = unsealed(form, String(await this.#folder.read(id))) as {
				readonly log: readonly LogEntry[];
			};
			return kept.log;
		} catch {
			// There is no such file, or it is none of ours.
			return undefined;
		}
	}
}

/** A log as text, without its oldest results where it is too long; `undefined` where that does not help. */
function boundedText(entries: readonly LogEntry[]): string | undefined {
	const whole = JSON.stringify(entries);
	if (whole.length <= chatCharacters) return whole;
	const last = entries.findLastIndex((entry) => entry.kind === 'request' && entry.head !== undefined);
	// How requests began that have long been answered, nobody needs to know.
	const log = new ChatLog(entries.map((entry, i) => (i < last ? withoutHead(entry) : entry)));
	const others = JSON.stringify(log.entries).length - JSON.stringify(log.messages).length;
	// As JSON they take more.
	trimCharacters(log, (chatCharacters - others) / 2);
	const text = JSON.stringify(log.entries);
	return text.length <= chatCharacters ? text : undefined;
}
