import { expect, test } from 'vitest';
import { Redactor } from '../../src/common/secrets/redactor.ts';
import { readRefusal, remoteError, requestError } from '../../src/mcp/connection/requestError.ts';

/** What a server says about a failure, and what the model and the user read. `from`: where it was seen; the values are ours. */
interface Row {
	readonly what: string;
	readonly sent:
		| { readonly error: object }
		| { readonly status: number; readonly type?: string; readonly body: string };
	readonly read: string;
	readonly from: string;
}

const refused = 'Server "s" refused: ';
const http = (status: number, then: string) =>
	`Server "s" at https://h.example/mcp answered with HTTP ${status}${then}`;
const tryAgain = '. Try again, or ask whoever runs it. The server says: ';

const rows: readonly Row[] = [
	{
		what: 'a text as data',
		sent: { error: { code: -32603, message: 'Internal error', data: 'User(#4) expected, got #<Identity>' } },
		read: `${refused}Internal error: User(#4) expected, got #`,
		from: 'anthropics/claude-code#85833',
	},
	{
		what: 'members as data',
		sent: {
			error: {
				code: -32602,
				message: 'Path not found: nonexistent_path.py',
				data: { path: 'nonexistent_path.py' },
			},
		},
		read: `${refused}Path not found: nonexistent_path.py: {"path":"nonexistent_path.py"}`,
		from: 'Ataraxy-Labs/sem#182',
	},
	{
		what: 'when to come again, as data',
		sent: { error: { code: -32001, message: 'Rate limited', data: { retryAfter: 5 } } },
		read: `${refused}Rate limited: {"retryAfter":5}`,
		from: 'langchain4j/langchain4j#6277',
	},
	{
		what: 'a reason as data',
		sent: {
			error: {
				code: -32602,
				message: 'invalid tool arguments',
				data: { reason: 'limit must be at most 100' },
			},
		},
		read: `${refused}invalid tool arguments: limit must be at most 100`,
		from: 'ramimbo/mergework#734',
	},
	{
		what: 'an error of ours, with a trace for its developers',
		sent: { error: { code: -32063, message: 'no such row', data: { stack: 'at x (y.js:1)' } } },
		read: `${refused}no such row`,
		from: 'spring-ai-community/mcp-annotations#94',
	},
	{
		what: "zod's list of faults",
		sent: {
			error: {
				code: -32602,
				message:
					'MCP error -32602: Invalid arguments for tool getByClientId: [\n{\n"code": "invalid_type",\n"expected": "object",\n"received": "string",\n"path": ["parameters"],\n"message": "Expected object, received string"\n}]',
			},
		},
		read: `${refused}Invalid arguments for tool getByClientId: parameters: Expected object, received string`,
		from: 'modelcontextprotocol/modelcontextprotocol#694',
	},
	{
		what: "pydantic's faults",
		sent: {
			error: {
				code: 0,
				message:
					"1 validation error for list_indexesArguments\ntable\n  Field required [type=missing, input_value={'schema': 'public'}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.13/v/missing",
			},
		},
		read: `${refused}1 validation error for list_indexesArguments table Field required`,
		from: 'devopam/MCPg#287',
	},
	{
		what: "FastAPI's faults as data",
		sent: {
			error: {
				code: -32602,
				message: 'Invalid params',
				data: { detail: [{ loc: ['body', 'city'], msg: 'field required' }] },
			},
		},
		read: `${refused}Invalid params: body.city: field required`,
		from: 'https://fastapi.tiangolo.com/tutorial/handling-errors/',
	},
	{
		what: 'a refusal as a JSON-RPC error',
		sent: {
			status: 400,
			body: '{"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}',
		},
		read: http(400, `${tryAgain}Bad Request: No valid session ID provided`),
		from: 'punkpeye/fastmcp#180',
	},
	{
		what: 'a refusal as a text',
		sent: {
			status: 400,
			type: 'text/plain; charset=utf-8',
			body: 'Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26)\n',
		},
		read: http(
			400,
			`${tryAgain}Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26)`,
		),
		from: 'xpzouying/xiaohongshu-mcp#697',
	},
	{
		what: 'a refusal as a page',
		sent: {
			status: 502,
			type: 'text/html',
			body: '<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1><script>x()</script></body></html>',
		},
		read: http(502, `${tryAgain}502 Bad Gateway`),
		from: 'https://github.com/nginx/nginx/blob/master/src/http/ngx_http_special_response.c',
	},
	{
		what: 'a refusal without a word',
		sent: { status: 400, body: '' },
		read: http(400, '. Try again, or ask whoever runs it.'),
		from: 'modelcontextprotocol/typescript-sdk#2730',
	},
	{
		what: 'which right is missing',
		sent: { status: 403, body: '{"error":"insufficient_scope","error_description":"needs repo:read"}' },
		read: http(
			403,
			': access was denied. Check the credentials in "headers". The server says: {"error":"insufficient_scope","error_description":"needs repo:read"}',
		),
		from: 'https://www.rfc-editor.org/rfc/rfc6750 (section 3.1)',
	},
	{
		what: 'a secret of ours, repeated',
		sent: {
			error: {
				code: -32603,
				message: 'Internal error',
				data: { url: 'https://a.example/?key=sk-0123456789abc' },
			},
		},
		read: `${refused}Internal error: {"url":"https://a.example/?key=***"}`,
		from: 'Shelpuk-AI-Technology-Consulting/kindly-web-search-mcp-server#87',
	},
];

test.each(rows)('$what ($from)', async ({ sent, read }) => {
	const redactor = new Redactor(['sk-0123456789abc']);
	if ('error' in sent) {
		const { message, ...members } = sent.error as { message: string };
		const thrown = Object.assign(new Error(message), { name: 'ProtocolError' }, members);
		expect(requestError('s', thrown, redactor).message).toBe(read);
		return;
	}
	const { status, type = 'application/json', body } = sent;
	const response = new Response(body, { status, headers: { 'content-type': type } });
	Object.defineProperty(response, 'url', { value: 'https://h.example/mcp' });
	expect(remoteError('s', 'https://h.example/mcp', await readRefusal(response), redactor).message).toBe(read);
});
