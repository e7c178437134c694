import { expect, test } from 'vitest';
import { toToolResult } from '../../src/mcp/callResult.ts';

/** A part of a result with bytes, and what becomes of it. `from`: where it was seen; the values are ours. */
interface Row {
	readonly what: string;
	readonly part: Readonly<Record<string, unknown>>;
	readonly becomes: Readonly<Record<string, unknown>>;
	readonly from: string;
}

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const resource = (uri: string, mimeType: string | undefined, blob: string) => ({
	type: 'resource',
	resource: { uri, ...(mimeType !== undefined && { mimeType }), blob },
});
const text = (words: string) => ({ type: 'text', text: words });
const pdf = 'JVBERi0xLjcK';
const png = 'iVBORw0KGgo=';
const image = { type: 'image', data: png, mimeType: 'image/png' };
const zip = base64(Buffer.from('504b030414000600', 'hex'));
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const rows: readonly Row[] = [
	{
		what: 'plain text',
		part: resource('file:///nonce', 'text/plain', base64('nonce-7\n')),
		becomes: text('nonce-7\n'),
		from: 'github/copilot-cli#4916',
	},
	{
		what: 'source code as plain text',
		part: resource('/Services/IService.cs', 'text/plain', base64('interface IService {}')),
		becomes: text('interface IService {}'),
		from: 'danny-avila/LibreChat#15601',
	},
	{
		what: 'a PDF',
		part: resource('file:///mypdf.pdf', 'application/pdf', pdf),
		becomes: { type: 'file', name: 'mypdf.pdf', data: pdf, mimeType: 'application/pdf' },
		from: 'modelcontextprotocol/csharp-sdk#1762',
	},
	{
		what: 'a PDF with an address that is no path',
		part: resource('correspondence:4f2c', 'application/pdf', pdf),
		becomes: { type: 'file', name: 'correspondence:4f2c', data: pdf, mimeType: 'application/pdf' },
		from: 'anthropics/claude-ai-mcp#287',
	},
	{
		what: 'a Word document with an encoded name',
		part: resource('file:///Cat%20story.docx', docx, zip),
		becomes: { type: 'file', name: 'Cat story.docx', data: zip, mimeType: docx },
		from: 'lmstudio-ai/lmstudio-bug-tracker#1915',
	},
	{
		what: 'an archive whose name wants to leave its folder',
		part: resource('file:///out/..%2F..%2Fevil.zip', 'application/zip', zip),
		becomes: { type: 'file', name: 'evil.zip', data: zip, mimeType: 'application/zip' },
		from: 'NousResearch/hermes-agent#64556',
	},
	{
		what: 'a part of the type `blob`',
		part: { type: 'blob', data: zip, mimeType: 'application/octet-stream' },
		becomes: { type: 'file', name: 'file', data: zip, mimeType: 'application/octet-stream' },
		from: 'modelcontextprotocol/servers#4044',
	},
	{
		what: 'a film',
		part: resource('videos://1', 'video/mp4', base64(Buffer.from('000000186674797069736f6d', 'hex'))),
		becomes: { type: 'file', name: '1', data: 'AAAAGGZ0eXBpc29t', mimeType: 'video/mp4' },
		from: 'modelcontextprotocol/ext-apps#391',
	},
	{
		what: 'a text file, embedded as text',
		part: {
			type: 'resource',
			resource: { uri: 'repo://o/r/README.md', mimeType: 'text/markdown', text: '# Hi' },
		},
		becomes: text('# Hi'),
		from: 'CopilotKit/OpenBot#597',
	},
	{
		what: 'an image in a resource',
		part: resource('screenshot://1', 'image/png', 'iVBORw0KGgo='),
		becomes: { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
		from: 'HKUDS/nanobot#4542',
	},
	{
		what: 'a table without a type',
		part: resource('file:///export', undefined, base64('id,name\n1,Ada\n')),
		becomes: text('id,name\n1,Ada\n'),
		from: 'aaif-goose/goose#2917',
	},
	{
		what: 'a text in another encoding',
		part: resource('file:///alt.csv', 'text/csv; charset=ISO-8859-1', base64(Buffer.from('Käse', 'latin1'))),
		becomes: text('Käse'),
		from: 'https://www.rfc-editor.org/rfc/rfc4180 (section 3)',
	},
	{
		what: 'a `data:` URL in place of Base64',
		part: resource(
			'file:///a.json',
			'application/json',
			`data:application/json;base64,${base64('{"total":42}')}`,
		),
		becomes: text('{"total":42}'),
		from: 'laurent22/joplin#16141',
	},
	{
		what: 'an image with a `data:` URL in place of Base64',
		part: { type: 'image', data: `data:image/png;base64,${png}`, mimeType: 'image/png' },
		becomes: image,
		from: 'nota/gyazo-mcp-server#129',
	},
	{
		what: 'an image in the Base64 of URLs',
		part: { type: 'image', data: '_-8=', mimeType: 'image/png' },
		becomes: { ...image, data: '/+8=' },
		from: 'modelcontextprotocol/inspector#435',
	},
	{
		what: 'an image as OpenAI writes it',
		part: { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
		becomes: image,
		from: 'NVIDIA-NeMo/DataDesigner#689',
	},
	{
		what: 'an image as Anthropic writes it',
		part: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
		becomes: image,
		from: 'openai/openai-agents-js#1071',
	},
	{
		what: 'an address as the data of an image',
		part: { type: 'image', data: 'https://cdn.example/a.png', mimeType: 'image/png' },
		becomes: text('[image without data] {"data":"https://cdn.example/a.png","mimeType":"image/png"}'),
		from: 'agentscope-ai/agentscope-java#3052',
	},
	{
		what: 'bytes that are no text, whatever their type says',
		part: resource('file:///a.txt', 'text/plain', base64(Buffer.from('fffe00d8', 'hex'))),
		becomes: { type: 'file', name: 'a.txt', data: '//4A2A==', mimeType: 'text/plain' },
		from: 'zeroclaw-labs/zeroclaw#9179',
	},
];

test.each(rows)('$what ($from)', ({ part, becomes }) => {
	expect(toToolResult({ content: [part] }).content).toEqual([becomes]);
});
