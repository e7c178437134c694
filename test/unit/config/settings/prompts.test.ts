import { describe, expect, test } from 'vitest';
import { load, problemsOf } from '../fixtures.ts';

/** A file with these prompts, one per line: the first on line 2. */
function file(prompts: readonly unknown[]): string {
	return `{ "prompts": [\n${prompts.map((prompt) => JSON.stringify(prompt)).join(',\n')}] }`;
}

const promptsOf = (text: string) => load(text).config?.prompts;

describe('the prompts that @discovery offers', () => {
	test('are empty when the file has none', () => {
		expect(promptsOf('{}')).toEqual([]);
	});

	test('are those in the file, in the same order', () => {
		expect(promptsOf(file(['read it', 'and write it?']))).toEqual(['read it', 'and write it?']);
		expect(problemsOf(file(['read it', 'and write it?']))).toEqual([]);
	});

	test('are each on one line, without invisible characters', () => {
		expect(promptsOf(file(['  read\n\n the\tfile ', 'a\u202eb\u200bc\u001b[31md']))).toEqual([
			'read the file',
			'abcd',
		]);
	});

	test.each([
		['', 'must not be empty'],
		[' \u200b\n', 'must not be empty'],
		[5, 'expected a string, not a number; put it in quotes'],
		[null, 'expected a string, not null'],
		[['read it'], 'expected a string, not a list'],
		['x'.repeat(201), 'has 201 characters, at most 200 are shown'],
	])('leave out a malformed one, %j, with an error at its place', (faulty, fault) => {
		const text = file(['first', faulty, 'last']);
		expect(problemsOf(text)).toEqual([`error 3:1 prompts[1]: ${fault}`]);
		expect(promptsOf(text)).toEqual(['first', 'last']);
	});

	test('can have up to 200 characters', () => {
		const longest = 'x'.repeat(200);
		expect(promptsOf(file([longest]))).toEqual([longest]);
	});

	test('are at most the first three valid ones', () => {
		const text = file(['a', 5, 'b', 'c', 'd', 'e']);
		expect(promptsOf(text)).toEqual(['a', 'b', 'c']);
		expect(problemsOf(text)).toMatchSnapshot();
	});

	test('are empty when the setting is not a list, and other settings are used', () => {
		const text = '{ "prompts": "read it", "tool_discovery": { "enabled": true } }';
		expect(problemsOf(text)).toEqual([
			'error 1:14 prompts: expected a list of texts, such as ["what changed today?"]',
		]);
		expect(load(text).config).toMatchObject({ prompts: [], policy: { enabled: true } });
	});
});
