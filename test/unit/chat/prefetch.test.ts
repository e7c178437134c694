import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../src/discovery/catalog.ts';
import { DiscoverySession } from '../../../src/discovery/discoverySession.ts';
import { ToolSurface } from '../../../src/discovery/toolSurface.ts';
import type { ChatMessage } from '../../../src/models/chatModel.ts';
import { ids, office, policyFor, sessionOf } from '../discovery/fixtures.ts';
import { turn } from './conversation.ts';
import { asks, call, ScriptedModel, says } from './scriptedModel.ts';

const clear = 'Send a message to the Slack channel #general, please';
const user = (text: string): ChatMessage => ({ role: 'user', text });
const toolsOf = (model: ScriptedModel) => model.requests.map(({ tools }) => tools.map(({ name }) => name));

/** Answers without a call. */
const sent = () => new ScriptedModel([says('Sent.')]);

describe('the first message of a chat', () => {
	test('loads what it clearly asks for, and the model needs no search', async () => {
		const session = sessionOf();
		const model = new ScriptedModel([
			asks(call('slack__send_message', { channel: 'general' })),
			says('Sent.'),
		]);
		const { events, end } = await turn(model, { session, messages: [user(clear)] });
		expect(events.map(({ type }) => type)).toEqual([
			'prefetched',
			'toolStarted',
			'toolFinished',
			'text',
			'end',
		]);
		expect(events[0]).toMatchObject({ reason: 'prefetch', tools: [{ id: 'slack:send_message' }] });
		expect(toolsOf(model)[0]).toEqual(['search_tools', 'slack__send_message']);
		expect(end).toMatchObject({ reason: 'answered' });
		expect(session.state.activations).toMatchObject([
			{ wireName: 'slack__send_message', reason: 'prefetch', words: clear },
		]);
	});

	test('that asks for nothing clearly leaves the request as it is', async () => {
		const model = sent();
		const { events } = await turn(model, { messages: [user('Hello!')] });
		expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
		expect(toolsOf(model)).toEqual([['search_tools']]);
	});

	test('loads nothing that is loaded', async () => {
		const session = sessionOf();
		session.load(session.surface.deferred.slice(0, 1));
		const { events } = await turn(sent(), { session, messages: [user(clear)] });
		expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
		expect(session.state.activations).toMatchObject([{ reason: 'user' }]);
	});
});

test.each(['append', 'native', 'call'] as const)(
	'%s: it is among the first tools, and later words change no beginning',
	async (loading) => {
		const session = sessionOf(office, { loading });
		const model = sent();
		const messages = [user(clear)];
		await turn(model, { session, messages });
		messages.push(user('Delete the event from the calendar'));
		await turn(model, { session, messages });
		const [before, after] = toolsOf(model);
		expect(before?.at(-1)).toBe('slack__send_message');
		expect(after).toEqual(before);
	},
);

test('a tool named later in a chat is loaded at the end of the tools', async () => {
	const session = sessionOf(office, { loading: 'append' });
	const model = sent();
	const messages = [user('Hello!')];
	await turn(model, { session, messages });
	messages.push(user('use slack:search now'));
	const { events } = await turn(model, { session, messages });
	expect(events[0]).toMatchObject({ type: 'prefetched', reason: 'reference' });
	expect(toolsOf(model).at(-1)).toEqual(['search_tools', 'slack__search']);
	expect(session.state.activations).toMatchObject([{ reason: 'reference' }]);
});

describe('the cap', () => {
	test('counts what is loaded ahead, and no search of the turn evicts it', async () => {
		const session = sessionOf(office, { maxActiveSchemas: 1 });
		const model = new ScriptedModel([
			asks(call('search_tools', { tool_names: ['slack:search'] })),
			says('No.'),
		]);
		await turn(model, { session, messages: [user(clear)] });
		expect(ids(session.activated)).toEqual(['slack:send_message']);
	});

	test('makes room for what is loaded ahead, and the user hears of it', async () => {
		const session = sessionOf(office, { maxActiveSchemas: 1 });
		session.load(session.surface.deferred.filter(({ id }) => id === 'calendar:search'));
		const { events } = await turn(sent(), { session, messages: [user(clear)] });
		expect(events.slice(0, 2)).toMatchObject([
			{ type: 'prefetched', tools: [{ id: 'slack:send_message' }] },
			{ type: 'evicted', names: ['calendar:search'] },
		]);
		expect(ids(session.activated)).toEqual(['slack:send_message']);
	});
});

describe('an index', () => {
	const indexedWith = (pause: () => Promise<void>) =>
		new DiscoverySession(new ToolSurface(new Catalog(office, 1), policyFor(office), undefined, { pause }));

	test('that fails costs nothing but what it would have found', async () => {
		const session = indexedWith(() => Promise.reject(new Error('The index broke.')));
		const model = sent();
		const { events } = await turn(model, { session, messages: [user(clear)] });
		expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
		expect(toolsOf(model)).toEqual([['search_tools']]);
	});

	test('that is never ready is waited for no longer than the user does', async () => {
		const stop = new AbortController();
		const session = indexedWith(() => {
			stop.abort();
			return new Promise(() => undefined);
		});
		const model = sent();
		const { end } = await turn(model, { session, messages: [user(clear)], signal: stop.signal });
		expect(end).toMatchObject({ reason: 'cancelled' });
		expect(model.requests).toEqual([]);
	});
});
