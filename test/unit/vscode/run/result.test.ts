import { describe, expect, test } from 'vitest';
import {
	byteLength,
	fileName,
	resultDocument,
	runResult,
	sizeText,
} from '../../../../src/vscode/run/result.ts';
import { fileBaseName } from '../../../../src/vscode/ui/labelText.ts';

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

function documentOf(raw: unknown, args = {}) {
	return resultDocument({ tool: 'files:read', args, ms: 12, result: runResult(raw) });
}

const text = (of: string) => ({ type: 'text', text: of });

describe('the document of a result', () => {
	test('is JSON where the result is nothing else', () => {
		expect(documentOf({ content: [text('{"a":1}')] })).toEqual({
			language: 'json',
			text: '{\n  "a": 1\n}\n',
		});
		expect(documentOf({ content: [], structuredContent: [1] })).toEqual({
			language: 'json',
			text: '[\n  1\n]\n',
		});
	});

	test('tells the tool, its arguments, and each part', () => {
		const { language, text: shown } = documentOf(
			{ content: [text('two\nlines'), { type: 'image', data, mimeType: 'image/png' }] },
			{ path: 'a' },
		);
		expect(language).toBe('markdown');
		expect(shown).toBe(
			[
				'# `files:read`',
				'Done in 12 ms.',
				'## Arguments',
				'```json\n{\n  "path": "a"\n}\n```',
				'## Result',
				'```text\ntwo\nlines\n```',
				'### File 1: image, `image/png`, 5 bytes\n',
			].join('\n\n'),
		);
	});

	test('says clearly that the tool reports an error, even as JSON', () => {
		const { language, text: shown } = documentOf({ content: [text('{"code":1}')], isError: true });
		expect(language).toBe('markdown');
		expect(shown).toContain('**The tool reported an error** after 12 ms.');
	});

	test('says that there is nothing', () => {
		expect(documentOf({ content: [] }).text).toContain('The result is empty.');
	});

	test('is no JSON document where the editor would fetch an address from it', () => {
		const { language } = documentOf({ content: [text('{"$schema":"https://a.example/s"}')] });
		expect(language).toBe('markdown');
	});

	test('has other people’s text in blocks of code only, whatever it holds', () => {
		const hostile = 'It says:\n```\n[run](command:x) ![p](https://a.example/p.png) <img src=x>';
		const { text: shown } = documentOf({ content: [text(hostile)] });
		expect(shown).toContain(`\`\`\`\`text\n${hostile}\n\`\`\`\``);
		const link = documentOf({ content: [{ type: 'resource_link', uri: '`](command:x)', name: '[a](b)' }] });
		expect(link.text).toContain('Link: ``  `](command:x) ``'.replace('  ', ' '));
		expect(link.text).toContain('\\[a\\]\\(b\\)');
	});
});

describe('the name of a file', () => {
	test('is made of the tool’s and of its type, and leads nowhere else', () => {
		const file = { kind: 'file', what: 'image', data, uri: '../../x' } as const;
		expect(fileName('tiny', 1, { ...file, mimeType: 'image/png' })).toBe('tiny-1.png');
		expect(fileName('../../etc/passwd', 2, { ...file, mimeType: 'x/../y' })).toBe('etc-passwd-2.bin');
		expect(fileName('a', 3, { ...file, mimeType: 'constructor' })).toBe('a-3.bin');
		expect(fileBaseName('…')).toBe('result');
	});
});
