import { describe, expect, test } from 'vitest';
import { certainty } from '../../../../../src/discovery/search/certainty.ts';
import { ToolIndex } from '../../../../../src/discovery/search/toolIndex.ts';
import { tool } from '../../fixtures.ts';

const read = (name: string, description: string) => tool('files', name, description);
const whole = 'Read the complete contents of a file as text.';

function hitsFor(query: string, ...tools: ReturnType<typeof read>[]) {
	const others = ['rose', 'fern', 'oak'].map((plant) =>
		tool('garden', `water_${plant}`, `Water the ${plant}`),
	);
	return new ToolIndex([...tools, ...others]).search(query);
}

describe('given a tool that calls itself deprecated', () => {
	test.each([
		'DEPRECATED: Use read_text_file instead.',
		'[DEPRECATED] Use `read_text_file` instead',
		'This tool is deprecated and will be removed. Please use the read_text_file tool.',
		'(deprecated, use read_text_file)',
		'**Deprecated** in favor of `read_text_file`.',
	])('then it ranks right behind the tool that it names and is not sure: %s', (note) => {
		for (const description of [`${whole} ${note}`, `${note}\n\n${whole}`]) {
			const hits = hitsFor(
				'read a file',
				read('read_file', description),
				read('read_text_file', 'Read text from the file system with a choice of encodings.'),
			);
			expect(hits.slice(0, 2).map((hit) => hit.tool.name)).toEqual(['read_text_file', 'read_file']);
			expect(hits[1]?.confidence).toBeLessThan(certainty);
		}
	});

	test('then it makes the tool that it names no less sure', () => {
		const [best] = hitsFor(
			'read a text file',
			read('read_file', `${whole} DEPRECATED: Use read_text_file instead.`),
			read('read_text_file', whole),
		);
		expect(best?.tool.name).toBe('read_text_file');
		expect(best?.confidence).toBeGreaterThanOrEqual(certainty);
	});

	test('when the tool that it names is not searched, then it is found but not sure', () => {
		const [best] = hitsFor('read file', read('read_file', 'Read a file. DEPRECATED: Use read_text_file.'));
		expect(best?.tool.name).toBe('read_file');
		expect(best?.confidence).toBeLessThan(certainty);
	});

	test('when the query is its name, then it comes first', () => {
		const tools = [
			read('read_file', `${whole} DEPRECATED: Use read_text_file instead.`),
			read('read_text_file', whole),
		];
		expect(hitsFor('read_file', ...tools)[0]?.tool.name).toBe('read_file');
	});
});

test.each([
	'Read a file. Binary files are deprecated; use read_text_file for those.',
	'Read a file, and check if packages in it are deprecated. Use read_text_file for text.',
	'Read a file. NOTE: This server is deprecated. Use read_text_file of another one.',
	'Read a file. Deprecated encodings are converted. Use read_text_file to see them.',
	'Read a file. Deprecated.',
])('a tool that says it of something else, or names no tool, is not deprecated: %s', (description) => {
	const hits = hitsFor('read file', read('read_file', description), read('read_text_file', 'Decode bytes.'));
	expect(hits[0]?.tool.name).toBe('read_file');
});
