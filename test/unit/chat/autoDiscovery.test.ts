import { describe, expect, test } from 'vitest';
import { agentSurface } from '../../../src/chat/agents/agentTools.ts';
import { type ChatSession, ChatSessions } from '../../../src/chat/sessions.ts';
import type { CatalogServer } from '../../../src/discovery/catalog/catalog.ts';
import {
	type ConfiguredPolicy,
	defaultPolicy,
	defaultServerPolicy,
} from '../../../src/discovery/catalog/policy.ts';
import { ended, keptLog } from '../discovery/fixtures.ts';
import { agent } from './agents/agents.ts';

/** A server of so many tools, named so that they come in one order everywhere. */
function server(name: string, count: number, description = ''): CatalogServer {
	const tools = Array.from({ length: count }, (_, i) => ({
		server: name,
		name: `tool_${String(i).padStart(3, '0')}`,
		description: description && `${description} ${i}`,
		inputSchema: { type: 'object' },
	}));
	return { name, tools };
}

const tiny = server('tiny', 10);
const archive = server('archive', 80, 'Reads one of the records that are kept in the archive, by its number');
const research = { name: 'research', servers: new Map([['archive', ['tool_001', 'tool_002']]]) };

const policy: ConfiguredPolicy = {
	...defaultPolicy,
	enabled: 'auto',
	servers: new Map(
		['tiny', 'archive', 'late'].map((name) => [name, { ...defaultServerPolicy, deferLoading: true }]),
	),
};

function window(servers: readonly CatalogServer[], more: Partial<ConfiguredPolicy> = {}): ChatSessions {
	const sessions = new ChatSessions();
	sessions.setPolicy({ ...policy, ...more }, new Map([['research', research]]));
	sessions.setCatalog(servers);
	return sessions;
}

/** What the next request of a chat begins with, as text. */
function head({ discovery }: ChatSession): string {
	const { paragraph, tools } = discovery.nextRequest();
	return JSON.stringify({ paragraph, tools });
}

function turn({ discovery }: ChatSession): void {
	discovery.beginTurn({ model: 'gpt', loading: 'append' }, { role: 'user', text: 'hello' });
}

function firstHead(servers: readonly CatalogServer[], more: Partial<ConfiguredPolicy>): string {
	const chat = window(servers, more).open(undefined);
	turn(chat);
	return head(chat);
}

describe('given "enabled": "auto"', () => {
	test('when there are ten tiny tools, then requests equal those of "enabled": false byte for byte', () => {
		expect(firstHead([tiny], {})).toBe(firstHead([tiny], { enabled: false }));
		expect(window([tiny]).policy.auto).toMatchObject({ kind: 'fits', tools: 10 });
	});

	test('when there are many tools, then requests equal those of "enabled": true byte for byte', () => {
		expect(firstHead([tiny, archive], {})).toBe(firstHead([tiny, archive], { enabled: true }));
		expect(window([tiny, archive]).policy.auto).toMatchObject({ kind: 'saves' });
	});

	test('when deferring saves less than a third of the tokens, then tools are not deferred', () => {
		const decisions = Array.from({ length: 40 }, (_, i) => {
			const { policy: decided } = window([server('tiny', i, 'Reads one record of the archive')]);
			return decided.auto;
		});
		const saving = decisions.flatMap((auto) => (auto?.kind === 'saves' ? [auto.share] : []));
		expect(Math.min(...saving)).toBeGreaterThanOrEqual(1 / 3);
		expect(decisions.map((auto) => auto?.kind).join(' ')).toMatch(/^(fits ){10,}(saves ?){5,}$/);
	});

	test('when tools are pinned, then deferring saves nothing on them', () => {
		const pinned = new Map([['archive', { ...defaultServerPolicy, pinned: true, deferLoading: true }]]);
		expect(window([archive], { servers: pinned }).policy).toMatchObject({ enabled: false });
	});

	test('when there are more tools than a request may have, then even tiny ones are deferred', () => {
		const sessions = window([tiny], { maxRequestTools: 9 });
		expect(sessions.policy.auto).toEqual({ kind: 'tooMany', tools: 10, limit: 9 });
		expect(sessions.surface().deferred).toHaveLength(10);
	});

	test('when a chat chooses a toolset, then the toolset decides for that chat', () => {
		const sessions = window([archive]);
		const chat = sessions.open(undefined);
		turn(chat);
		head(chat);
		sessions.chooseToolset(chat, 'research');
		expect(sessions.policy.auto).toMatchObject({ kind: 'fits', tools: 2 });
		expect(chat.discovery.nextHead.tools.map(({ name }) => name)).toEqual([
			'archive__tool_001',
			'archive__tool_002',
		]);
		sessions.chooseToolset(chat, undefined);
		expect(sessions.policy.auto?.kind).toBe('saves');
	});

	test('when an agent has few tools, then all of them are sent at once', () => {
		const caller = window([archive]).surface();
		const reader = agent('reader', { tools: ['archive:tool_001', 'archive:tool_002'] });
		expect(agentSurface(reader, caller).loaded).toHaveLength(2);
	});
});

describe('given a chat that began with discovery on', () => {
	function begun(): { sessions: ChatSessions; chat: ChatSession; first: string } {
		const sessions = window([tiny, archive]);
		const chat = sessions.open(undefined);
		turn(chat);
		return { sessions, chat, first: head(chat) };
	}

	test('when servers go and come back, then its request head stays, and a new chat decides for itself', () => {
		const { sessions, chat, first } = begun();
		for (const servers of [[tiny], [], [tiny], [tiny, archive]]) {
			sessions.setCatalog(servers);
			turn(chat);
			expect(head(chat)).toBe(first);
		}
		sessions.setCatalog([tiny]);
		expect(sessions.policy.auto).toEqual({ kind: 'chat' });
		expect(sessions.open(undefined).discovery.surface.policy.auto?.kind).toBe('fits');
	});

	test('when the user turns discovery off, then it is off at once', () => {
		const { sessions, chat } = begun();
		sessions.setPolicy({ ...policy, enabled: false }, new Map());
		turn(chat);
		expect(head(chat)).toBe(firstHead([tiny, archive], { enabled: false }));
		sessions.setCatalog([tiny]);
		expect(chat.discovery.surface.policy.enabled).toBe(false);
	});

	test('when another setting changes, then discovery stays on', () => {
		const { sessions, chat } = begun();
		sessions.setCatalog([tiny]);
		sessions.setPolicy({ ...policy, maxSearchResults: 7 }, new Map());
		expect(chat.discovery.surface.policy.auto).toEqual({ kind: 'chat' });
	});

	test('when it continues in another window, then its request head stays', () => {
		const { chat, first } = begun();
		const again = window([tiny]).open({ id: chat.id, answers: 0 }, keptLog(chat.discovery));
		turn(again);
		expect(head(again)).toBe(first);
	});
});

test('when enough servers join a chat that began without discovery, then it turns on and keeps called tools', () => {
	const sessions = window([tiny]);
	const chat = sessions.open(undefined);
	turn(chat);
	expect(chat.discovery.discovers).toBe(false);
	head(chat);
	const tool = chat.discovery.surface.get('tiny__tool_003');
	if (!tool) throw new Error('it is listed');
	ended(chat.discovery, tool);
	sessions.setCatalog([tiny, archive]);
	const names = chat.discovery.nextRequest().tools.map(({ name }) => name);
	expect(names).toEqual(['search_tools', 'tiny__tool_003']);
	expect(chat.discovery.resolve('tiny__tool_003')).toMatchObject({ kind: 'tool' });
});
