import { loadOnce } from '../../common/loadOnce.ts';
import { cut, folded } from '../../common/text.ts';
import { ownResultText, type ToolResult, textResult } from '../../discovery/catalog/tool.ts';
import type { LogEntry } from '../../discovery/session/logEntry.ts';
import { messageText } from '../../models/answerParts.ts';
import type { CallConcern } from '../callConcern.ts';
import { CallTexts, type CommonPiece, comparable } from './callTexts.ts';
import type { KeptReads, ReadText } from './keptReads.ts';
import { normalForm } from './normalForm.ts';

/** A call of a tool, and the chat that makes it. */
interface CarryingCall {
	readonly chat?: string | undefined;
	readonly server: string;
	readonly input: Readonly<Record<string, unknown>>;
}

/** Characters in normal form that all chats of a window remember, and of what a user wrote in one chat. */
const rememberedCharacters = 8_000_000;
const maxUserCharacters = 200_000;
const excerptCharacters = 80;
const maxExcerpts = 5;

/**
 * Remembers what the chats of a window have read of servers, to find it in calls to other servers. Chats of other participants may share
 * a conversation with `@discovery`: they are compared with what all chats have read, and all chats with what they have read.
 */
export class ReadTexts {
	readonly #store: Pick<KeptReads, 'keep' | 'all'> | undefined;
	readonly #limit: number;
	/** Oldest first. */
	#texts: ReadText[] = [];
	#characters = 0;
	/** Chats and servers of texts that had to make room. */
	readonly #forgotten: Pick<ReadText, 'chat' | 'servers'>[] = [];
	/** What the user wrote, in normal form, by chat. */
	readonly #userTexts = new Map<string, string>();
	readonly #logs = new WeakSet<readonly LogEntry[]>();
	#isWhole = true;

	/** `kept`: stores it for the next window. */
	constructor(kept?: Pick<KeptReads, 'keep' | 'all'>, limit = rememberedCharacters) {
		this.#store = kept;
		this.#limit = limit;
	}

	/** Adds what earlier windows have stored, once. */
	readonly restored = loadOnce(async () => {
		const { reads, isWhole } = (await this.#store?.all()) ?? { reads: [], isWhole: true };
		this.#isWhole = isWhole;
		const newer = this.#texts;
		this.#texts = [];
		this.#characters = 0;
		for (const read of [...reads, ...newer]) this.#add(read);
	});

	/** Adds what a chat has read. Our own notes in it do not count, nor pictures. */
	addResult(chat: string | undefined, servers: readonly string[], result: ToolResult): void {
		const content = result.content.filter(({ type }) => type === 'text');
		const text = comparable(ownResultText({ ...result, content }));
		if (text.forms.trim() === '') return;
		const read = { chat, servers, ...text };
		// What cannot be stored is forgotten only by the next window.
		if (this.#add(read)) this.#store?.keep(read).catch(() => undefined);
	}

	/** Adds what the user wrote in a chat. It may go anywhere. */
	addUserText(chat: string, text: string): void {
		const ownText = `${this.#userTexts.get(chat) ?? ''}\n${normalForm(text)}`;
		this.#userTexts.set(chat, ownText.slice(-maxUserCharacters));
	}

	/** Adds a chat of an earlier window from its log, once. */
	addLog(chat: string, log: readonly LogEntry[]): void {
		if (this.#logs.has(log)) return;
		this.#logs.add(log);
		for (const { servers, result } of sourcedTexts(log)) this.addResult(chat, servers, result);
		for (const entry of log) {
			const isOwn = entry.kind === 'message' && entry.from === undefined && entry.message.role === 'user';
			if (isOwn) this.addUserText(chat, messageText(entry.message));
		}
	}

	/** The servers that a chat has read. */
	serversOf(chat: string | undefined): readonly string[] {
		return [
			...new Set(
				[...this.#forgotten, ...this.#texts].filter(isReadBy(chat)).flatMap(({ servers }) => servers),
			),
		];
	}

	/** Text of other servers in a call: one piece of each server, the longest first. */
	flowsInto({ chat, server, input }: CarryingCall): readonly CallConcern[] {
		const others = (servers: readonly string[]) => servers.filter((other) => other !== server);
		const texts = this.#texts.filter(isReadBy(chat)).filter(({ servers }) => others(servers).length > 0);
		const forgotten = [
			...new Set(this.#forgotten.filter(isReadBy(chat)).flatMap(({ servers }) => others(servers))),
		];
		if (texts.length === 0 && forgotten.length === 0 && this.#isWhole) return [];
		const call = new CallTexts(input, this.#userTexts.get(chat ?? '') ?? '');
		const servers = others(this.serversOf(chat));
		if (call.isTooLong && servers.length > 0) return [{ kind: 'uncompared', why: 'long', servers }];
		if (!call.hasText) return [];
		const longest = new Map<string, CommonPiece>();
		for (const text of texts) {
			const piece = call.longestIn(text);
			for (const other of others(text.servers))
				if (piece && piece.length > (longest.get(other)?.length ?? 0)) longest.set(other, piece);
		}
		const concerns = [...longest]
			.sort(([, a], [, b]) => b.length - a.length)
			.slice(0, maxExcerpts)
			.map(([other, { textInCall }]): CallConcern => {
				return { kind: 'text', server: other, excerpt: cut(folded(textInCall), excerptCharacters) };
			});
		if (forgotten.length > 0) concerns.push({ kind: 'uncompared', why: 'forgotten', servers: forgotten });
		if (!this.#isWhole) concerns.push({ kind: 'uncompared', why: 'unreadable' });
		return concerns;
	}

	#add(read: ReadText): boolean {
		const isKnown = this.#texts.some(
			({ chat, servers, forms }) =>
				forms === read.forms && chat === read.chat && servers.join() === read.servers.join(),
		);
		if (isKnown) return false;
		this.#texts.push(read);
		this.#characters += sizeOf(read);
		let dropped = 0;
		for (; this.#characters > this.#limit; dropped++) {
			const oldest = this.#texts[dropped];
			if (!oldest) break;
			this.#characters -= sizeOf(oldest);
			this.#forget(oldest);
		}
		if (dropped > 0) this.#texts = this.#texts.slice(dropped);
		return true;
	}

	#forget({ chat, servers }: ReadText): void {
		const knownServers = this.#forgotten.filter((text) => text.chat === chat).flatMap((text) => text.servers);
		const more = servers.filter((server) => !knownServers.includes(server));
		if (more.length > 0) this.#forgotten.push({ chat, servers: more });
	}
}

function isReadBy(chat: string | undefined): (read: Pick<ReadText, 'chat'>) => boolean {
	return (read) => chat === undefined || read.chat === undefined || read.chat === chat;
}

function sizeOf({ forms, keys, places }: ReadText): number {
	return forms.length + [...keys, ...places].reduce((sum, { length }) => sum + length, 0);
}

/** All texts of servers in a log, also those for agents: results of calls and pages of them, resources, prompts and agents' reports. */
export function* sourcedTexts(
	log: readonly LogEntry[],
): Generator<{ readonly servers: readonly string[]; readonly result: ToolResult }> {
	for (const entry of log) {
		const messages =
			entry.kind === 'message' ? [entry.message] : entry.kind === 'agent' ? entry.messages : [];
		for (const message of messages) {
			const { from } = entry.kind === 'message' ? entry : {};
			if (message.role !== 'tool') {
				if (from !== undefined) yield { servers: [from], result: textResult(messageText(message)) };
				continue;
			}
			for (const { result, from: servers } of message.results) if (servers) yield { servers, result };
		}
	}
}
