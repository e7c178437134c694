import { describe, expect, test } from 'vitest';
import { sentAgain } from '../../../../src/vscode/participant/sendAgain.ts';

const uri = { scheme: 'file', path: '/work/a.md' };
const range = { start: { line: 0, character: 4 }, end: { line: 2, character: 0 } };

/** What is sent again of a message with these attachments: their values by id. */
function again(attached: Readonly<Record<string, unknown>>) {
	const references = Object.entries(attached).map(([id, value]) => ({ id, value }));
	return sentAgain({ prompt: '@discovery open up', references } as Parameters<typeof sentAgain>[0]);
}

describe('a message that is sent again', () => {
	test('goes to us once, and leaves what is being typed', () => {
		expect(again({})).toEqual({ query: '@discovery open up', attachFiles: [], preserveInput: true });
	});

	test('has its files and selections, in lines as the editor counts them', () => {
		expect(again({ 'vscode.file': uri, part: { uri, range } })?.attachFiles).toEqual([
			uri,
			{ uri, range: { startLineNumber: 1, startColumn: 5, endLineNumber: 3, endColumn: 1 } },
		]);
	});

	test('leaves to the editor what the editor attaches by itself', () => {
		const references = { 'vscode.implicit.file': uri, 'vscode.instructions.file': uri };
		expect(again(references)?.attachFiles).toEqual([]);
	});

	test('is not offered where a pasted text would be missing', () => {
		expect(again({ pasted: 'some words' })).toBeUndefined();
	});
});
