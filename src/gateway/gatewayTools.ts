import { listText } from '../common/text.ts';
import type { ToolDefinition, ToolResult } from '../discovery/catalog/tool.ts';

/** A program that uses the gateway: a coding agent, or another chat. */
export interface GatewayClient {
	/** One session of the client: what it finds is remembered for it. Its name, if the client does not say which session it is. */
	readonly session: string;
	/** The name that the client gives itself. It is shown, and decides nothing. */
	readonly name: string;
}

export interface GatewayCall {
	/** Aborts when the client cancels the call or is gone. */
	readonly signal: AbortSignal;
	/** What the client may show meanwhile. */
	readonly onProgress: (message: string) => void;
	/** A tool of a server begins to run; its id. */
	readonly onBegun?: (tool: string) => void;
}

/** What answers the clients: the window itself, or a window that a program reaches. */
export interface GatewayTools {
	/** Names of the servers whose tools can be found now; empty: none, or unknown. */
	services(): Promise<readonly string[]>;
	/** Runs one of the four tools. A failure is a result. Rejects only if the call is cancelled. */
	call(client: GatewayClient, tool: GatewayTool, input: unknown, call: GatewayCall): Promise<ToolResult>;
}

/** No client can be relied on to notice a changed list of tools during a turn, so these never change. */
export const gatewayTools = ['search_tools', 'list_tools', 'tool_details', 'call_tool'] as const;
export type GatewayTool = (typeof gatewayTools)[number];

/** Characters of all names of services in the description of a tool. */
const maxServicesCharacters = 400;

/** The four tools. `services`: models do not search with a tool that names nothing that they need. */
export function gatewayDefinitions(services: readonly string[]): readonly ToolDefinition[] {
	const text = { type: 'string' } as const;
	const tool = {
		...text,
		description: 'The name that search_tools or list_tools gave, such as server:tool.',
	};
	const server = { ...text, description: 'Only tools of this server.' };
	const properties: Readonly<Record<GatewayTool, object>> = {
		search_tools: {
			query: { ...text, description: 'What the tool should do, in a few words.' },
			server,
		},
		list_tools: { server, search: text, page: { type: 'integer', minimum: 1 } },
		tool_details: { tool },
		call_tool: { tool, arguments: { type: 'object', description: 'As the input schema of that tool says.' } },
	};
	const required: Readonly<Record<GatewayTool, readonly string[]>> = {
		search_tools: ['query'],
		list_tools: [],
		tool_details: ['tool'],
		call_tool: ['tool'],
	};
	const descriptions: Readonly<Record<GatewayTool, string>> = {
		search_tools: `Finds tools of the user's connected services${servicesText(services)}. Search before you say that something cannot be done. Returns the best tools with their input schemas; run one with call_tool.`,
		list_tools: 'Lists the tools of the connected services, with a line on each. search_tools is faster.',
		tool_details: 'Returns the whole description and input schema of one tool.',
		call_tool:
			'Runs a tool that search_tools found, with arguments that fit its input schema. The user may be asked in VS Code first, which can take a while. A large result names a file; read its pages with the tool read_result.',
	};
	return gatewayTools.map((name) => ({
		name,
		description: descriptions[name],
		inputSchema: { type: 'object', properties: properties[name], required: required[name] },
	}));
}

function servicesText(services: readonly string[]): string {
	let characters = 0;
	const namedServices = services.filter((name) => {
		characters += name.length + 2;
		return characters <= maxServicesCharacters;
	});
	return namedServices.length === 0
		? ''
		: `: ${listText(namedServices, namedServices.length, services.length)}`;
}

/** How to work with the tools, for the model of a client. */
export const gatewayInstructions =
	"These four tools reach every tool of the user's MCP servers in VS Code, without listing them all. " +
	'Find a tool with search_tools, then run it with call_tool and arguments that fit its input schema. ' +
	'What changes something is asked of the user in VS Code. If call_tool answers that the user has not decided yet, make the same call again. ' +
	'Do not try another way around a call that the user declined.';
