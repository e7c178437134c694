import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../../src/discovery/catalog/tool.ts';
import { fileName, resultDocument, sizeText } from '../../../../src/vscode/run/result.ts';
import { fileBaseName } from '../../../../src/vscode/ui/labelText.ts';

const data = Buffer.from('hello').toString('base64');

test('a size is shown in bytes, KB or MB', () => {
	expect([1, 512, 1536, 3 * 1024 * 1024].map(sizeText)).toEqual(['1 byte', '512 bytes', '1.5 KB', '3.0 MB']);
});

function documentOf(result: Partial<ToolResult>, args = {}) {
	const whole = { content: [], isError: false, ...result };
	return resultDocument({ tool: 'files:read', args, ms: 12, result: whole });
}

const text = (of: string) => ({ type: 'text', text: of }) as const;

describe('the document that shows a result', () => {
	test('is JSON if the result is only JSON', () => {
		expect(documentOf({ content: [text('{"a":1}')] })).toEqual({
			language: 'json',
			text: '{\n  "a": 1\n}\n',
		});
	});

	test('shows the tool, its arguments, and each part', () => {
		const { language, text: shown } = documentOf(
			{ content: [text('two\nlines'), { type: 'image', data, mimeType: 'image/png' }] },
			{ path: 'a' },
		);
		expect(language).toBe('markdown');
		expect(shown).toBe(
			[
				'# files\\:read',
				'Done in 12 ms.',
				'## Arguments',
				'```json\n{\n  "path": "a"\n}\n```',
				'## Result',
				'```text\ntwo\nlines\n```',
				'### File 1: image, `image/png`, 5 bytes\n',
			].join('\n\n'),
		);
	});

	test('names a file as its server does, in a code block', () => {
		const file = {
			type: 'file',
			name: 'report [x](command:y).pdf',
			mimeType: 'application/pdf',
			data,
		} as const;
		expect(documentOf({ content: [file] }).text).toContain(
			'### File 1: `report [x](command:y).pdf`, `application/pdf`, 5 bytes',
		);
	});

	test('says that the tool reported an error, even if the result is JSON', () => {
		const { language, text: shown } = documentOf({ content: [text('{"code":1}')], isError: true });
		expect(language).toBe('markdown');
		expect(shown).toContain('**The tool reported an error** after 12 ms.');
	});

	test('says that a result is empty', () => {
		expect(documentOf({ content: [] }).text).toContain('The result is empty.');
	});

	test('is not JSON if VS Code would fetch a URL in it', () => {
		const { language } = documentOf({ content: [text('{"$schema":"https://a.example/s"}')] });
		expect(language).toBe('markdown');
	});

	test("keeps servers' text in code blocks", () => {
		const hostile = 'It says:\n```\n[run](command:x) ![p](https://a.example/p.png) <img src=x>';
		const { text: shown } = documentOf({ content: [text(hostile)] });
		expect(shown).toContain(`\`\`\`\`text\n${hostile}\n\`\`\`\``);
	});
});

describe('the name of a file in a result', () => {
	test("combines the tool's name and the file type, and cannot point to another folder", () => {
		expect(fileName('tiny', 1, { mimeType: 'image/png' })).toBe('tiny-1.png');
		expect(fileName('export', 1, { mimeType: 'application/pdf' })).toBe('export-1.pdf');
		expect(fileName('../../etc/passwd', 2, { mimeType: 'x/../y' })).toBe('etc-passwd-2.bin');
		expect(fileName('a', 3, { mimeType: 'constructor' })).toBe('a-3.bin');
		expect(fileBaseName('…')).toBe('result');
	});
});
