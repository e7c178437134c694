import { expect, test } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { toToolResult } from '../../src/mcp/callResult.ts';

/** The result of a call as a server sent it, and what the model sees of it. `from`: where it was seen; the values are ours. */
interface Row {
	readonly what: string;
	readonly sent: unknown;
	readonly seen: string;
	readonly isError?: true;
	readonly from: string;
}

const text = (words: string) => ({ type: 'text', text: words });

const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

const rows: readonly Row[] = [
	{
		what: 'the object of a REST service',
		sent: { task: 'fix it', bullets: [{ id: 'b-1', score: 5.95 }] },
		seen: '{"task":"fix it","bullets":[{"id":"b-1","score":5.95}]}',
		from: 'Dicklesworthstone/cass_memory_system#23',
	},
	{
		what: 'an object that says how it went',
		sent: { success: true, configs: [{ host: 'mail.example' }] },
		seen: '{"success":true,"configs":[{"host":"mail.example"}]}',
		from: 'samihalawa/mcp-server-smtp#4',
	},
	{
		what: 'structured content that is a list',
		sent: { content: [], structuredContent: [{ id: 1 }, { id: 2 }] },
		seen: '[{"id":1},{"id":2}]',
		from: 'naw103/foremerge#28',
	},
	{
		what: 'a list in a member of its own',
		sent: { result: ['first', 'second'] },
		seen: '{"result":["first","second"]}',
		from: 'samihalawa/mcp-server-smtp#8',
	},
	{
		what: 'a result within `toolResult`',
		sent: { toolResult: { content: [text('two zones')] } },
		seen: 'two zones',
		from: 'cloudflare/mcp-server-cloudflare#12',
	},
	{
		what: 'content that is a text',
		sent: { content: 'Hello, World!', isError: false },
		seen: 'Hello, World!',
		from: 'GopherSecurity/gopher-mcp#202',
	},
	{
		what: 'content that is an object of the tool',
		sent: { content: { health: 100, cell: 'Whiterun' } },
		seen: '{"health":100,"cell":"Whiterun"}',
		from: 'alandtse/devbench#6',
	},
	{
		what: 'only an error, as a text',
		sent: { error: 'No renderer found', isError: true },
		seen: '{"error":"No renderer found"}',
		isError: true,
		from: 'ebongard/renfield#254',
	},
	{
		what: 'structured content beside an empty list',
		sent: { content: [], structuredContent: { accounts: [{ id: 4 }], total: 36 } },
		seen: '{"accounts":[{"id":4}],"total":36}',
		from: 'ggml-org/llama.cpp#26410',
	},
	{
		what: 'structured content beside an empty text',
		sent: { content: [text('')], structuredContent: { result: [] } },
		seen: '\n{"result":[]}',
		from: 'modelcontextprotocol/python-sdk#3305',
	},
	{
		what: 'structured content alone',
		sent: { structuredContent: { answer: 42 }, isError: false },
		seen: '{"answer":42}',
		from: 'knowsuchagency/mcp2cli#87',
	},
	{
		what: 'structured content that is a list',
		sent: { content: [], structuredContent: [{ id: '1' }, { id: '2' }] },
		seen: '[{"id":"1"},{"id":"2"}]',
		from: 'NovasPlace/CSM#28',
	},
	{
		what: 'an error in structured content',
		sent: { content: [], isError: true, structuredContent: { code: 'E_TOOL', message: 'no such row' } },
		seen: '{"code":"E_TOOL","message":"no such row"}',
		isError: true,
		from: 'tsedio/tsed#3244',
	},
	{
		what: 'a summary beside structured content with the evidence',
		sent: {
			content: [text('Scraped 1 URLs. Top evidence chunks are in structured content.')],
			structuredContent: { chunks: ['The tower has 1,665 steps.'] },
		},
		seen: 'Scraped 1 URLs. Top evidence chunks are in structured content.\n{"chunks":["The tower has 1,665 steps."]}',
		from: 'usememos/memos#6226',
	},
	{
		what: 'a summary beside facts that it does not say',
		sent: {
			content: [text('get_account_context completed in 13 ms.')],
			structuredContent: { isActive: false },
		},
		seen: 'get_account_context completed in 13 ms.\n{"isActive":false}',
		from: 'MoonshotAI/kimi-code#2554',
	},
	{
		what: 'a summary whose numbers only contain those of the structured content',
		sent: { content: [text('list_projects took 13.6 ms.')], structuredContent: { total: 3, open: 6 } },
		seen: 'list_projects took 13.6 ms.\n{"total":3,"open":6}',
		from: 'MoonshotAI/kimi-code#2554',
	},
	{
		what: 'structured content that a text repeats as JSON',
		sent: {
			content: [text('{"temperature": -21.5, "sky": "clear", "hours": [1,2], "isSure": true}')],
			structuredContent: { temperature: -21.5, sky: 'clear', hours: [1, 2], isSure: true },
		},
		seen: '{"temperature": -21.5, "sky": "clear", "hours": [1,2], "isSure": true}',
		from: 'https://modelcontextprotocol.io/specification/2025-06-18/server/tools',
	},
	{
		what: 'a text that the server wraps for structured content',
		sent: { content: [text('line "one"\nline two')], structuredContent: { result: 'line "one"\nline two' } },
		seen: 'line "one"\nline two',
		from: 'PrefectHQ/fastmcp#2677',
	},
	{
		what: 'an image that structured content repeats with all parts',
		sent: {
			content: [text('one object'), picture],
			structuredContent: { result: [text('one object'), { ...picture, annotations: null, _meta: null }] },
		},
		seen: 'one object\n[image image/png]',
		from: 'neka-nat/freecad-mcp#102',
	},
	{
		what: 'an image alone that structured content repeats',
		sent: { content: [picture], structuredContent: { result: picture } },
		seen: '[image image/png]',
		from: 'anthropics/claude-code#70280',
	},
	{
		what: 'the bytes of an image beside facts',
		sent: {
			content: [text('Image file: a.png'), picture],
			structuredContent: { fileName: 'a.png', size: 8, imageData: `data:image/png;base64,${picture.data}` },
		},
		seen: 'Image file: a.png\n[image image/png]\n{"fileName":"a.png","size":8,"imageData":"[image image/png]"}',
		from: 'wonderwhy-er/DesktopCommanderMCP#522',
	},
	{
		what: 'an image beside a fact',
		sent: { content: [picture], structuredContent: { ok: 'yes' } },
		seen: '[image image/png]\n{"ok":"yes"}',
		from: 'anomalyco/opencode#32832',
	},
	{
		what: 'a text that is a number',
		sent: { content: [{ type: 'text', text: 42 }] },
		seen: '42',
		from: 'OpenLiberty/open-liberty#32610',
	},
	{
		what: 'a list of texts',
		sent: { content: ['first', 'second'] },
		seen: 'first\nsecond',
		from: 'QuantGeekDev/mcp-framework#135',
	},
	{
		what: 'an image by its address',
		sent: { content: [{ type: 'image', uri: 'https://cdn.example/chart.png' }] },
		seen: '[image without data] {"uri":"https://cdn.example/chart.png"}',
		from: 'modelcontextprotocol/modelcontextprotocol#793',
	},
	{
		what: 'nothing, because there is nothing',
		sent: { content: [] },
		seen: '',
		from: 'modelcontextprotocol/rust-sdk#681',
	},
];

test.each(rows)('$what ($from)', ({ sent, seen, isError = false }) => {
	const result = toToolResult(sent);
	expect({ text: resultText(result), isError: result.isError }).toEqual({ text: seen, isError });
});
