import { expect, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { SearchableSurface } from '../../../../src/vscode/agentMode/searchableSurface.ts';
import { office, policyFor } from '../../discovery/fixtures.ts';

function hubWith(enabled: boolean): ChatSessions {
	const hub = new ChatSessions();
	hub.setPolicy(policyFor(office, { enabled }), new Map());
	hub.setCatalog(new Catalog(office, 1));
	return hub;
}

test('where everything is deferred anyway, other chats search the same index', () => {
	const hub = hubWith(true);
	expect(new SearchableSurface(hub).get()).toBe(hub.surface());
});

test('while discovery is off, other chats find every tool all the same, until the catalog changes', () => {
	const hub = hubWith(false);
	const searchable = new SearchableSurface(hub);
	const surface = searchable.get();
	expect(surface.deferred).toHaveLength(6);
	expect(searchable.get()).toBe(surface);
	hub.setCatalog(new Catalog(office.slice(1), 2));
	expect(searchable.get().deferred).toHaveLength(3);
});
