import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../src/models/chatModel.ts';
import { ThoughtMemory, thinkerOf, thoughtOf } from '../../../src/models/thought.ts';

type Answer = Extract<ChatMessage, { role: 'assistant' }>;

const call = (id: string) => ({ id, name: 'read', input: {} });
const answer = (...ids: readonly string[]): Answer => ({
	role: 'assistant',
	text: 'Looking.',
	toolCalls: ids.map(call),
});
const withThought = (one: Answer, data: unknown = 'x'.repeat(100)): Answer => ({
	...one,
	thought: { by: 'me', data },
});

describe('whose a thought is', () => {
	const here = { baseUrl: 'https://a.example/v1' };

	it('is known by model, address and protocol', () => {
		const thinker = thinkerOf(here, 'chat', 'm');
		const others = [
			thinkerOf({ baseUrl: 'https://b.example/v1' }, 'chat', 'm'),
			thinkerOf(here, 'responses', 'm'),
			thinkerOf(here, 'chat', 'n'),
		];
		expect(new Set([thinker, ...others]).size).toBe(4);
		expect(thinkerOf(here, 'chat', 'm')).toBe(thinker);
	});

	it('tells nothing of the address', () => {
		expect(thinkerOf({ baseUrl: 'https://key@a.example' }, 'chat', 'm')).toMatch(/^[0-9a-f]{16}$/);
	});

	it('keeps it from everyone else', () => {
		const message = withThought(answer(), 'deep');
		expect(thoughtOf(message, 'me')).toBe('deep');
		expect(thoughtOf(message, 'you')).toBeUndefined();
		expect(thoughtOf(answer(), 'me')).toBeUndefined();
	});
});

describe('thoughts of conversations that somebody else keeps', () => {
	it('are found by the calls of the answer', () => {
		const memory = new ThoughtMemory();
		memory.remember(withThought(answer('a', 'b'), 'deep'));
		expect(memory.recall(answer('a', 'b'))).toEqual(withThought(answer('a', 'b'), 'deep'));
		expect(memory.recall(answer('a'))).toEqual(answer('a'));
	});

	it('are found by its words where it made no call', () => {
		const memory = new ThoughtMemory();
		memory.remember(withThought(answer(), 'deep'));
		expect(memory.recall(answer())).toEqual(withThought(answer(), 'deep'));
		expect(memory.recall({ ...answer(), text: 'Else.' })).toEqual({ ...answer(), text: 'Else.' });
		expect(memory.recall({ role: 'user', text: 'Looking.' })).toEqual({ role: 'user', text: 'Looking.' });
	});

	it('are bounded: what was not used for longest goes first', () => {
		const size = JSON.stringify(['a']).length + JSON.stringify('x'.repeat(100)).length;
		const memory = new ThoughtMemory(3 * size);
		for (const id of ['a', 'b', 'c']) memory.remember(withThought(answer(id)));
		memory.recall(answer('a'));
		memory.remember(withThought(answer('d')));
		const kept = ['a', 'b', 'c', 'd'].filter((id) => 'thought' in memory.recall(answer(id)));
		expect(kept).toEqual(['a', 'c', 'd']);
	});

	it('take no more room where the same answer comes again', () => {
		const size = JSON.stringify(['a']).length + JSON.stringify('x'.repeat(100)).length;
		const memory = new ThoughtMemory(2 * size);
		memory.remember(withThought(answer('a')));
		for (let times = 0; times < 5; times++) memory.remember(withThought(answer('b')));
		expect('thought' in memory.recall(answer('a'))).toBe(true);
	});
});
