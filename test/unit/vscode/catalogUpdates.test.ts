import { describe, expect, test, vi } from 'vitest';
import { ChatSessions } from '../../../src/chat/sessions.ts';
import { defaultPolicy, defaultServerPolicy } from '../../../src/discovery/catalog/policy.ts';
import { registerIndexAhead } from '../../../src/vscode/catalogUpdates.ts';

const files = {
	name: 'files',
	tools: ['read', 'write'].map((name) => ({ server: 'files', name, inputSchema: { type: 'object' } })),
};
const servers = new Map([['files', { ...defaultServerPolicy, deferLoading: true }]]);
const deferring = { ...defaultPolicy, enabled: true, servers };

/** Milliseconds without a change that these tests wait for, and after which the index would have been asked for. */
const delayMs = 5;
const quiet = () => new Promise((resolve) => setTimeout(resolve, 10 * delayMs));

describe('given an index that is built ahead', () => {
	test('when servers list their tools, then only the index of the newest surface is built, once', async () => {
		const sessions = new ChatSessions();
		sessions.open(undefined);
		const ahead = registerIndexAhead(sessions, delayMs);
		sessions.setPolicy(deferring, new Map());
		sessions.setCatalog([files]);
		const stale = vi.spyOn(sessions.surface(), 'index');
		sessions.setCatalog([{ ...files }]);
		const asked = vi.spyOn(sessions.currentSurface, 'index');
		await quiet();
		expect(asked).toHaveBeenCalledTimes(1);
		expect(stale).not.toHaveBeenCalled();
		ahead.dispose();
	});

	test('when a chat has a toolset, then the index of that toolset is built', async () => {
		const sessions = new ChatSessions();
		const ahead = registerIndexAhead(sessions, delayMs);
		const reading = { name: 'reading', servers: new Map([['files', ['read']]]) };
		sessions.setPolicy(deferring, new Map([['reading', reading]]));
		sessions.setCatalog([files]);
		const chat = sessions.open(undefined);
		sessions.chooseToolset(chat, 'reading');
		const asked = vi.spyOn(chat.discovery.surface, 'index');
		const all = vi.spyOn(sessions.surface(), 'index');
		await quiet();
		expect(asked).toHaveBeenCalled();
		expect(all).not.toHaveBeenCalled();
		ahead.dispose();
	});

	test('when the last chat is only restored, then no index is built before the first message', async () => {
		const sessions = new ChatSessions();
		const ahead = registerIndexAhead(sessions, delayMs);
		const saved = { id: 'chat', answers: 0, log: [] };
		sessions.setPolicy(deferring, new Map());
		sessions.setCatalog([files]);
		sessions.restore(saved, []);
		const asked = vi.spyOn(sessions.currentSurface, 'index');
		await quiet();
		expect(asked).not.toHaveBeenCalled();
		sessions.open(saved);
		await quiet();
		expect(asked).toHaveBeenCalledTimes(1);
		ahead.dispose();
	});

	test.each([
		['discovery is off', { ...deferring, enabled: false }],
		['nothing is deferred', { ...deferring, servers: new Map([['files', defaultServerPolicy]]) }],
	])('when %s, then none is built', async (_, policy) => {
		const sessions = new ChatSessions();
		sessions.open(undefined);
		const ahead = registerIndexAhead(sessions, delayMs);
		sessions.setPolicy(policy, new Map());
		sessions.setCatalog([files]);
		const asked = vi.spyOn(sessions.surface(), 'index');
		await quiet();
		expect(asked).not.toHaveBeenCalled();
		ahead.dispose();
	});

	test('when it is disposed, then none is built', async () => {
		const sessions = new ChatSessions();
		sessions.open(undefined);
		const ahead = registerIndexAhead(sessions, delayMs);
		sessions.setPolicy(deferring, new Map());
		sessions.setCatalog([files]);
		const asked = vi.spyOn(sessions.surface(), 'index');
		ahead.dispose();
		await quiet();
		expect(asked).not.toHaveBeenCalled();
	});
});
