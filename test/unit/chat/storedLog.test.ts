import { describe, expect, test } from 'vitest';
import { storedLog } from '../../../src/chat/storedLog.ts';
import type { ChatEvent, LogEntry } from '../../../src/discovery/session/logEntry.ts';
import { noUsage } from '../../../src/discovery/session/usage.ts';

const definition = { name: 'a__b', description: 'd', inputSchema: { type: 'object' } };
const tool = { wireName: 'a__b', server: 'a', name: 'b' };
const costs = { tools: 1, tokens: 2, everyToolTokens: 3 };

/** One of each kind. */
const each: { readonly [Kind in ChatEvent['kind']]: Extract<ChatEvent, { readonly kind: Kind }> } = {
	turn: { kind: 'turn', model: 'm', loading: 'append', prompt: 'p' },
	past: { kind: 'past', prompt: 'p' },
	message: { kind: 'message', message: { role: 'user', text: 't' }, from: 'a' },
	request: { kind: 'request', anew: 'first', added: [definition], ...costs },
	measured: {
		kind: 'measured',
		tokens: { inputTokens: 1, outputTokens: 2 },
		cost: { usd: 1, isReported: true },
	},
	told: { kind: 'told', findable: [['a', ['b']]] },
	brought: { kind: 'brought', definitions: [definition] },
	search: { kind: 'search', words: 'w', found: { names: ['a:b'], count: 1 }, further: ['a:c'] },
	load: { kind: 'load', tools: [tool], renewed: [], reason: 'search' },
	evict: { kind: 'evict', wireNames: ['a__b'], names: ['a:b'] },
	unload: { kind: 'unload', wireNames: ['a__b'], names: ['a:b'] },
	drop: { kind: 'drop', wireNames: ['a__b'] },
	use: { kind: 'use', wireName: 'a__b', server: 'a', name: 'b' },
	call: { kind: 'call', server: 'a', tool: 'b', ms: 1, failed: false },
	agent: {
		kind: 'agent',
		agent: 'x',
		task: 't',
		ms: 1,
		calls: 0,
		failed: false,
		usage: noUsage,
		messages: [],
	},
	failure: { kind: 'failure', message: 'm' },
	byHand: { kind: 'byHand' },
	reset: { kind: 'reset' },
	back: { kind: 'back', turns: 1 },
	anew: { kind: 'anew', why: 'limit' },
	linked: { kind: 'linked', server: 'a' },
	joined: { kind: 'joined', tools: [['a', ['b']]] },
	toolset: { kind: 'toolset', toolset: undefined },
	system: { kind: 'system', template: '/t.j2', text: 's' },
	answered: { kind: 'answered' },
};

const stored = (...happenings: readonly object[]): unknown[] =>
	JSON.parse(JSON.stringify(happenings.map((one) => ({ at: 1, ...one }))));

const turn = (prompt: string) => [
	{ ...each.turn, prompt },
	{ kind: 'message', message: { role: 'user', text: prompt } },
	{ kind: 'message', message: { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] } },
	{ kind: 'answered' },
];

const promptsIn = (log: readonly LogEntry[]) =>
	log.flatMap((one) => (one.kind === 'turn' ? [one.prompt] : []));

describe('a stored log', () => {
	test.each(Object.keys(each))(
		'with an entry of the kind %s is restored unchanged, with members of later versions',
		(kind) => {
			const entries = stored({ ...each[kind as ChatEvent['kind']], later: { a: [1] } });
			expect(storedLog(entries)).toEqual(entries);
		},
	);

	test.each([
		['a request without its costs', { kind: 'request' }],
		['loaded tools without names', { kind: 'load', tools: [{}], renewed: [], reason: 'search' }],
		['an unknown reason', { ...each.load, reason: 'whim' }],
		['a count that is a text', { ...each.call, ms: '1' }],
		['an unknown kind', { kind: '__proto__' }],
		['a time that is none', { ...each.answered, at: 'now' }],
	])('loses only an entry that has %s', (_what, entry) => {
		const log = storedLog(stored(...turn('one'), entry, ...turn('two')));
		expect(log).toHaveLength(8);
		expect(promptsIn(log)).toEqual(['one', 'two']);
	});

	test.each([
		['a message without a role', { kind: 'message', message: { text: 't' } }],
		[
			'a call without arguments',
			{
				kind: 'message',
				message: { role: 'assistant', parts: [{ type: 'toolCall', call: { id: '1', name: 'n' } }] },
			},
		],
		[
			'a result without its call',
			{ kind: 'message', message: { role: 'tool', results: [{ result: { content: [], isError: false } }] } },
		],
		['a message of an unknown kind', { kind: 'massage', message: { role: 'user', text: 't' } }],
	])('ends before the turn that has %s', (_what, entry) => {
		const log = storedLog(stored(...turn('one'), ...turn('two').slice(0, 2), entry, ...turn('three')));
		expect(promptsIn(log)).toEqual(['one']);
		expect(log).toHaveLength(4);
	});

	test('ends before a turn that cannot be read itself', () => {
		expect(
			promptsIn(storedLog(stored(...turn('one'), { kind: 'turn', prompt: 7 }, ...turn('three')))),
		).toEqual(['one']);
	});
});
