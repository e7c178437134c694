/**
 * A server of the revision 2026-07-28, built with the SDK's own server; over stdio if it is started directly. With the argument `reject` it
 * refuses the older protocol.
 */
import { fileURLToPath } from 'node:url';
import {
	completable,
	inputRequired,
	inputResponse,
	McpServer,
	ResourceTemplate,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

const notes = new Map([['one', 'first note']]);

export function modernServer(): McpServer {
	const server = new McpServer(
		{ name: 'modern', version: '1.0.0', title: 'Modern' },
		{
			instructions: 'Ask before you add.',
			capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
		},
	);
	server.registerTool(
		'add',
		{
			description: 'Adds',
			inputSchema: z.object({
				a: z.number(),
				b: z.number(),
				region: z.string().optional().meta({ 'x-mcp-header': 'Region' }),
			}),
		},
		async ({ a, b }) => text(String(a + b)),
	);
	server.registerTool(
		'deploy',
		{ description: 'Asks how', inputSchema: z.object({}) },
		async (_args, { mcpReq }) => {
			const answer = inputResponse(mcpReq.inputResponses, 'how');
			if (answer.kind === 'elicit') return text(JSON.stringify(answer));
			return inputRequired({
				inputRequests: {
					how: inputRequired.elicit({
						message: 'How shall it be deployed?',
						requestedSchema: {
							type: 'object',
							properties: {
								stage: {
									type: 'string',
									title: 'Stage',
									oneOf: [
										{ const: 'test', title: 'Test' },
										{ const: 'live', title: 'Live' },
									],
								},
								copies: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
								mail: { type: 'string', format: 'email' },
								sure: { type: 'boolean' },
							},
							required: ['stage'],
						},
					}),
				},
				requestState: 'round one',
			});
		},
	);
	server.registerTool(
		'pay',
		{ description: 'Leads to an address', inputSchema: z.object({}) },
		async (_args, { mcpReq }) => {
			const answer = inputResponse(mcpReq.inputResponses, 'where');
			if (answer.kind === 'elicit') return text(answer.action);
			return inputRequired({
				inputRequests: {
					where: inputRequired.elicitUrl({ message: 'Pay here', url: 'https://pay.example/1' }),
				},
			});
		},
	);
	server.registerTool(
		'insatiable',
		{ description: 'Never has enough', inputSchema: z.object({}) },
		async () => inputRequired({ requestState: 'again' }),
	);
	server.registerTool('link', { description: 'Links', inputSchema: z.object({}) }, async () => ({
		content: [{ type: 'resource_link' as const, uri: 'hidden://linked', name: 'linked' }],
	}));
	server.registerResource(
		'notes',
		new ResourceTemplate('note:///{id}', { list: undefined }),
		{},
		async (uri) => ({
			contents: [{ uri: uri.href, text: notes.get(uri.pathname.slice(1)) ?? 'none' }],
		}),
	);
	server.registerResource('chart', 'chart://week', { mimeType: 'image/png' }, async ({ href }) => ({
		contents: [{ uri: href, mimeType: 'image/png', blob: 'iVBORw0KGgo=' }],
	}));
	server.registerPrompt(
		'review',
		{
			description: 'Reviews code',
			argsSchema: z.object({
				language: completable(z.string().describe('Which language'), (value) =>
					['typescript', 'javascript', 'rust'].filter((one) => one.startsWith(value)),
				),
			}),
		},
		({ language }) => ({
			messages: [{ role: 'user' as const, content: { type: 'text' as const, text: `Review ${language}` } }],
		}),
	);
	return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [, , legacy] = process.argv;
	serveStdio(modernServer, legacy === 'reject' ? { legacy } : {});
}
