import { deepestInput, isNestedDeeper, isRecord, type JsonRecord, recordOf } from '../common/json.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import { unwrappedName } from '../discovery/catalog/nameSpellings.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { meantArguments } from './callArguments.ts';

/**
 * A call whose arguments came as JSON text, or as a value. Anything except an object of limited depth becomes the call's `fault`. `lack`: what is
 * wrong if there are no arguments; default: the tool takes none.
 */
export function callFrom(id: string, written: string, input: unknown, lack?: string): ToolCall {
	const call = { id, name: unwrappedName(written), input: {} };
	const isMissing =
		typeof input === 'string' ? /^\s*(null)?\s*$/.test(input) : (input ?? undefined) === undefined;
	if (isMissing) return lack === undefined ? call : { ...call, fault: lack };
	const value = meantArguments(input);
	const fault =
		typeof input === 'string' && value === undefined
			? `The arguments are not valid JSON; they may have been cut off after ${input.length} characters. Make the call again, with shorter arguments where they are long.`
			: inputFault(value);
	return fault === undefined ? { ...call, input: value as JsonRecord } : { ...call, fault };
}

/** GPT's name for several calls as one, which it was trained on and makes by mistake: https://github.com/vercel/ai/issues/19067. */
const bundle = /^(?:multi_tool_use[._])?parallel$/;

/** The calls in a call, which is mostly one. They share the provider's id, so only the first keeps it. */
export function unbundled(call: ToolCall): readonly ToolCall[] {
	const { tool_uses: uses } = call.input;
	if (!bundle.test(call.name) || !Array.isArray(uses) || uses.length === 0) return [call];
	return uses.map((use, i) => {
		const { recipient_name, name, parameters, arguments: input } = recordOf(use);
		return callFrom(i === 0 ? call.id : '', textOf(recipient_name) || textOf(name), parameters ?? input);
	});
}

/** What is wrong with the arguments of a call, whatever its tool, in words for the model; `undefined` if they can be checked, sent and shown. */
export function inputFault(input: unknown): string | undefined {
	if (!isRecord(input)) {
		return "The arguments are not a JSON object. Make the call again, with an object as the tool's input schema asks for it.";
	}
	return isNestedDeeper(input, deepestInput)
		? `The arguments are nested deeper than ${deepestInput} levels. Make the call again, with flatter ones.`
		: undefined;
}

/** Tools as Chat Completions and Ollama expect them. A definition has the same bytes in every request. */
export function functionTools(tools: readonly ToolDefinition[]) {
	return tools.map(({ name, description, inputSchema: parameters }) => {
		return { type: 'function' as const, function: { name, description, parameters } };
	});
}

/** A text of an endpoint; empty if it sent something else. */
export function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** A name that every provider accepts: one that a model invented may contain anything, and would make every later request fail. */
export function legalName(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || '_';
}
