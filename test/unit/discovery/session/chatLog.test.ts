import { describe, expect, test } from 'vitest';
import type { CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { ChatLog } from '../../../../src/discovery/session/chatLog.ts';
import { allMessages } from '../../../../src/discovery/session/logEntry.ts';
import { noUsage } from '../../../../src/discovery/session/usage.ts';
import {
	ended,
	keptLog,
	news,
	office,
	said,
	search,
	servers,
	sessionOf,
	surfaceOf,
	tool,
	toolset,
} from '../fixtures.ts';

/** A chat in which much has happened. */
async function lively() {
	const session = sessionOf(office, { maxActiveSchemas: 2 });
	session.beginTurn({ model: 'a', loading: 'native' }, said('Send it.'));
	session.nextRequest();
	await search(session, { tool_names: ['send_message', 'create_event'] });
	const target = session.resolve('slack__send_message');
	session.called(target);
	ended(session, { server: 'slack', name: 'send_message' });
	session.surface = surfaceOf(office.slice(1), { maxActiveSchemas: 2 });
	news(session);
	session.surface = surfaceOf(
		office,
		{ maxActiveSchemas: 1 },
		toolset('all', { slack: true, calendar: true }),
	);
	session.beginTurn({ model: 'b', loading: 'append' }, said('And then?'));
	session.nextRequest();
	session.log.goBack(1);
	return session;
}

describe('the chat log', () => {
	test('records why each request started a new prefix', async () => {
		const { log } = await lively();
		const why = log.entries.flatMap((entry) => (entry.kind === 'request' ? [entry.anew] : []));
		expect(why).toEqual(['first', undefined, 'model']);
	});

	test('drops the messages of undone turns but keeps them in the timeline', async () => {
		const session = await lively();
		expect(session.log.prompts).toEqual(['Send it.']);
		expect(JSON.stringify(keptLog(session).filter(({ kind }) => kind === 'message'))).not.toContain(
			'And then?',
		);
		expect(session.log.timeline.filter(({ kind }) => kind === 'turn')).toHaveLength(2);
	});
});

describe('given that the user undoes turns, then a note to the model from those turns', () => {
	const [slack] = office;
	const events = (description: string) =>
		[slack, { name: 'calendar', tools: [tool('calendar', 'create_event', description)] }] as CatalogServer[];
	const again = async (model: string) => {
		const session = sessionOf(events('Creates.'));
		session.beginTurn({ model: 'a', loading: 'append' }, said('One.'));
		session.nextRequest();
		await search(session, { tool_names: ['create_event'] });
		session.nextRequest();
		session.beginTurn({ model, loading: 'append' }, said('Two.'));
		session.surface = surfaceOf([...events('Creates an event.'), ...servers({ mail: ['send'] })]);
		const first = news(session);
		session.log.goBack(1);
		session.beginTurn({ model, loading: 'append' }, said('Three.'));
		return [first, news(session)];
	};

	test('is repeated, with changed tools and new servers', async () => {
		const [first, second] = await again('a');
		expect(first).toContain('New servers: mail (1 tool)');
		expect(first).toContain('Changed since you loaded it: calendar__create_event');
		expect(second).toBe(first);
	});

	test('is not repeated when a later request started a new prefix with that information', async () => {
		expect(await again('b')).toEqual([undefined, undefined]);
	});
});

describe('the messages of agent runs', () => {
	const done: readonly ChatMessage[] = [
		said('Look.'),
		{ role: 'tool', results: [{ callId: '1', result: textResult('x'.repeat(100_000)) }] },
	];
	const run = { kind: 'agent', agent: 'clerk', task: 'look', ms: 1, calls: 1, failed: false } as const;

	test('are kept apart from the chat’s messages, and the oldest are dropped at the limit', () => {
		const log = new ChatLog();
		log.append({ ...run, usage: noUsage, messages: done });
		expect(log.messages).toEqual([]);
		expect(allMessages(log.entries)).toEqual(done);
		for (let i = 0; i < 100; i++) log.append({ ...run, task: `${i}`, usage: noUsage, messages: done });
		expect(JSON.stringify(log.entries).length).toBeLessThan(600_000);
		const last = log.entries.at(-1);
		expect(last?.kind === 'agent' && last.messages).toEqual(done);
		expect(log.timeline).toHaveLength(101);
	});
});

test('two chats that begin with the same words are told apart, with a clock also after a reload', () => {
	const say = (log: ChatLog) => {
		log.append({ kind: 'message', message: { role: 'user', text: 'hi' } });
		return log;
	};
	expect(say(new ChatLog()).conversation).not.toBe(say(new ChatLog()).conversation);
	const log = say(new ChatLog([], () => 1_700_000_000_000));
	expect(new ChatLog(log.entries).conversation).toBe(log.conversation);
});
