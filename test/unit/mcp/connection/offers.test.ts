import { describe, expect, test } from 'vitest';
import type { JsonRecord } from '../../../../src/common/json.ts';
import { noteLinks, ServerFeatures } from '../../../../src/mcp/connection/offers.ts';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';

const signal = new AbortController().signal;

/** What a server offers that gives these answers; `asked` lists the requests. */
function offeredBy(
	answer: (method: string, cursor: string | undefined) => JsonRecord,
	limits: Partial<typeof defaultLimits> = {},
) {
	const asked: string[] = [];
	const linkedUris = new Set<string>();
	const offered = new ServerFeatures(
		{ server: 'files', linkedUris, limits: { ...defaultLimits, ...limits } },
		{
			offers: { resources: true, prompts: true, completions: true },
			page: async (method, cursor) => {
				asked.push(method);
				return answer(method, cursor);
			},
			call: async (_label, method, _params, _options, read) => {
				asked.push(method);
				return read(answer(method, undefined));
			},
		},
	);
	return { offered, asked, linked: linkedUris };
}

describe('lists', () => {
	test('take the good entries of every page, and drop the others', async () => {
		const { offered } = offeredBy((method, cursor) => {
			if (method !== 'resources/list') return {};
			return cursor === undefined
				? { resources: [{ uri: 'a://1', name: 'one', size: 3 }, 7, { name: 'no address' }], nextCursor: 'x' }
				: { resources: [{ uri: 'a://2', title: 5 }, { uri: `a://${'x'.repeat(10_000)}` }] };
		});
		expect(await offered.resources(signal)).toEqual({
			resources: [
				{ uri: 'a://1', name: 'one', size: 3 },
				{ uri: 'a://2', name: 'a://2' },
			],
			templates: [],
		});
	});

	test('end with a cursor that comes again, and at their limit', async () => {
		const again = offeredBy(() => ({ prompts: [{ name: 'p' }], nextCursor: 'same' }));
		expect(await again.offered.prompts(signal)).toMatchObject({ cutShort: expect.stringContaining('twice') });
		const many = offeredBy(() => ({ prompts: Array.from({ length: 9 }, (_, i) => ({ name: `${i}` })) }), {
			offersPerServer: 5,
		});
		expect((await many.offered.prompts(signal)).prompts).toHaveLength(5);
	});

	test('of templates may be missing where a server has resources', async () => {
		const { offered } = offeredBy((method) => {
			if (method === 'resources/templates/list') throw new ServerError('files', 'request-refused', 'no such');
			return { resources: [{ uri: 'a://1', name: 'one' }] };
		});
		expect(await offered.resources(signal)).toMatchObject({ resources: [{ name: 'one' }], templates: [] });
	});
});

test('an address is read if the last list has it, a template fits it, or a new list has it; no other', async () => {
	const listed = [{ uri: 'a://1' }];
	const { offered, asked } = offeredBy((method) =>
		method === 'resources/list'
			? { resources: listed }
			: method === 'resources/templates/list'
				? { resourceTemplates: [{ uriTemplate: 'b://{id}' }] }
				: { contents: [] },
	);
	for (const uri of ['a://1', 'a://1', 'b://7']) await offered.readResource(uri, {});
	expect(asked.filter((method) => method === 'resources/list')).toHaveLength(1);
	await expect(offered.readResource('a://2', {})).rejects.toMatchObject({ reason: 'address-unknown' });
	listed.push({ uri: 'a://2' });
	expect(await offered.readResource('a://2', {})).toEqual([]);
});

const address = 'a://1';
const bytes = Buffer.from('bytes').toString('base64');

test.each<[what: string, result: JsonRecord, ...parts: object[]]>([
	[
		'texts and bytes',
		{
			contents: [
				{ uri: 'a://2', text: 'x' },
				{ uri: 'a://2', blob: 'AA==' },
			],
		},
		{ uri: 'a://2', text: 'x' },
		{ uri: 'a://2', blob: 'AA==' },
	],
	[
		'bytes beside an empty text',
		{ contents: [{ text: '', blob: bytes, mimeType: 'text/plain' }] },
		{ mimeType: 'text/plain', text: 'bytes' },
	],
	[
		'bytes as a data: URL',
		{ contents: [{ blob: 'data:image/png;base64,AA==', mimeType: 'image/png' }] },
		{ mimeType: 'image/png', blob: 'AA==' },
	],
	['an empty file', { contents: [{ mimeType: 'text/plain' }] }, { mimeType: 'text/plain', text: '' }],
	[
		'an error (dbernheisel/phantom_mcp#14)',
		{ contents: [{ code: -32002, message: 'Not found' }] },
		{ text: '{"code":-32002,"message":"Not found"}' },
	],
	[
		'the result of a tool (api-platform/core#8428)',
		{ content: [{ type: 'text', text: 'x' }] },
		{ text: 'x' },
	],
	[
		'data (modelcontextprotocol/python-sdk#279)',
		{ contents: [{ text: { id: 'foo' } }] },
		{ text: '{"id":"foo"}' },
	],
	['another object (GopherSecurity/gopher-mcp#206)', { contentCount: 1 }, { text: '{"contentCount":1}' }],
	['one part, and a text', { contents: 'x' }, { text: 'x' }],
	['nothing', { contents: [] }],
])('a resource is shown, whatever its parts are: %s', async (_what, result, ...parts) => {
	const { offered, linked } = offeredBy(() => result);
	linked.add(address);
	expect(await offered.readResource(address, {})).toEqual(parts.map((part) => ({ uri: address, ...part })));
});

test('a prompt is shown, whatever its messages are (zoedsoupe/anubis-mcp#230)', async () => {
	const said = async (result: JsonRecord) =>
		(await offeredBy(() => result).offered.getPrompt('p', {}, {})).messages;
	const words = { role: 'user', content: [{ type: 'text', text: 'Do it' }] };
	for (const message of [
		{ role: 'system', content: 'Do it' },
		{ role: 'user', content: words.content },
		{ text: 'Do it' },
		'Do it',
	]) {
		expect(await said({ messages: [message] })).toEqual([words]);
	}
	expect(await said({ messages: { role: 'assistant', content: 'Do it' } })).toEqual([
		{ ...words, role: 'assistant' },
	]);
	expect(await said({ content: words.content })).toEqual([words]);
});

test('arguments of a prompt may be written as a schema (GarthDB/rust-things3#119)', async () => {
	const schema = {
		type: 'object',
		properties: { task: { type: 'string', description: 'Which' }, due: {} },
		required: ['task'],
	};
	const { offered } = offeredBy(() => ({ prompts: [{ name: 'p', arguments: schema }] }));
	expect((await offered.prompts(signal)).prompts[0]?.arguments).toEqual([
		{ name: 'task', description: 'Which', required: true },
		{ name: 'due', required: false },
	]);
});

test('what is no completion is left out', async () => {
	const { offered } = offeredBy(() => ({ completion: { values: ['a', 7, 'b'] } }));
	const typed = { of: { template: 'a://{x}' }, argument: 'x', value: '', others: {} };
	expect(await offered.complete(typed, {})).toEqual(['a', 'b']);
});

test('links of results are kept, the latest of too many', () => {
	const linked = new Set<string>();
	const link = (uri: unknown) => ({ type: 'resource_link', uri });
	noteLinks(linked, { content: [link('a://1'), link(7), { type: 'text', uri: 'a://no' }, null] });
	noteLinks(linked, { content: [{ type: 'resource', resource: { uri: 'a://2', text: 'x' } }] });
	expect([...linked]).toEqual(['a://1', 'a://2']);
	noteLinks(linked, { content: Array.from({ length: 6_000 }, (_, i) => link(`b://${i}`)) });
	expect(linked.size).toBe(5_000);
	expect(linked.has('a://1')).toBe(false);
	expect(linked.has('b://5999')).toBe(true);
});
