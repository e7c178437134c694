import { expect, test } from 'vitest';
import { Letters, TextTable } from '../../../../../src/discovery/search/words/textTable.ts';

const texts = [
	'',
	'a',
	'ab',
	'ba',
	'é',
	'发送',
	'x'.repeat(5000),
	...Array.from({ length: 3000 }, (_, i) => `word${i}`),
];

test('each text keeps its number, and each number gives back its text', () => {
	const table = new TextTable();
	const letters = new Letters();
	const numbers = texts.map((text) => table.add(letters.take(text)));
	expect(numbers).toEqual([...texts.keys()]);
	expect(texts.map((text) => table.add(letters.take(text)))).toEqual(numbers);
	expect(texts.map((text) => table.find(letters.take(text)))).toEqual(numbers);
	expect(numbers.map((number) => table.text(number))).toEqual(texts);
	expect(table.find(letters.take('nowhere'))).toBe(-1);
	expect(table.size).toBe(texts.length);
});

test('two joined texts are found as the equal single text', () => {
	const [words, terms] = [new TextTable(), new TextTable()];
	const letters = new Letters();
	const file = words.add(letters.take('file'));
	const system = terms.add(letters.take('system'));
	const both = terms.add(letters.take('filesystem'));
	expect(terms.add(letters.join(words, file, terms, system))).toBe(both);
});
