import { deepestInput, isNestedDeeper, isRecord } from './record.ts';
import { searchToolsName } from './syntheticTool.ts';
import { nameLimit, oneLine } from './text.ts';
import type { ToolDefinition } from './tool.ts';

/** The synthetic tool through which loaded tools are called where the tools of a request must not change. */
export const callToolName = 'call_tool';

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
