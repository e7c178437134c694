import { describe, expect, test } from 'vitest';
import { type AssistantMessage, answerText, plainAnswer } from '../../../src/models/answerParts.ts';
import { OriginMemory } from '../../../src/models/originMemory.ts';

const call = (id: string) => ({ id, name: 'read', input: {} });
const answer = (...ids: readonly string[]): AssistantMessage => plainAnswer('Looking.', ids.map(call));
const withThought = (one: AssistantMessage, data: unknown = 'x'.repeat(100)): AssistantMessage => ({
	...one,
	parts: [{ type: 'thinking', text: '', origin: { by: 'me', data } }, ...one.parts],
});
const isKnown = (memory: OriginMemory, one: AssistantMessage) => memory.recall(one) !== one;

describe('origins in conversations that another extension stores', () => {
	test('are found by the calls of the answer', () => {
		const memory = new OriginMemory();
		memory.remember(withThought(answer('a', 'b'), 'deep'));
		expect(memory.recall(answer('a', 'b'))).toEqual(withThought(answer('a', 'b'), 'deep'));
		expect(memory.recall(answer('a'))).toEqual(answer('a'));
	});

	test('are found by the text of an answer without calls', () => {
		const memory = new OriginMemory();
		memory.remember(withThought(answer(), 'deep'));
		expect(memory.recall(answer())).toEqual(withThought(answer(), 'deep'));
		expect(memory.recall(plainAnswer('Else.'))).toEqual(plainAnswer('Else.'));
		expect(memory.recall({ role: 'user', text: 'Looking.' })).toEqual({ role: 'user', text: 'Looking.' });
	});

	test('are bounded: those of the least recently used answer are evicted first', () => {
		const memory = new OriginMemory();
		const ids = Array.from({ length: 200 }, (_, i) => `call${i}`);
		for (const id of ids) memory.remember(withThought(answer(id)));
		memory.recall(answer('call0'));
		for (let times = 0; times < 5; times++) memory.remember(withThought(answer('new')));
		expect(['new', ...ids].filter((id) => !isKnown(memory, answer(id)))).toEqual(['call1']);
	});

	test('are not stored for an answer without origins', () => {
		const memory = new OriginMemory();
		memory.remember(answer('a'));
		const same = answer('a');
		expect(memory.recall(same)).toBe(same);
		expect(answerText(same.parts)).toBe('Looking.');
	});
});
