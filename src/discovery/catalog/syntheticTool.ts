import { exactJson } from '../../common/exactJson.ts';
import { isNestedDeeper, isRecord, maxInputDepth } from '../../common/json.ts';
import { nameLimit, oneLine } from '../../common/text.ts';
import type { SearchOutcome } from '../tools/findTools.ts';
import type { SearchMiss } from './searchMiss.ts';
import type { ToolDefinition, ToolResult } from './tool.ts';

/** The meta-tool that a model sees while tools are deferred. */
export const searchToolsName = 'search_tools';
/** Tools that describe tools without loading them: see `inspection.ts`. */
export const listAvailableToolsName = 'list_available_tools';
export const listToolDetailsName = 'list_tool_details';
/** Reads more of a result that was too large for the chat; answered by the owner of the turn. */
export const readResultName = 'read_result';

/** Reads a linked resource; sent after a result of the chat contained a link. */
export const readResourceName = 'read_resource';

export const readResourceDefinition: ToolDefinition = {
	name: readResourceName,
	description: 'Reads a resource of an MCP server by its URI, such as one that a result links to.',
	inputSchema: {
		type: 'object',
		properties: {
			server: { type: 'string', description: 'Server name from the result.' },
			uri: { type: 'string', description: 'URI from the result.' },
		},
		required: ['server', 'uri'],
	},
};

/** Calls a loaded tool when the tools of a request must not change. */
export const callToolName = 'call_tool';
export const runAgentName = 'run_agent';

/** Tools that only inspect tools and results: useful to a model, never to a user. */
export const lookingToolNames: ReadonlySet<string> = new Set([
	searchToolsName,
	listAvailableToolsName,
	listToolDetailsName,
	readResultName,
	readResourceName,
]);

/** Names of all tools that the extension answers itself; a server must not use one. */
export const syntheticToolNames: ReadonlySet<string> = new Set([
	...lookingToolNames,
	callToolName,
	runAgentName,
]);

export interface SyntheticResult {
	readonly result: ToolResult;
	/** Definitions inside the result, if loading adds nothing to the request's tools. */
	readonly brings?: readonly ToolDefinition[];
	/** The search and what it loaded, if it was one. */
	readonly search?: SearchOutcome;
	/** A name for this exact result, `[a-z0-9-]`: a file stored under it can be reused. */
	readonly listing?: string;
}

/** A tool that the extension answers itself and never forwards to a server. Resolved before any server's tools. */
export interface SyntheticTool {
	readonly name: string;
	/**
	 * `input` is what the model wrote: validate it. Invalid input is an error result, not an exception. `miss`: helpers for a search that finds nothing
	 * likely.
	 */
	execute(
		input: Readonly<Record<string, unknown>>,
		miss?: SearchMiss,
	): SyntheticResult | Promise<SyntheticResult>;
}

export const callToolDefinition: ToolDefinition = {
	name: callToolName,
	description: `Calls a tool that ${searchToolsName} has loaded. The search result has its name and input schema.`,
	inputSchema: {
		type: 'object',
		properties: {
			name: { type: 'string', description: `Tool name from ${searchToolsName}.` },
			arguments: {
				type: 'object',
				description: "Arguments that match the tool's input schema.",
			},
		},
		required: ['name', 'arguments'],
	},
};

/** The call inside a call of {@link callToolName}, or an error for the model. Arguments as a JSON text are accepted too: models often write them so. */
export function unwrappedCall(
	input: Readonly<Record<string, unknown>>,
):
	| { readonly ok: true; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
	| { readonly ok: false; readonly message: string } {
	const { name, arguments: args = {} } = input;
	if (typeof name !== 'string' || name.trim() === '') {
		return { ok: false, message: `Error: ${callToolName} needs the "name" of the tool to call.` };
	}
	if (name === searchToolsName || name === callToolName) {
		return { ok: false, message: `Error: Call ${name} itself, not through ${callToolName}.` };
	}
	const parsed = typeof args === 'string' ? exactJson(args) : args;
	const tool = oneLine(name, nameLimit);
	if (!isRecord(parsed)) {
		const message = `Error: The "arguments" for '${tool}' must be an object that matches the tool's input schema.`;
		return { ok: false, message };
	}
	if (isNestedDeeper(parsed, maxInputDepth)) {
		const message = `Error: The "arguments" for '${tool}' are nested deeper than ${maxInputDepth} levels. Use flatter arguments.`;
		return { ok: false, message };
	}
	return { ok: true, name, input: parsed };
}
