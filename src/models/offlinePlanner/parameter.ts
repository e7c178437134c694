import { isRecord } from '../../discovery/record.ts';
import type { JsonSchema, ToolDefinition } from '../../discovery/tool.ts';
import { maxRefs } from './limits.ts';

/** The JSON types, in the order in which a text is tried as one: a string takes anything, so it comes last. */
export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** What the planner knows of a value that a schema asks for. */
export interface ValueShape {
	/** In the order of {@link jsonTypes}; a string where the schema says nothing that can be read. */
	readonly types: readonly JsonType[];
	readonly choices?: readonly unknown[];
	/** Of an array. */
	readonly items?: ValueShape;
	/** Of an object, or of the items of an array. */
	readonly properties?: readonly Parameter[];
}

/** One parameter of a tool. */
export interface Parameter extends ValueShape {
	readonly name: string;
	readonly required: boolean;
	readonly description?: string;
	/** From `const` or `default`; boxed, since `null` is a value. */
	readonly preset?: { readonly value: unknown };
}

/** The parameters of a tool, the required ones that have no schema included. Never throws, whatever the schema. */
export function parametersOf(tool: Pick<ToolDefinition, 'inputSchema'>): readonly Parameter[] {
	return propertiesOf(tool.inputSchema, tool.inputSchema, 0);
}

function propertiesOf(schema: unknown, root: JsonSchema, depth: number): readonly Parameter[] {
	const layers = layersOf(schema, root);
	const properties = new Map(
		layers.flatMap(({ properties: own }) => (isRecord(own) ? Object.entries(own) : [])),
	);
	const required = new Set(layers.flatMap((layer) => strings(layer.required)));
	const names = new Set([...properties.keys(), ...required]);
	return [...names].map((name) => parameterOf(name, required.has(name), properties.get(name), root, depth));
}

/** What holds for an object all at once: what a `$ref` leads to, what stands beside it, and every part of an `allOf`. */
function layersOf(schema: unknown, root: JsonSchema): readonly JsonSchema[] {
	const resolved = resolve(schema, root);
	const parts = Array.isArray(resolved.allOf) ? resolved.allOf : [];
	return [
		resolved,
		...parts.map((part) => resolve(part, root)),
		...(isRecord(schema) && schema !== resolved ? [schema] : []),
	];
}

function parameterOf(
	name: string,
	required: boolean,
	schema: unknown,
	root: JsonSchema,
	depth: number,
): Parameter {
	const resolved = resolve(schema, root);
	// A description beside a `$ref` is the nearer one.
	const description = own(schema, 'description') ?? resolved.description;
	const preset = presetOf(schema) ?? presetOf(resolved);
	return {
		name,
		required,
		...shapeOf(resolved, root, depth),
		...(typeof description === 'string' && description !== '' && { description }),
		...(preset && { preset }),
	};
}

function shapeOf(schema: JsonSchema, root: JsonSchema, depth: number): ValueShape {
	const variants = [schema, ...branches(schema).map((branch) => resolve(branch, root))];
	const declared = new Set(variants.flatMap(typesOf));
	const types = jsonTypes.filter((type) => declared.has(type));
	const choices = variants.flatMap((variant) => choicesOf(variant));
	const items = variants.find((variant) => Object.hasOwn(variant, 'items'))?.items;
	const object = variants.find((variant) => isRecord(variant.properties));
	// Two levels are enough to say what a list of objects holds; a schema that contains itself ends here.
	const nested = depth < 2;
	return {
		types: types.length > 0 ? types : ['string'],
		...(choices.length > 0 && { choices }),
		...(items !== undefined && nested && { items: shapeOf(resolve(items, root), root, depth + 1) }),
		...(object && nested && { properties: propertiesOf(object, root, depth + 1) }),
	};
}

function branches(schema: JsonSchema): readonly unknown[] {
	return ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
		const value = schema[key];
		return Array.isArray(value) ? value : [];
	});
}

function typesOf(schema: JsonSchema): readonly string[] {
	const type = schema.type;
	if (typeof type === 'string') return [type];
	if (Array.isArray(type)) return strings(type);
	if (isRecord(schema.properties)) return ['object'];
	return choicesOf(schema).map((choice) =>
		Array.isArray(choice) ? 'array' : choice === null ? 'null' : typeof choice,
	);
}

function choicesOf(schema: JsonSchema): readonly unknown[] {
	const choices = schema.enum;
	if (Array.isArray(choices)) return choices;
	return Object.hasOwn(schema, 'const') ? [schema.const] : [];
}

function presetOf(schema: unknown): { readonly value: unknown } | undefined {
	if (!isRecord(schema)) return undefined;
	const key = ['const', 'default'].find((name) => Object.hasOwn(schema, name));
	return key === undefined ? undefined : { value: schema[key] };
}

/** Follows local `$ref`s; what is no object, or cannot be followed, is an empty schema. Nothing is fetched. */
function resolve(schema: unknown, root: JsonSchema): JsonSchema {
	let current: unknown = schema;
	for (let count = 0; count <= maxRefs && isRecord(current); count++) {
		const ref = own(current, '$ref');
		if (typeof ref !== 'string') return current;
		current = at(root, ref);
	}
	return {};
}

function at(root: JsonSchema, pointer: string): unknown {
	if (!pointer.startsWith('#')) return undefined;
	const keys = pointer.slice(1).split('/').slice(1);
	return keys.reduce<unknown>(
		(value, key) => own(value, key.replaceAll('~1', '/').replaceAll('~0', '~')),
		root,
	);
}

function own(value: unknown, key: string): unknown {
	if (Array.isArray(value)) return value[Number(key)];
	return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function strings(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
