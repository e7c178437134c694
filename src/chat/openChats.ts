import type { LogEntry } from '../discovery/session/logEntry.ts';
import type { AnswerInProgress, AnswersInProgress } from './answersInProgress.ts';
import type { KeptChats } from './keptChats.ts';
import type { ChatSession, ChatSessions, SavedChat } from './sessions.ts';

/** Chats that are answered in this window, with what earlier windows stored of them. */
export class OpenChats {
	readonly #sessions: ChatSessions;
	readonly #storedChats: KeptChats;
	readonly #underway: AnswersInProgress;

	constructor(sessions: ChatSessions, kept: KeptChats, underway: AnswersInProgress) {
		this.#sessions = sessions;
		this.#storedChats = kept;
		this.#underway = underway;
	}

	/** The session of a chat, with the log that an earlier window stored. `saved`: absent for a new chat. */
	async open(saved: SavedChat | undefined): Promise<ChatSession> {
		const log = saved && !this.#sessions.has(saved) ? await this.#storedChats.read(saved.id) : undefined;
		return this.#sessions.open(saved, log);
	}

	/** Ends an answer, and stores its chat. */
	async end(session: ChatSession): Promise<SavedChat> {
		const saved = this.#sessions.endAnswer(session);
		await this.#keep(session);
		return saved;
	}

	/** The log of a chat, open or stored; empty: it is gone. */
	async logOf(id: string): Promise<readonly LogEntry[]> {
		const chat = this.#sessions.chats.find((candidate) => candidate.id === id);
		return chat?.discovery.log.entries ?? (await this.#storedChats.read(id)) ?? [];
	}

	/** The chat's last answer, if closing the window interrupted it. */
	interrupted({ id }: ChatSession): Promise<AnswerInProgress | undefined> {
		return this.#underway.get(id);
	}

	/**
	 * Records how far an answer is, without waiting, so that a later window can say that it was interrupted and continue. `begun`: ids of the tools
	 * that were called, by call.
	 */
	answering(session: ChatSession, prompt: string, begun: ReadonlyMap<string, string>): void {
		const { messages } = session.discovery.log;
		const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
		const finished = new Set(results.map(({ callId }) => callId));
		const calls = [...begun].filter(([id]) => !finished.has(id)).map(([, tool]) => tool);
		void this.#underway.keep(session.id, { prompt, calls });
		void this.#keep(session);
	}

	/** The answer is complete, so nothing was interrupted. */
	async answered({ id }: ChatSession): Promise<void> {
		await this.#underway.remove(id);
	}

	/** Stores nothing more, because the window closes. */
	close(): void {
		this.#storedChats.close();
	}

	/** If the chat cannot be written, a later window continues with what its history shows. */
	async #keep(session: ChatSession): Promise<void> {
		await this.#storedChats.keep(session).catch(() => undefined);
	}
}
