import { expect, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import { SearchableSurface } from '../../../../src/vscode/agentMode/searchableSurface.ts';
import { office, policyFor } from '../../discovery/fixtures.ts';

function sessionsWith(enabled: boolean): ChatSessions {
	const sessions = new ChatSessions();
	sessions.setPolicy(policyFor(office, { enabled }), new Map());
	sessions.setCatalog(office);
	return sessions;
}

test('when every tool is deferred, then other chats search the same surface as our own', () => {
	const sessions = sessionsWith(true);
	expect(new SearchableSurface(sessions).get()).toBe(sessions.surface());
});

test('when discovery is off, then other chats still find every tool and see catalog changes', () => {
	const sessions = sessionsWith(false);
	const searchable = new SearchableSurface(sessions);
	const surface = searchable.get();
	expect(surface.deferred).toHaveLength(6);
	expect(searchable.get()).toBe(surface);
	sessions.setCatalog(office.slice(1));
	expect(searchable.get().deferred).toHaveLength(3);
});
