import { describe, expect, test } from 'vitest';
import { Thinker } from '../../../src/models/thinker.ts';
import { ThinkTags } from '../../../src/models/thinkTags.ts';

const thinker = new Thinker({ baseUrl: '' }, 'chat', 'm');

/** What comes of a text that arrives in pieces of so many characters: what was thought, what was said, and what is sent back before it. */
function told(text: string, size: number) {
	const tags = new ThinkTags(thinker);
	const pieces = (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).flatMap((piece) => tags.add(piece));
	const all = [...pieces, ...tags.end()];
	const of = (type: 'text' | 'thinking') =>
		all.map((piece) => (piece.type === type ? piece.text : '')).join('');
	const raw = all.map((piece) => thinker.dataOf<{ readonly raw: string }>(piece)?.raw ?? '').join('');
	return { thought: of('thinking'), said: of('text'), raw };
}

describe('thoughts in a text', () => {
	test.each<[string, string, string]>([
		['<think>Hm.</think>Yes.', 'Hm.', 'Yes.'],
		['\n<think>\nHm.\n</think>\n\nYes.', '\nHm.\n', 'Yes.'],
		['<thinking>a < b</thinking> Yes.', 'a < b', 'Yes.'],
		['<thought>Hm.</thought>Yes. </thought>', 'Hm.', 'Yes. </thought>'],
		['<think>Hm.', 'Hm.', ''],
		['<think>Hm.</thi', 'Hm.</thi', ''],
		['<think></think>\n\n', '', ''],
		['Yes, <think>no</think>.', '', 'Yes, <think>no</think>.'],
		['<thin air>', '', '<thin air>'],
		['<th', '', '<th'],
		[' \n Yes.', '', ' \n Yes.'],
		['', '', ''],
	])('%j is split into thought and answer, whatever pieces it comes in', (text, thought, said) => {
		for (const size of [1, 2, 3, 5, 8, 100]) {
			expect(told(text, size)).toMatchObject({ thought, said });
		}
	});

	test('are kept as the model wrote them, up to the answer', () => {
		for (const size of [1, 3, 100]) {
			expect(told('<think>\nHm.\n</think>\n\nYes.', size).raw).toBe('<think>\nHm.\n</think>\n\n');
			expect(told('<think>Hm.', size).raw).toBe('<think>Hm.');
			expect(told('Yes.', size).raw).toBe('');
		}
	});
});

test('many blanks before an answer are scanned in linear time', () => {
	const tags = new ThinkTags(thinker);
	let looked = 0;
	const { trimStart } = String.prototype;
	String.prototype.trimStart = function () {
		looked += this.length;
		return trimStart.call(this);
	};
	try {
		for (let n = 0; n < 5_000; n++) tags.add(' ');
	} finally {
		String.prototype.trimStart = trimStart;
	}
	expect(looked).toBeLessThan(50_000);
	expect(tags.add('<think>Hm.</think>Yes.')).toEqual([
		{ type: 'thinking', text: 'Hm.' },
		{ type: 'thinking', text: '', origin: thinker.origin({ raw: `${' '.repeat(5_000)}<think>Hm.</think>` }) },
		{ type: 'text', text: 'Yes.' },
	]);
});
