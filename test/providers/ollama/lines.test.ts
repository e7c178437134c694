import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../src/models/ollama/lines.ts';

const overlong = (): never => {
	throw new RangeError('overlong');
};

/** The lines of a text that arrives in pieces of so many bytes. */
function linesOfText(text: string, bytes: number, maxCharacters = 1_000): Promise<string[]> {
	const whole = new TextEncoder().encode(text);
	const pieces = Array.from({ length: Math.ceil(whole.length / bytes) }, (_, index) =>
		whole.subarray(index * bytes, (index + 1) * bytes),
	);
	return Array.fromAsync(linesOf(pieces, maxCharacters, overlong));
}

describe('The lines of a body', () => {
	test.each([1, 2, 3, 7, 100])('are the same in pieces of %i bytes', async (bytes) => {
		const text = '{"a":"häß"}\r\n\n  \n{"b":"🌧️"}\n{"c":1}';
		expect(await linesOfText(text, bytes)).toEqual(['{"a":"häß"}', '{"b":"🌧️"}', '{"c":1}']);
	});

	test('A body of nothing has none', async () => {
		expect(await linesOfText('', 1)).toEqual([]);
	});

	test('A line without an end is not gathered for ever', async () => {
		await expect(linesOfText('x'.repeat(101), 10, 100)).rejects.toThrow('overlong');
		expect(await linesOfText(`${'x'.repeat(100)}\n`.repeat(3), 10, 100)).toHaveLength(3);
	});
});
