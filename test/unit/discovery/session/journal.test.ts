import { describe, expect, test } from 'vitest';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { keptEntries, type TimelineEntry, turnNumbers } from '../../../../src/discovery/session/journal.ts';
import { office, search, sessionOf, surfaceOf } from '../fixtures.ts';

/** A session whose clock is a count. */
function recorded(more: Parameters<typeof surfaceOf>[1] = {}, timeline: readonly TimelineEntry[] = []) {
	let at = 0;
	return new DiscoverySession(surfaceOf(office, more), undefined, { timeline, now: () => ++at });
}

function kinds({ journal }: DiscoverySession): string[] {
	return journal.timeline.map(({ kind }) => kind);
}

describe('the timeline of a chat', () => {
	test('tells in order what was said, sent, searched, loaded, called and evicted', async () => {
		const session = recorded({ maxActiveSchemas: 1 });
		session.beginTurn({ model: 'gpt', loading: 'append' }, 'tell\nthem all');
		session.nextPrompt();
		await search(session, { tool_names: ['send_message'] });
		session.journal.answer({ inputTokens: 9, outputTokens: 2 });
		const [sending] = session.activated;
		if (!sending) throw new Error('nothing was loaded');
		session.journal.call(sending, { ms: 12.6, failed: true });
		session.beginTurn({ model: 'gpt', loading: 'append' }, 'and now?');
		await search(session, { query: 'create an event' });
		session.journal.failure('The model is gone.');

		expect(session.journal.timeline).toMatchObject([
			{ at: 1, kind: 'turn', model: 'gpt', message: 'tell them all' },
			{ at: 2, kind: 'request', tools: 1, measured: { inputTokens: 9, outputTokens: 2 } },
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

	test('has what the user loads and unloads, and ends with a reset', () => {
		const session = recorded();
		const tools = session.surface.deferred.slice(0, 2);
		session.load(tools);
		session.load(tools);
		session.unload(tools);
		expect(session.journal.timeline).toMatchObject([
			{ kind: 'load', reason: 'user', tools: { count: 2 } },
			{ kind: 'unload', tools: { count: 2 } },
		]);
		session.reset();
		expect(session.journal.timeline).toEqual([]);
	});

	test('a search that cannot be done says why', async () => {
		const session = recorded();
		await search(session, { query: 'anything', server_name: 'nowhere' });
		expect(session.journal.timeline).toMatchObject([
			{ kind: 'search', found: { count: 0 }, fault: /nowhere/ },
		]);
	});

	test('has the turn of each entry, the same that its tools have as their last one, however much was forgotten', () => {
		const session = recorded();
		const tools = session.surface.deferred;
		session.load(tools.slice(0, 1));
		for (let turn = 1; turn <= keptEntries + 2; turn++) {
			session.beginTurn({ model: 'gpt', loading: 'append' }, `${turn}`);
			session.beginByHand();
		}
		session.load(tools.slice(1, 2));
		const [first, last] = [session.journal.timeline[0], session.journal.timeline.at(-1)];
		expect(first).toMatchObject({ kind: 'turn', message: '4', turn: 4 });
		expect(last).toMatchObject({ kind: 'load', turn: keptEntries + 2 });
		expect(session.activatedByUse.map(({ activation }) => activation.lastTurn)).toEqual([keptEntries + 2, 0]);
		expect(turnNumbers(session.journal.timeline).at(-1)).toBe(keptEntries + 2);

		const again = new DiscoverySession(surfaceOf(), JSON.parse(JSON.stringify(session.state)));
		again.beginTurn({ model: 'gpt', loading: 'append' }, 'next');
		expect(again.journal.timeline).toMatchObject([{ kind: 'turn', turn: keptEntries + 3 }]);
	});

	test('goes on where an earlier one ended, and keeps a bound', () => {
		const session = recorded({}, [{ at: 0, kind: 'turn', model: 'm', message: 'first' }]);
		session.journal.failure('x'.repeat(5000));
		expect(kinds(session)).toEqual(['turn', 'failure']);
		expect(JSON.stringify(session.journal.timeline.at(-1)).length).toBeLessThan(200);
		for (let i = 0; i < keptEntries; i++) session.journal.failure(`${i}`);
		expect(session.journal.timeline).toHaveLength(keptEntries);
		expect(session.journal.timeline[0]).toMatchObject({ kind: 'failure', message: '0' });
	});
});

describe('tools that whoever runs the turn answers', () => {
	const hosted = [{ name: 'run_agent', description: 'Runs an agent.', inputSchema: { type: 'object' } }];

	test('stand behind search_tools, before loaded tools, and are nobody else’s', async () => {
		const session = recorded();
		session.beginTurn({ model: 'gpt', loading: 'append', hosted });
		await search(session, { tool_names: ['send_message'] });
		const names = session.nextPrompt().tools.map(({ name }) => name);
		expect(names).toEqual(['search_tools', 'run_agent', 'slack__send_message']);
		expect(session.resolve('run_agent')).toEqual({ kind: 'hosted' });
	});

	test('new ones begin the prompt anew; the same ones do not', () => {
		const session = recorded();
		session.beginTurn({ model: 'gpt', loading: 'append', hosted });
		session.load(session.surface.deferred.slice(1, 2));
		session.nextPrompt();
		session.load(session.surface.deferred.slice(0, 1));
		const before = session.nextPrompt().tools;
		session.beginTurn({ model: 'gpt', loading: 'append', hosted: structuredClone(hosted) });
		expect(session.nextPrompt().tools).toEqual(before);
		const changed = [{ ...hosted[0], name: 'run_agent', description: 'Runs two.', inputSchema: {} }];
		session.beginTurn({ model: 'gpt', loading: 'append', hosted: changed });
		expect(session.nextPrompt().tools[1]?.description).toBe('Runs two.');
	});

	test('are not there while discovery is off', () => {
		const session = sessionOf(office, { enabled: false });
		const without = session.nextPrompt();
		session.beginTurn({ model: 'gpt', loading: 'append', hosted });
		expect(session.nextPrompt()).toEqual(without);
		expect(session.resolve('run_agent').kind).toBe('refused');
	});
});
