import { setImmediate as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Memento } from 'vscode';
import { ChatSessions, type SavedChat } from '../../../../src/chat/sessions.ts';
import type { LogEntry } from '../../../../src/discovery/session/logEntry.ts';
import { registerChatMemory } from '../../../../src/vscode/participant/chatMemory.ts';

/** What happened in a chat of so many answers, each of which has loaded the tool of its number. */
function logOf(answers: number): readonly LogEntry[] {
	return Array.from({ length: answers }, (_, i): LogEntry[] => {
		const tool = { wireName: `files__${i + 1}`, server: 'files', name: `${i + 1}`, hash: '' };
		return [
			{ at: i, kind: 'load', tools: [tool], renewed: [], reason: 'user' },
			{ at: i, kind: 'answered' },
		];
	}).flat();
}

/** What the chat's history keeps of an answer. */
function answer(answers: number): SavedChat {
	return { id: 'chat-1', answers };
}

describe('given a window that is reloaded', () => {
	/** Opens it; returns what it shows as loaded. */
	function comeBack(kept: readonly LogEntry[] | undefined = logOf(3)) {
		const sessions = new ChatSessions();
		const memento = {
			get: () => ({ id: 'chat-1', answers: 3 }),
			update: async () => {},
		} as unknown as Memento;
		const chats = { read: async () => kept, keep: async () => {}, close: () => {} };
		registerChatMemory(sessions, { memento, chats });
		return {
			sessions,
			loaded: () => (sessions.current?.discovery.activations ?? []).map(({ wireName }) => wireName),
		};
	}

	test('then the chat has its loaded tools again', async () => {
		const { sessions, loaded } = comeBack();
		await expect.poll(loaded).toEqual(['files__1', 'files__2', 'files__3']);
		expect(sessions.isRestored).toBe(true);
	});

	test('when the user continues from an earlier answer, then the state at that answer is restored', async () => {
		const { sessions, loaded } = comeBack();
		await expect.poll(loaded).toHaveLength(3);
		expect(sessions.has(answer(1))).toBe(false);
		sessions.open(answer(1), logOf(3));
		expect(loaded()).toEqual(['files__1']);
	});

	test('when a message arrives before the stored log is read, then the history of that message is used', async () => {
		const { sessions, loaded } = comeBack();
		sessions.open(answer(2), logOf(3));
		await pause();
		expect(loaded()).toEqual(['files__1', 'files__2']);
	});

	test('when nothing was stored, then no tools are loaded', async () => {
		const { sessions } = comeBack([]);
		await pause();
		expect(sessions.current?.discovery.activations ?? []).toEqual([]);
	});
});

describe('given a chat that changes while it is answered', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	/** A chat of which a change comes every 100 ms, and what is written of it. */
	function busyChat() {
		const sessions = new ChatSessions();
		const written: (LogEntry | undefined)[] = [];
		const memory = registerChatMemory(sessions, {
			memento: { get: () => undefined, update: async () => {} } as unknown as Memento,
			chats: {
				read: async () => undefined,
				keep: async ({ discovery }) => void written.push(discovery.log.entries.at(-1)),
				close: () => {},
			},
		});
		const chat = sessions.open(undefined);
		const change = () => chat.discovery.log.append({ kind: 'failure', message: 'again' });
		return { sessions, chat, written, change, memory };
	}

	test('then it is saved periodically and after the answer, but only if it has changed', async () => {
		const { sessions, chat, written, change } = busyChat();
		for (let i = 0; i < 100; i++) {
			change();
			await vi.advanceTimersByTimeAsync(100);
		}
		expect(written.length).toBeGreaterThan(1);
		expect(written.length).toBeLessThan(5);
		change();
		const before = written.length;
		sessions.endAnswer(chat);
		await vi.advanceTimersByTimeAsync(0);
		expect(written.length).toBe(before + 1);
		expect(written.at(-1)?.kind).toBe('answered');
		sessions.rebuild();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(written.length).toBe(before + 1);
	});

	test('then a later change is saved within seconds, and the last one when the window closes', async () => {
		const { chat, written, change, memory } = busyChat();
		await vi.advanceTimersByTimeAsync(60_000);
		const before = written.length;
		change();
		await vi.advanceTimersByTimeAsync(5_000);
		expect(written.length).toBe(before + 1);
		change();
		await memory.close();
		expect(written.at(-1)).toBe(chat.discovery.log.entries.at(-1));
		expect(written.length).toBe(before + 2);
	});

	test('then an answer that ends because the window closes is not saved', async () => {
		const { sessions, chat, written, change, memory } = busyChat();
		change();
		await memory.close();
		const before = written.length;
		sessions.endAnswer(chat);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(written.length).toBe(before);
	});
});
