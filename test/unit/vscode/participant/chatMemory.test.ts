import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Memento } from 'vscode';
import { ChatSessions, type SavedSession } from '../../../../src/chat/sessions.ts';
import { noDiscovery } from '../../../../src/discovery/session/journal.ts';
import { registerChatMemory, storedSession } from '../../../../src/vscode/participant/chatMemory.ts';

/** What an answer keeps of its chat after it has loaded these tools. */
function answer(answers: number, ...loaded: readonly string[]): SavedSession {
	const activations = loaded.map((wireName) => ({ wireName, reason: { kind: 'user' } }));
	return {
		id: 'chat-1',
		answers,
		timeline: [],
		state: { activations, statistics: noDiscovery },
	} as unknown as SavedSession;
}

/** A message and its answer as the editor writes them. */
const request = (session: SavedSession) => ({
	message: { text: 'hi' },
	result: { metadata: { session, called: [] } },
});
const lines = (...each: readonly unknown[]) => each.map((one) => `${JSON.stringify(one)}\n`).join('');
const begun = { kind: 0, v: { version: 3, requests: [] } };
const said = (session: SavedSession) => ({ kind: 2, k: ['requests'], v: [request(session)] });

let folder: string;
const store = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
beforeEach(() => {
	folder = path.join(mkdtempSync(path.join(tmpdir(), 'discovery-chats-')), 'chatSessions');
	mkdirSync(folder);
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

describe('given the chats that the editor has stored', () => {
	test('the newest stored answer of a chat tells how it stands', async () => {
		store(
			'a.jsonl',
			lines(begun, said(answer(1, 'files__read')), said(answer(2, 'files__read', 'files__write'))),
		);
		store('b.jsonl', lines(begun, said({ ...answer(7), id: 'chat-2' })));
		expect(await storedSession(folder, 'chat-1')).toEqual(answer(2, 'files__read', 'files__write'));
	});

	test('one that goes on from an earlier answer has what was loaded by then', async () => {
		const text = lines(
			begun,
			said(answer(1)),
			said(answer(2)),
			said(answer(3, 'a__b')),
			said(answer(2, 'c__d')),
		);
		store('a.jsonl', text);
		expect(await storedSession(folder, 'chat-1')).toEqual(answer(2, 'c__d'));
	});

	test('one whose last line is not complete, or that is one piece of JSON, tells it as well', async () => {
		store('a.jsonl', lines(begun, said(answer(1, 'files__read'))) + lines(said(answer(2))).slice(0, -9));
		expect(await storedSession(folder, 'chat-1')).toEqual(answer(1, 'files__read'));
		store('a.jsonl', '');
		store('a.json', JSON.stringify({ requests: [request(answer(4))] }));
		expect(await storedSession(folder, 'chat-1')).toEqual(answer(4));
	});

	test('where there is none of it, nothing is told', async () => {
		store('a.jsonl', lines(begun));
		expect(await storedSession(folder, 'chat-1')).toBeUndefined();
		expect(await storedSession(path.join(folder, 'nowhere'), 'chat-1')).toBeUndefined();
	});
});

describe('given a window that comes back', () => {
	const saved = answer(3, 'files__read', 'files__write');
	/** Opens it; returns what it shows as loaded. */
	function comeBack(): { sessions: ChatSessions; loaded: () => readonly string[] } {
		const sessions = new ChatSessions();
		const memento = { get: () => saved, update: async () => {} } as unknown as Memento;
		registerChatMemory(sessions, { memento, chatFolder: folder });
		return {
			sessions,
			loaded: () => (sessions.current?.discovery.state.activations ?? []).map(({ wireName }) => wireName),
		};
	}

	test('with an older state of the chat than we know of, then what is loaded fits that state', async () => {
		store('a.jsonl', lines(begun, said(answer(1, 'files__read'))));
		const { sessions, loaded } = comeBack();
		expect(loaded()).toEqual(['files__read', 'files__write']);
		await expect.poll(loaded).toEqual(['files__read']);
		expect(sessions.current?.answers).toBe(1);
	});

	test('and a message has been sent by the time that we know, then its history counts', async () => {
		store('a.jsonl', lines(begun, said(answer(1, 'files__read'))));
		const { sessions, loaded } = comeBack();
		sessions.open(answer(2, 'files__write'));
		// The same files are read once more, after those of the window.
		await storedSession(folder, 'chat-1');
		expect(loaded()).toEqual(['files__write']);
	});
});

describe('given a chat that is answered', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	/** A chat of which a change comes every 100 ms, and what is written of it. */
	function busyChat() {
		const sessions = new ChatSessions();
		const written: unknown[] = [];
		const memento = {
			get: () => undefined,
			update: async (_: string, value: unknown) => void written.push(value),
		};
		const memory = registerChatMemory(sessions, {
			memento: memento as unknown as Memento,
			chatFolder: undefined,
		});
		const chat = sessions.open(undefined);
		const change = () => chat.discovery.journal.request({ tools: 1, tokens: 1, everyToolTokens: 1 });
		return { sessions, chat, written, change, memory };
	}

	test('it is written now and then, at its end, and only where it has changed', () => {
		const { sessions, chat, written, change } = busyChat();
		for (let i = 0; i < 100; i++) {
			change();
			vi.advanceTimersByTime(100);
		}
		expect(written.length).toBeGreaterThan(1);
		expect(written.length).toBeLessThan(5);
		change();
		const before = written.length;
		sessions.keepAnswer(chat);
		expect(written.length).toBe(before + 1);
		expect(written.at(-1)).toEqual(sessions.saved);
		sessions.rebuild();
		vi.advanceTimersByTime(60_000);
		expect(written.length).toBe(before + 1);
	});

	test('a change after a while is written soon, and the last one with the window', () => {
		const { sessions, written, change, memory } = busyChat();
		vi.advanceTimersByTime(60_000);
		const before = written.length;
		change();
		vi.advanceTimersByTime(200);
		expect(written.length).toBe(before + 1);
		change();
		memory.dispose();
		expect(written.at(-1)).toEqual(sessions.saved);
	});
});
