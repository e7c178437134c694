import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ChatSessions } from '../../../src/chat/sessions.ts';
import {
	type ConfiguredPolicy,
	defaultPolicy,
	defaultServerPolicy,
} from '../../../src/discovery/catalog/policy.ts';
import { registerIndexAhead } from '../../../src/vscode/catalogUpdates.ts';

const files = {
	name: 'files',
	tools: ['read', 'write'].map((name) => ({ server: 'files', name, inputSchema: { type: 'object' } })),
};
const servers = new Map([['files', { ...defaultServerPolicy, deferLoading: true }]]);
const deferring = { ...defaultPolicy, enabled: true, servers };
const reading = { name: 'reading', servers: new Map([['files', ['read']]]) };

/** A window whose servers have just listed their tools. */
function openedWindow(policy: ConfiguredPolicy = deferring) {
	const sessions = new ChatSessions();
	const ahead = registerIndexAhead(sessions);
	sessions.setPolicy(policy, new Map([['reading', reading]]));
	sessions.setCatalog([files]);
	return { sessions, ahead };
}

const quiet = () => vi.advanceTimersByTime(60_000);

describe('given a window that builds the search index ahead of time', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	test('when servers list their tools, then it builds only the index of the newest surface, once', () => {
		const { sessions } = openedWindow();
		sessions.open(undefined);
		const stale = vi.spyOn(sessions.surface(), 'index');
		sessions.setCatalog([{ ...files }]);
		const built = vi.spyOn(sessions.currentSurface, 'index');
		quiet();
		expect(built).toHaveBeenCalledTimes(1);
		expect(stale).not.toHaveBeenCalled();
	});

	test('when a chat has a toolset, then it builds the index of that toolset', () => {
		const { sessions } = openedWindow();
		const chat = sessions.open(undefined);
		sessions.chooseToolset(chat, 'reading');
		const built = vi.spyOn(chat.discovery.surface, 'index');
		const all = vi.spyOn(sessions.surface(), 'index');
		quiet();
		expect(built).toHaveBeenCalled();
		expect(all).not.toHaveBeenCalled();
	});

	test('when it has only restored the last chat, then it builds no index before the first message', () => {
		const { sessions } = openedWindow();
		const saved = { id: 'chat', answers: 0, log: [] };
		sessions.restore(saved, []);
		const built = vi.spyOn(sessions.currentSurface, 'index');
		quiet();
		expect(built).not.toHaveBeenCalled();
		sessions.open(saved);
		quiet();
		expect(built).toHaveBeenCalledTimes(1);
	});

	test.each([
		['discovery is off', { ...deferring, enabled: false }],
		['nothing is deferred', { ...deferring, servers: new Map([['files', defaultServerPolicy]]) }],
		['the window closes', deferring],
	])('when %s, then it builds no index', (why, policy) => {
		const { sessions, ahead } = openedWindow(policy);
		sessions.open(undefined);
		const built = vi.spyOn(sessions.surface(), 'index');
		if (why === 'the window closes') ahead.dispose();
		quiet();
		expect(built).not.toHaveBeenCalled();
	});
});
