import { describe, expect, test } from 'vitest';
import { ChatLog } from '../../../../src/discovery/session/chatLog.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { maxTimelineEntries } from '../../../../src/discovery/session/timeline.ts';
import { keptLog, office, search, sent, sessionOf, surfaceOf } from '../fixtures.ts';

/** A session whose clock is a count. */
function recorded(more: Parameters<typeof surfaceOf>[1] = {}) {
	let at = 0;
	return new DiscoverySession(surfaceOf(office, more), new ChatLog([], () => ++at));
}

describe('the timeline of a chat', () => {
	test('lists messages, requests, searches, loads, calls, evictions and failures in order', async () => {
		const session = recorded({ maxActiveSchemas: 1 });
		session.beginTurn({ model: 'gpt', loading: 'append' }, { role: 'user', text: 'tell\nthem all' });
		session.nextRequest();
		await search(session, { tool_names: ['send_message'] });
		session.measured({ inputTokens: 9, outputTokens: 2 });
		const [sending] = session.activated;
		if (!sending) throw new Error('nothing was loaded');
		const { server, name: tool } = sending;
		session.log.append({ kind: 'call', server, tool, ms: 13, failed: true });
		session.beginTurn({ model: 'gpt', loading: 'append' }, { role: 'user', text: 'and now?' });
		await search(session, { query: 'create an event' });
		session.log.append({ kind: 'failure', message: 'The model is gone.' });

		expect(session.log.timeline).toMatchObject([
			{ turn: 1, kind: 'turn', model: 'gpt', message: 'tell them all' },
			{ turn: 1, kind: 'request', tools: 1, measured: { inputTokens: 9, outputTokens: 2 } },
			{ kind: 'search', words: 'send_message', found: { names: ['slack:send_message'], count: 1 } },
			{ kind: 'load', tools: { names: ['slack:send_message'], count: 1 }, reason: 'name' },
			{ kind: 'call', tool: 'slack:send_message', ms: 13, failed: true },
			{ kind: 'turn', message: 'and now?' },
			{ kind: 'search', words: 'create an event' },
			{ kind: 'load', reason: 'search', words: 'create an event' },
			{ kind: 'evict', tools: { names: ['slack:send_message'], count: 1 } },
			{ kind: 'failure', message: 'The model is gone.' },
		]);
	});

	test('includes tools that the user loads or unloads, and is cleared by a reset', () => {
		const session = recorded();
		const tools = session.surface.deferred.slice(0, 2);
		expect(session.load(tools)).toEqual(tools);
		expect(session.load(tools)).toEqual([]);
		expect(session.unload(tools)).toEqual(tools);
		expect(session.unload(tools)).toEqual([]);
		expect(session.log.timeline).toMatchObject([
			{ kind: 'load', reason: 'user', tools: { count: 2 } },
			{ kind: 'unload', tools: { count: 2 } },
		]);
		session.log.append({ kind: 'reset' });
		expect(session.log.timeline).toEqual([]);
	});

	test('has the reason why a search failed', async () => {
		const session = recorded();
		await search(session, { query: 'anything', server_name: 'nowhere' });
		expect(session.log.timeline).toMatchObject([{ kind: 'search', found: { count: 0 }, fault: /nowhere/ }]);
	});

	test('has the right turn number for each entry after old entries were dropped', () => {
		const session = recorded();
		const tools = session.surface.deferred;
		session.load(tools.slice(0, 1));
		for (let turn = 1; turn <= maxTimelineEntries + 2; turn++) {
			session.beginTurn({ model: 'gpt', loading: 'append' }, { role: 'user', text: `${turn}` });
			session.log.append({ kind: 'byHand' });
		}
		session.load(tools.slice(1, 2));
		const [first, last] = [session.log.timeline[0], session.log.timeline.at(-1)];
		expect(first).toMatchObject({ kind: 'turn', message: '4', turn: 4 });
		expect(last).toMatchObject({ kind: 'load', turn: maxTimelineEntries + 2 });
		expect(session.activatedByUse.map(({ activation }) => activation.lastTurn)).toEqual([
			maxTimelineEntries + 2,
			0,
		]);

		const again = sessionOf(office, {}, keptLog(session));
		again.beginTurn({ model: 'gpt', loading: 'append' }, { role: 'user', text: 'next' });
		expect(again.log.timeline.at(-1)).toMatchObject({ kind: 'turn', turn: maxTimelineEntries + 3 });
	});
});

describe('hosted tools', () => {
	const hosted = [{ name: 'run_agent', description: 'Runs an agent.', inputSchema: { type: 'object' } }];

	test('come after search_tools and before loaded tools, and resolve as hosted', async () => {
		const session = recorded();
		session.beginTurn({ model: 'gpt', loading: 'append', hosted });
		await search(session, { tool_names: ['send_message'] });
		expect(sent(session)).toEqual(['search_tools', 'run_agent', 'slack__send_message']);
		expect(session.resolve('run_agent')).toEqual({ kind: 'hosted' });
	});

	test('start a new prefix when they change, but not when they are equal', () => {
		const session = recorded();
		session.beginTurn({ model: 'gpt', loading: 'append', hosted });
		session.load(session.surface.deferred.slice(1, 2));
		session.nextRequest();
		session.load(session.surface.deferred.slice(0, 1));
		const before = session.nextRequest().tools;
		session.beginTurn({ model: 'gpt', loading: 'append', hosted: structuredClone(hosted) });
		expect(session.nextRequest().tools).toEqual(before);
		const changed = [{ ...hosted[0], name: 'run_agent', description: 'Runs two.', inputSchema: {} }];
		session.beginTurn({ model: 'gpt', loading: 'append', hosted: changed });
		expect(session.nextRequest().tools[1]?.description).toBe('Runs two.');
	});

	test('are not available when discovery is off', () => {
		const session = sessionOf(office, { enabled: false });
		const without = session.nextRequest();
		session.beginTurn({ model: 'gpt', loading: 'append', hosted });
		expect(session.nextRequest()).toMatchObject({ paragraph: without.paragraph, tools: without.tools });
		expect(session.resolve('run_agent').kind).toBe('refused');
	});
});
