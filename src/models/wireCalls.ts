import { exactJson } from '../common/exactJson.ts';
import { isNestedDeeper, isRecord, type JsonRecord, maxInputDepth, recordOf } from '../common/json.ts';
import {
	alternativesOf,
	type JsonSchema,
	propertiesOf,
	requiredOf,
	resolved,
	typesOf,
} from '../common/jsonSchema.ts';
import { looseJson } from '../common/looseJson.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import { unwrappedName } from '../discovery/catalog/nameSpellings.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { isOfType } from './schemas/rules.ts';

/**
 * A call whose arguments came as JSON text, or as a value. Anything except an object of limited depth becomes the call's `fault`. `lack`: what is
 * wrong if there are no arguments; default: the tool takes none.
 */
export function callFrom(id: string, writtenName: string, input: unknown, lack?: string): ToolCall {
	const call = { id, name: unwrappedName(writtenName), input: {} };
	const isMissing =
		typeof input === 'string' ? /^\s*(null)?\s*$/.test(input) : (input ?? undefined) === undefined;
	if (isMissing) return lack === undefined ? call : { ...call, fault: lack };
	const value = parseArguments(input);
	const inner = isRecord(value) ? callWithin(value) : undefined;
	if (inner && (call.name === '' || call.name === unwrappedName(inner.name)))
		return callFrom(id, inner.name, inner.input, lack);
	const fault =
		typeof input === 'string' && value === undefined
			? `The arguments are not valid JSON; they may have been cut off after ${input.length} characters. Make the call again, with shorter arguments where they are long.`
			: inputFault(value);
	return fault === undefined ? { ...call, input: value as JsonRecord } : { ...call, fault };
}

/** The call that arguments consist of, with its name and its own arguments. Some models write it into itself, and some endpoints lose the name outside. */
function callWithin({ type, id, name, arguments: input, parameters = input, ...others }: JsonRecord) {
	const isCall = typeof name === 'string' && name !== '' && isRecord(parseArguments(parameters));
	return isCall && Object.keys(others).length === 0 ? { name, input: parameters } : undefined;
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
	return isNestedDeeper(input, maxInputDepth)
		? `The arguments are nested deeper than ${maxInputDepth} levels. Make the call again, with flatter ones.`
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

/** How often JSON may be encoded again. */
const encodings = 3;

/**
 * The value that written arguments mean: JSON, JSON that was encoded as a text again or repeated, or the only object in a text, such as one in a fence.
 * `undefined` if nothing is clear.
 */
export function parseArguments(input: unknown): unknown {
	let value = input;
	for (let level = 0; level <= encodings && typeof value === 'string'; level++) {
		// Some gateways send the empty arguments with which Anthropic begins a call, and then those that come.
		const text = value.replace(/^\s*\{\s*\}(?=\s*\{)/, '');
		value = exactJson(text) ?? repeatedObjectIn(text) ?? onlyObjectIn(text);
	}
	return typeof value === 'string' ? undefined : value;
}

/** How often a gateway may repeat the arguments of a call. */
const repetitions = [2, 3, 4];

/** The object that a text consists of several times: some gateways send the arguments in pieces, and then again as a whole. */
function repeatedObjectIn(text: string): unknown {
	const units = repetitions.map((times) => [times, text.slice(0, text.length / times)] as const);
	const [, unit = ''] = units.find(([times, part]) => part.repeat(times) === text) ?? [];
	const value = exactJson(unit);
	return isRecord(value) ? value : undefined;
}

/** The object in a text that has no other brackets: with others, arguments of two calls may have been joined, or a part may be missing. */
function onlyObjectIn(text: string): unknown {
	const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
	if (start < 0 || end < start) return undefined;
	const around = text.slice(0, start) + text.slice(end + 1);
	const value = /[[\]{}"]/.test(around) ? undefined : looseJson(text.slice(start, end + 1));
	return isRecord(value) ? value : undefined;
}

/** Levels of values that are compared with a schema. */
const maxLevels = 8;

/**
 * Arguments as the schema asks for them: where it allows no text, a text with the JSON of what it does allow is that value (`"[1, 2]"` for a list,
 * `"5"` for a number); where it allows no number, a whole one is its text; and an optional value that is `null` or an empty text is none.
 */
export function coerceArguments<Value>(value: Value, schema: unknown, root: JsonSchema, level = 0): Value {
	if (level > maxLevels) return value;
	const target = resolved(schema, root);
	const typed = typedAs(value, typesOf(target));
	if (Array.isArray(typed))
		return typed.map((item: unknown) => coerceArguments(item, target.items, root, level + 1)) as Value;
	if (!isRecord(typed)) return typed as Value;
	const properties = propertiesOf(target);
	const required = requiredOf(target);
	const members = Object.entries(typed).flatMap(([name, member]) => {
		const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
		if (own === undefined) return [[name, member]];
		const isUnset = (member === null || member === '') && !required.includes(name);
		if (isUnset && !allows(own, member, root)) return [];
		return [[name, coerceArguments(member, own, root, level + 1)]];
	});
	return Object.fromEntries(members) as Value;
}

/** The value as one of the types: a text is parsed, and a number or boolean becomes text. If that gives none of the types, the value is unchanged. */
function typedAs(value: unknown, types: readonly string[]): unknown {
	const isTyped = (candidate: unknown) => types.some((type) => isOfType(candidate, type));
	if (types.length === 0 || isTyped(value)) return value;
	// A fraction may have lost digits that a text needs: the version 1.10.
	const isExact = typeof value === 'boolean' || Number.isSafeInteger(value) || JSON.isRawJSON(value);
	const parsed = typeof value === 'string' ? looseJson(value) : isExact ? JSON.stringify(value) : undefined;
	return isTyped(parsed) ? parsed : value;
}

/** Whether a schema allows `null`, or an empty text, by its types. */
function allows(schema: unknown, value: unknown, root: JsonSchema): boolean {
	const asked = resolved(schema, root);
	const types = typesOf(asked);
	const others = alternativesOf(asked);
	if (others.length > 0) return others.some((alternative) => allows(alternative, value, root));
	return types.length === 0 || asked.nullable === true || types.some((type) => isOfType(value, type));
}
