import { describe, expect, test } from 'vitest';
import type { CatalogServer } from '../../../src/discovery/catalog.ts';
import type { DiscoverySession } from '../../../src/discovery/discoverySession.ts';
import type { Loading } from '../../../src/discovery/policy.ts';
import type { ChatMessage, ChatRequest } from '../../../src/models/chatModel.ts';
import { office, servers, sessionOf, surfaceOf, toolset } from '../discovery/fixtures.ts';
import { lastTexts, turn } from './conversation.ts';
import { asks, call, ScriptedModel, says } from './scriptedModel.ts';

const mail = servers({ mail: ['send_mail', 'read_mail'] });
const news = 'Changed since the list of servers was made:\n- New servers: mail (2 tools)';

function becomes(session: DiscoverySession, all: readonly CatalogServer[], loading: Loading): void {
	session.surface = surfaceOf(all, { loading });
}

/** What a request begins with: what a provider's cache keeps. */
function beginning({ system, tools, messages }: ChatRequest | undefined = fail()): string {
	return JSON.stringify([system, tools, messages[0]]);
}

function fail(): never {
	throw new Error('There is no such request.');
}

describe.each(['append', 'native', 'call'] satisfies Loading[])('%s: a server that appears', (loading) => {
	test('while a tool runs is told with its result, once, and the beginning stays', async () => {
		const session = sessionOf(office, { loading });
		session.load(session.surface.deferred.slice(0, 1));
		const use = () => call('slack__send_message', { text: `${Math.random()}` });
		const model = new ScriptedModel([asks(use()), asks(use()), says('Done.')]);
		await turn(model, {
			session,
			onEvent: ({ type }) => type === 'toolStarted' && becomes(session, [...office, ...mail], loading),
		});
		const [first, second, third] = model.requests;
		expect(JSON.stringify(second?.messages.at(-1))).toContain(JSON.stringify(news).slice(1, -1));
		expect(lastTexts(model).join()).not.toContain('New servers');
		expect(beginning(second)).toBe(beginning(first));
		expect(beginning(third)).toBe(beginning(first));
	});

	test('between two turns is told with the user’s message, once, before anything is searched', async () => {
		const session = sessionOf(office, { loading });
		const messages: ChatMessage[] = [{ role: 'user', text: 'Hello.' }];
		const first = new ScriptedModel([says('Hello.')]);
		await turn(first, { session, messages });
		becomes(session, [...office, ...mail], loading);
		for (const text of ['And now?', 'And then?']) {
			messages.push({ role: 'user', text });
			const next = new ScriptedModel([says('Well.')]);
			await turn(next, { session, messages });
			expect(beginning(next.requests[0])).toBe(beginning(first.requests[0]));
		}
		expect(messages.filter(({ role }) => role === 'user')).toEqual([
			{ role: 'user', text: 'Hello.' },
			{ role: 'user', text: 'And now?', news },
			{ role: 'user', text: 'And then?' },
		]);
	});

	test('is told of with the search that comes first, and not once more', async () => {
		const session = sessionOf(office, { loading });
		const model = new ScriptedModel([asks(call('search_tools', { query: 'send' })), says('Done.')]);
		await turn(model, {
			session,
			onEvent: ({ type }) => type === 'searchStarted' && becomes(session, [...office, ...mail], loading),
		});
		expect(JSON.stringify(model.requests[1]?.messages).match(/New servers/g)).toHaveLength(1);
	});
});

test('nothing is told where the next request begins anew and has it all', async () => {
	const session = sessionOf(office);
	const messages: ChatMessage[] = [{ role: 'user', text: 'Hello.' }];
	await turn(new ScriptedModel([says('Hello.')]), { session, messages });
	session.surface = surfaceOf([...office, ...mail], {}, toolset('post', { mail: true }));
	messages.push({ role: 'user', text: 'And now?' });
	const model = new ScriptedModel([says('Well.')]);
	await turn(model, { session, messages });
	expect(model.requests[0]?.messages.at(-1)).toEqual({ role: 'user', text: 'And now?' });
	expect(JSON.stringify(model.requests[0])).toContain('send_mail');
});
