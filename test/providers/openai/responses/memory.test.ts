import { describe, expect, it } from 'vitest';
import { AnswerMemory, type AnswerPart } from '../../../../src/models/openai/responses/memory.ts';

function answerTo(...ids: readonly string[]): AnswerPart[] {
	return [
		{
			type: 'reasoning',
			item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x'.repeat(100) },
		},
		{ type: 'text', text: 'Looking.' },
		...ids.map((id) => ({ type: 'call' as const, id })),
	];
}

describe('what is kept of a model’s answers', () => {
	it('is found by the calls that the answer made', () => {
		const memory = new AnswerMemory();
		memory.remember(answerTo('a', 'b'));
		expect(memory.recall('Looking.', ['a', 'b'])).toEqual(answerTo('a', 'b'));
	});

	it('is not found where the message is another than the one that was answered', () => {
		const memory = new AnswerMemory();
		memory.remember(answerTo('a', 'b'));
		expect(memory.recall('Looking.', ['a'])).toBeUndefined();
		expect(memory.recall('Something else.', ['a', 'b'])).toBeUndefined();
	});

	it('is nothing of an answer without calls', () => {
		const memory = new AnswerMemory();
		memory.remember(answerTo());
		expect(memory.recall('Looking.', [])).toBeUndefined();
	});

	it('is bounded: what was not used for longest goes first', () => {
		const memory = new AnswerMemory(3 * JSON.stringify(answerTo('a')).length);
		for (const id of ['a', 'b', 'c']) memory.remember(answerTo(id));
		memory.recall('Looking.', ['a']);
		memory.remember(answerTo('d'));
		const kept = ['a', 'b', 'c', 'd'].filter((id) => memory.recall('Looking.', [id]));
		expect(kept).toEqual(['a', 'c', 'd']);
	});

	it('takes no more room for an answer that is remembered again', () => {
		const memory = new AnswerMemory(2 * JSON.stringify(answerTo('a')).length);
		memory.remember(answerTo('a'));
		for (let times = 0; times < 5; times++) memory.remember(answerTo('b'));
		expect(memory.recall('Looking.', ['a'])).toBeDefined();
	});
});
