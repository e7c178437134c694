import { describe, expect, test } from 'vitest';
import { toToolResult } from '../../../src/mcp/callResult.ts';

/** Results that are not what the protocol describes, as JSON. */
const oddResults: readonly (readonly [what: string, result: string])[] = [
	['an object that is no result', '{"hello":"world"}'],
	[
		'content of the wrong types',
		'{"content":[null,7,{"type":"image"},{"type":"text","text":9},{"type":"resource","resource":null},{"type":{}}],"isError":"yes"}',
	],
	['content that is one part', '{"content":{"type":"text","text":"alone"}}'],
	['content that is a text', '{"content":"alone"}'],
	['content in a list in a list', '{"content":[[{"type":"text","text":"inner"}]]}'],
	['content of types that nobody knows', '{"content":[{"type":"video","data":"AAAA"},{"type":""},{}]}'],
	['a picture that is none', '{"content":[{"type":"image","mimeType":"text/html","data":"<script>"}]}'],
	['a sound of no type', '{"content":[{"type":"audio","mimeType":7,"data":[]}]}'],
	['a link to nowhere', '{"content":[{"type":"resource_link","uri":"","name":null}]}'],
	[
		'a resource with both a text and bytes',
		'{"content":[{"type":"resource","resource":{"uri":"a:b","text":"t","blob":"%%"}}]}',
	],
	['half of a character', '{"content":[{"type":"text","text":"\\ud83d"}]}'],
	['no content and an error that is a number', '{"isError":1}'],
	['structured content that is a list', '{"content":[],"structuredContent":[1,2]}'],
	[
		'structured content that means to change every object',
		'{"content":[],"structuredContent":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
	],
	['metadata that means to change every object', '{"content":[],"_meta":{"__proto__":{"polluted":true}}}'],
];

describe('a tool result of MCP becomes ours', () => {
	test.each([
		['text', { type: 'text', text: 'hi' }, { type: 'text', text: 'hi' }],
		[
			'an image',
			{ type: 'image', data: 'AAAA', mimeType: 'image/png', annotations: {} },
			{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
		],
		[
			'audio',
			{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
			{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
		],
		[
			'an embedded text',
			{ type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
			{ type: 'text', text: 'inside' },
		],
		[
			'an embedded image',
			{ type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA', mimeType: 'image/png' } },
			{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
		],
		[
			'other embedded bytes',
			{ type: 'resource', resource: { uri: 'file:///a.zip', blob: 'AAAA', mimeType: 'application/zip' } },
			{ type: 'file', name: 'a.zip', data: 'AAAA', mimeType: 'application/zip' },
		],
		[
			'a link',
			{ type: 'resource_link', uri: 'file:///a', name: 'a', description: 'the first' },
			{ type: 'text', text: '[link to resource file:///a] a: the first' },
		],
		['what is unknown', { type: 'hologram' }, { type: 'text', text: '[content of unknown type "hologram"]' }],
		['what is no content', 17, { type: 'text', text: '17' }],
		['an image without data', { type: 'image' }, { type: 'text', text: '[image without data]' }],
	])('%s', (_, part, expected) => {
		expect(toToolResult({ content: [part] })).toEqual({ content: [expected], isError: false });
	});

	test('structured content is shown where there is no text, and only there', () => {
		const structuredContent = { temperature: 21 };
		expect(toToolResult({ content: [], structuredContent }).content).toEqual([
			{ type: 'text', text: '{"temperature":21}' },
		]);
		const withText = { content: [{ type: 'text', text: '21 degrees' }], structuredContent };
		expect(toToolResult(withText).content).toEqual([{ type: 'text', text: '21 degrees' }]);
	});

	test('an error stays one', () => {
		expect(toToolResult({ content: [{ type: 'text', text: 'no' }], isError: true }).isError).toBe(true);
	});

	test.each(oddResults)('%s gives a result with content', (_, json) => {
		const { content } = toToolResult(JSON.parse(json));
		for (const part of content) expect(['text', 'image', 'audio', 'file']).toContain(part.type);
		expect({}).not.toHaveProperty('polluted');
	});

	test.each([null, 'text', [], 3])('%j is an error result', (raw) => {
		expect(toToolResult(raw).isError).toBe(true);
	});
});
