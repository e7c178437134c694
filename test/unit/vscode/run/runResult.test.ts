import { describe, expect, test } from 'vitest';
import { byteLength, runResult, sizeText } from '../../../../src/vscode/run/result.ts';

const data = Buffer.from('hello').toString('base64');

describe('what a server answers is read for people', () => {
	test('each kind of content with all that is said of it', () => {
		const content = [
			{ type: 'text', text: 'hi' },
			{ type: 'image', data, mimeType: 'image/png' },
			{ type: 'audio', data, mimeType: 'audio/wav' },
			{ type: 'resource', resource: { uri: 'demo://a', mimeType: 'text/plain', text: 'inside' } },
			{ type: 'resource', resource: { uri: 'demo://b', blob: data } },
			{ type: 'resource_link', uri: 'demo://c', name: 'c', mimeType: 'text/csv', size: 2048 },
		];
		expect(runResult({ content, isError: true })).toEqual({
			isError: true,
			parts: [
				{ kind: 'text', text: 'hi' },
				{ kind: 'file', what: 'image', data, mimeType: 'image/png', uri: '' },
				{ kind: 'file', what: 'audio', data, mimeType: 'audio/wav', uri: '' },
				{ kind: 'document', text: 'inside', uri: 'demo://a', mimeType: 'text/plain' },
				{ kind: 'file', what: 'resource', data, mimeType: '', uri: 'demo://b' },
				{ kind: 'link', uri: 'demo://c', about: ['c', 'text/csv', '2.0 KB'] },
			],
		});
	});

	test('structured content once, where a text repeats it', () => {
		const structuredContent = { a: [1] };
		const repeated = { content: [{ type: 'text', text: '{ "a": [1] }' }], structuredContent };
		expect(runResult(repeated)).not.toHaveProperty('structured');
		const wrapped = {
			content: [{ type: 'text', text: 'two\nlines' }],
			structuredContent: { content: 'two\nlines' },
		};
		expect(runResult(wrapped)).not.toHaveProperty('structured');
		const list = { content: [{ type: 'text', text: '[1]' }], structuredContent: { items: [1] } };
		expect(runResult(list)).not.toHaveProperty('structured');
		const more = { ...wrapped, structuredContent: { content: 'two\nlines', bytes: 9 } };
		expect(runResult(more)).toHaveProperty('structured');
		expect(runResult({ content: [], structuredContent })).toHaveProperty('structured', structuredContent);
	});

	test.each([
		undefined,
		null,
		'text',
		[],
		{ content: 7 },
		{ content: [null, 7, { type: 'image' }, { type: 'x' }] },
	])('without an exception, whatever it is: %j', (raw) => {
		const { parts } = runResult(raw);
		expect(parts.every(({ kind }) => kind === 'unknown')).toBe(true);
	});
});

test('the size of a file is that of what it holds', () => {
	for (const text of ['', 'a', 'ab', 'abc', 'abcd']) {
		const file = { kind: 'file', what: 'image', mimeType: '', uri: '' } as const;
		expect(byteLength({ ...file, data: Buffer.from(text).toString('base64') })).toBe(text.length);
	}
	expect([1, 512, 1536, 3 * 1024 * 1024].map(sizeText)).toEqual(['1 byte', '512 bytes', '1.5 KB', '3.0 MB']);
});
