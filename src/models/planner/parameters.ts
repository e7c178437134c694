import { isRecord } from '../../common/json.ts';
import { type JsonSchema, membersOf, resolved, typesOf } from '../../common/jsonSchema.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';

/** One parameter of a tool, or what an item of a list is. */
export interface Parameter {
	readonly name: string;
	readonly required: boolean;
	readonly description: string;
	/** JSON types; a string where the schema says nothing that can be read. */
	readonly types: readonly string[];
	readonly choices?: readonly unknown[];
	/** Of an array. */
	readonly items?: Parameter;
	/** Of an object. */
	readonly properties?: readonly Parameter[];
	/** From `const` or `default`; boxed, since `null` is a value. */
	readonly preset?: { readonly value: unknown };
}

/** Levels of objects in lists that are read: enough to say what a list of objects holds. A schema that contains itself ends there. */
const maxDepth = 3;
/** Parameters within parameters that are read of one tool: one that names itself a hundred times would hold millions. */
const maxInner = 1000;
/** Any other is made up, and would be shown as it is. */
const jsonTypes: ReadonlySet<string> = new Set([
	'string',
	'number',
	'integer',
	'boolean',
	'array',
	'object',
	'null',
]);

/** How many inner parameters may still be read. */
interface Room {
	left: number;
}

/** The parameters of a tool, the required ones that have no schema included. Never throws, whatever the schema. */
export function parametersOf({ inputSchema }: Pick<ToolDefinition, 'inputSchema'>): readonly Parameter[] {
	return parametersIn(resolved(inputSchema, inputSchema), inputSchema, 0, { left: maxInner });
}

function parametersIn(
	schema: JsonSchema,
	whole: JsonSchema,
	depth: number,
	room: Room,
): readonly Parameter[] {
	const members = membersOf(schema);
	if (depth > 0) room.left -= members.length;
	return members.map(({ name, schema, required }) => ({
		...parameterOf(schema, whole, depth, room),
		name,
		required,
	}));
}

function parameterOf(unresolved: unknown, whole: JsonSchema, depth: number, room: Room): Parameter {
	const schema = resolved(unresolved, whole);
	const branches = [schema.anyOf, schema.oneOf, schema.allOf].filter((branch) => Array.isArray(branch));
	const variants = [schema, ...branches.flat().map((branch) => resolved(branch, whole))];
	const types = [...new Set(variants.flatMap(typesOf))].filter((type) => jsonTypes.has(type));
	const choices = variants.flatMap(({ enum: choices }) => (Array.isArray(choices) ? choices : []));
	const list = variants.find(({ items }) => isRecord(items));
	const object = variants.find(({ properties }) => isRecord(properties));
	const preset = ['const', 'default'].find((key) => Object.hasOwn(schema, key));
	const isNested = depth < maxDepth && room.left > 0;
	return {
		name: '',
		required: true,
		description: typeof schema.description === 'string' ? schema.description : '',
		types: types.length > 0 ? types : [object ? 'object' : 'string'],
		...(choices.length > 0 && { choices }),
		...(list && isNested && { items: parameterOf(list.items, whole, depth + 1, room) }),
		...(object && isNested && { properties: parametersIn(object, whole, depth + 1, room) }),
		...(preset !== undefined && { preset: { value: schema[preset] } }),
	};
}

/** The text, without quotes, as a value that the parameter takes; `undefined` where it is none: nothing is rounded, cut or guessed. */
export function coerce(text: string, { types, choices, items }: Parameter): unknown {
	if (choices) return choices.find((one) => one === text) ?? choices.find((one) => isSaid(one, text));
	// A failed parse of each of thousands of words would take seconds.
	const value = /^(?:true|false|null|\s*[-[{\d].*)$/is.test(text)
		? parseJson(/^[a-z]/i.test(text) ? text.toLowerCase() : text)
		: undefined;
	if (
		value !== undefined &&
		typeof value !== 'string' &&
		typesOfValue(value).some((type) => types.includes(type))
	)
		return value;
	if (types.includes('string')) return text;
	if (!types.includes('array') || /^[[{]/.test(text)) return undefined;
	const parts = text.split(',').map((part) => (items ? coerce(part.trim(), items) : part.trim()));
	return parts.includes(undefined) ? undefined : parts;
}

/** A number that a double cannot hold would arrive as another one, so it is none. */
function typesOfValue(value: unknown): readonly string[] {
	if (typeof value === 'number') {
		if (Number.isSafeInteger(value)) return ['integer', 'number'];
		return Number.isInteger(value) || !Number.isFinite(value) ? [] : ['number'];
	}
	if (Array.isArray(value)) return ['array'];
	return [value === null ? 'null' : typeof value];
}

/** Whether a text has the words of a choice, whatever their case and punctuation; `within`: among others. */
export function isSaid(choice: unknown, text: string, within = false): boolean {
	const words = tokenize(typeof choice === 'string' ? choice : JSON.stringify(choice)).join(' ');
	const said = tokenize(text).join(' ');
	return words !== '' && (within ? ` ${said} `.includes(` ${words} `) : said === words);
}

/** What a text of JSON says; `undefined` where it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
