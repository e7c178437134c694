import {
	CLIENT_INFO_META_KEY,
	type McpServerFactory,
	ProtocolError,
	ProtocolErrorCode,
	Server,
	type ServerContext,
} from '@modelcontextprotocol/server';
import { JoinedSignal } from '../common/cancellation.ts';
import { recordOf } from '../common/json.ts';
import { oneLine } from '../common/text.ts';
import { placeholder, type ResultContent } from '../discovery/catalog/tool.ts';
import {
	type GatewayTool,
	type GatewayTools,
	gatewayDefinitions,
	gatewayInstructions,
	gatewayTools,
} from './gatewayTools.ts';
import { sessionHeader } from './windows.ts';

/** Characters of a client's name. */
const maxNameCharacters = 60;

interface ServerParts {
	readonly tools: GatewayTools;
	readonly version: string;
	readonly editor?: string;
}

/** Makes the MCP server of one connection, or of one request if the protocol has no connections. It serves both generations of the protocol. */
export function gatewayServer({ tools, version, editor }: ServerParts): McpServerFactory {
	return ({ requestInfo }) => {
		const server = new Server(
			{ name: 'vscode-discovery', title: 'Discovery', version },
			{ capabilities: { tools: {} }, instructions: gatewayInstructions },
		);
		const nameOf = ({ mcpReq }: ServerContext) =>
			clientName(server.getClientVersion() ?? recordOf(mcpReq.envelope)[CLIENT_INFO_META_KEY]);
		server.setRequestHandler('tools/list', async (_, context) => {
			if (nameOf(context) === editor) return { tools: [] };
			return {
				tools: gatewayDefinitions(await tools.services()).map((tool) => ({
					...tool,
					inputSchema: { ...tool.inputSchema, type: 'object' as const },
					...(tool.name !== 'call_tool' && { annotations: { readOnlyHint: true } }),
				})),
			};
		});
		server.setRequestHandler('tools/call', async ({ params }, context) => {
			if (!isGatewayTool(params.name)) {
				throw new ProtocolError(
					ProtocolErrorCode.InvalidParams,
					`There is no tool '${oneLine(params.name, maxNameCharacters)}'. There are ${gatewayTools.join(', ')}.`,
				);
			}
			const name = nameOf(context);
			const session = requestInfo?.headers.get(sessionHeader) ?? context.sessionId ?? name;
			const client = { session, name };
			// In the older protocol, a client that ends without a word is noticed by its connection alone.
			const connection = context.http?.req?.signal;
			const joinedSignal = new JoinedSignal(context.mcpReq.signal, ...(connection ? [connection] : []));
			try {
				const result = await tools.call(client, params.name, params.arguments ?? {}, {
					signal: joinedSignal.signal,
					onProgress: progressTo(context),
				});
				return { content: result.content.map(contentOf), isError: result.isError };
			} finally {
				joinedSignal.dispose();
			}
		});
		return server;
	};
}

function isGatewayTool(name: string): name is GatewayTool {
	return gatewayTools.some((tool) => tool === name);
}

/** One line of the name, since it is shown to the user. */
function clientName(info: unknown): string {
	const { title, name } = recordOf(info);
	const givenName = [title, name].find((text) => typeof text === 'string' && text.trim() !== '');
	return oneLine(String(givenName ?? 'MCP client'), maxNameCharacters);
}

function progressTo({ mcpReq }: ServerContext): (message: string) => void {
	const progressToken = mcpReq._meta?.progressToken;
	if (progressToken === undefined) return () => {};
	let progress = 0;
	return (message) => {
		progress++;
		// A client that has gone is noticed by the signal.
		mcpReq
			.notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
			.catch(() => {});
	};
}

function contentOf(part: ResultContent) {
	switch (part.type) {
		case 'text':
			return { type: 'text' as const, text: part.text };
		case 'image':
		case 'audio':
			return part;
		case 'file':
			return { type: 'text' as const, text: placeholder(part) };
	}
}
