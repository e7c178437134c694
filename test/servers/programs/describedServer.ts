/**
 * A server of the older protocol, by its own SDK. Offers the tools that a JSON file lists at the start, and writes its process id to another
 * file.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [, , definition = '', pids = ''] = process.argv;
const tools = JSON.parse(readFileSync(definition, 'utf8'));
appendFileSync(pids, `${process.pid}\n`);

const server = new Server({ name: 'described', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
	const text = `${params.name} done with ${JSON.stringify(params.arguments)}`;
	return { content: [{ type: 'text', text }] };
});
await server.connect(new StdioServerTransport());
