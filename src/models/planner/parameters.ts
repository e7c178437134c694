import { isRecord } from '../../common/json.ts';
import type { JsonSchema, ToolDefinition } from '../../discovery/catalog/tool.ts';
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

/** `$ref`s followed from one schema; a longer chain, or a cycle, counts as an unknown type. */
const maxRefs = 8;
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
	return propertiesOf(resolve(inputSchema, inputSchema), inputSchema, 0, { left: maxInner });
}

function propertiesOf(schema: JsonSchema, root: JsonSchema, depth: number, room: Room): readonly Parameter[] {
	const properties = isRecord(schema.properties) ? schema.properties : {};
	const required = strings(schema.required);
	const names = [...new Set([...Object.keys(properties), ...required])];
	if (depth > 0) room.left -= names.length;
	return names.map((name) => ({
		...parameterOf(own(properties, name), root, depth, room),
		name,
		required: required.includes(name),
	}));
}

function parameterOf(unresolved: unknown, root: JsonSchema, depth: number, room: Room): Parameter {
	const schema = resolve(unresolved, root);
	const branches = [schema.anyOf, schema.oneOf, schema.allOf].filter((branch) => Array.isArray(branch));
	const variants = [schema, ...branches.flat().map((branch) => resolve(branch, root))];
	const said = variants.flatMap(({ type }) => (typeof type === 'string' ? [type] : strings(type)));
	const types = [...new Set(said)].filter((type) => jsonTypes.has(type));
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
		...(list && isNested && { items: parameterOf(list.items, root, depth + 1, room) }),
		...(object && isNested && { properties: propertiesOf(object, root, depth + 1, room) }),
		...(preset !== undefined && { preset: { value: schema[preset] } }),
	};
}

/** A schema with what its local `$ref` leads to, where the words beside it count first. What is no object, or cannot be followed, is empty; nothing is fetched. */
function resolve(schema: unknown, root: JsonSchema, refs = 0): JsonSchema {
	if (!isRecord(schema) || refs > maxRefs) return {};
	const { $ref: ref } = schema;
	if (typeof ref !== 'string') return schema;
	const keys = ref.startsWith('#') ? ref.split('/').slice(1) : ['$ref'];
	const target = keys.reduce<unknown>(
		(value, key) => own(value, key.replaceAll('~1', '/').replaceAll('~0', '~')),
		root,
	);
	return { ...resolve(target, root, refs + 1), ...schema };
}

function own(value: unknown, key: string): unknown {
	if (Array.isArray(value)) return value[Number(key)];
	return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function strings(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The text, without quotes, as a value that the parameter takes; `undefined` where it is none: nothing is rounded, cut or guessed. */
export function coerce(text: string, { types, choices, items }: Parameter): unknown {
	if (choices) return choices.find((one) => one === text) ?? choices.find((one) => isSaid(one, text));
	// A failed parse of each of thousands of words would take seconds.
	const value = /^(?:true|false|null|\s*[-[{\d].*)$/is.test(text)
		? parseJson(/^[a-z]/i.test(text) ? text.toLowerCase() : text)
		: undefined;
	if (value !== undefined && typeof value !== 'string' && typesOf(value).some((type) => types.includes(type)))
		return value;
	if (types.includes('string')) return text;
	if (!types.includes('array') || /^[[{]/.test(text)) return undefined;
	const parts = text.split(',').map((part) => (items ? coerce(part.trim(), items) : part.trim()));
	return parts.includes(undefined) ? undefined : parts;
}

/** A number that a double cannot hold would arrive as another one, so it is none. */
function typesOf(value: unknown): readonly string[] {
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
