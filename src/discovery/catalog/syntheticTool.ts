import { deepestInput, isNestedDeeper, isRecord } from '../../common/json.ts';
import { nameLimit, oneLine } from '../../common/text.ts';
import type { SearchOutcome } from '../tools/findTools.ts';
import type { SearchMiss } from './searchMiss.ts';
import type { ToolDefinition, ToolResult } from './tool.ts';

/** The one meta-tool that a model sees while tools are deferred. */
export const searchToolsName = 'search_tools';
/** Tools that tell of tools and load none: see `inspection.ts`. */
export const listAvailableToolsName = 'list_available_tools';
export const listToolDetailsName = 'list_tool_details';
/** Reads on in a result that was too large for the chat; whoever runs the turn answers it. */
export const readResultName = 'read_result';

/** Reads an address that a server has linked to; sent once a result of the chat has had a link. */
export const readResourceName = 'read_resource';

export const readResourceDefinition: ToolDefinition = {
	name: readResourceName,
	description: 'Reads a resource of an MCP server by its address, such as one that a result has linked to.',
	inputSchema: {
		type: 'object',
		properties: {
			server: { type: 'string', description: 'Name of the server, as the result gave it.' },
			uri: { type: 'string', description: 'Address, as the result gave it.' },
		},
		required: ['server', 'uri'],
	},
};

/** Calls a loaded tool where the tools of a request must not change. */
export const callToolName = 'call_tool';
/** Sets agents to work. */
export const runAgentName = 'run_agent';

/** Names of all tools that the extension answers itself; a server of that name would read as one of them. */
export const syntheticToolNames: ReadonlySet<string> = new Set([
	searchToolsName,
	listAvailableToolsName,
	listToolDetailsName,
	readResultName,
	readResourceName,
	callToolName,
	runAgentName,
]);

/** Names of tools that look at tools and results, and do nothing for a user: nobody but a model has a use for them. */
export const lookingToolNames: ReadonlySet<string> = new Set([
	searchToolsName,
	listAvailableToolsName,
	listToolDetailsName,
	readResultName,
	readResourceName,
]);

/** What a synthetic tool came to. */
export interface SyntheticResult {
	readonly result: ToolResult;
	/** Definitions that the result itself brings to the model, where loading adds nothing to the tools of the request. */
	readonly brings?: readonly ToolDefinition[];
	/** What was searched, found and loaded, where it was a search. */
	readonly search?: SearchOutcome;
	/** Name that stands for this very result, `[a-z0-9-]`: whoever keeps it in a file can use that file again. */
	readonly listing?: string;
}

/** A tool that the extension answers itself and never forwards to a server. Consulted before any server. */
export interface SyntheticTool {
	readonly name: string;
	/**
	 * `input` is what the model wrote: check it. Bad input is an error result, not an exception. `miss`: for a search that finds nothing
	 * likely; left out, it is told as it is.
	 */
	execute(
		input: Readonly<Record<string, unknown>>,
		miss?: SearchMiss,
	): SyntheticResult | Promise<SyntheticResult>;
}

export const callToolDefinition: ToolDefinition = {
	name: callToolName,
	description: `Calls a tool that ${searchToolsName} has loaded. Its name and the schema of its arguments are in the result of that search.`,
	inputSchema: {
		type: 'object',
		properties: {
			name: { type: 'string', description: `Name of the tool, as ${searchToolsName} gave it.` },
			arguments: {
				type: 'object',
				description: 'Arguments, as the input schema of that tool asks for them.',
			},
		},
		required: ['name', 'arguments'],
	},
};

/** The call inside a call of {@link callToolName}, or what is wrong with it, for the model. */
export type WrappedCall =
	| { readonly ok: true; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
	| { readonly ok: false; readonly message: string };

/** Unwraps what a model wrote. Arguments as a text of JSON are taken as well: models like to write them so. */
export function unwrappedCall(input: Readonly<Record<string, unknown>>): WrappedCall {
	const { name, arguments: args = {} } = input;
	if (typeof name !== 'string' || name.trim() === '') {
		return { ok: false, message: `Error: ${callToolName} needs the "name" of the tool to call.` };
	}
	if (name === searchToolsName || name === callToolName) {
		return { ok: false, message: `Error: Call ${name} itself, not through ${callToolName}.` };
	}
	const parsed = typeof args === 'string' ? parsedJson(args) : args;
	const tool = oneLine(name, nameLimit);
	if (!isRecord(parsed)) {
		const message = `Error: The "arguments" for '${tool}' must be an object, as the tool's input schema asks for it.`;
		return { ok: false, message };
	}
	if (isNestedDeeper(parsed, deepestInput)) {
		const message = `Error: The "arguments" for '${tool}' are nested deeper than ${deepestInput} levels. Write them flatter.`;
		return { ok: false, message };
	}
	return { ok: true, name, input: parsed };
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
