import { isRecord } from '../../discovery/record.ts';
import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { JsonSchema, ToolDefinition } from '../../discovery/tool.ts';
import { type Literal, parseJson } from './literals.ts';
import { hasRole, type Role, stemsOf } from './words.ts';

/** The JSON types, in the order in which a text is tried as one: a string takes anything, so it comes last. */
const jsonTypes = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'] as const;
type JsonType = (typeof jsonTypes)[number];

/** What the planner knows of a value that a schema asks for. */
export interface ValueShape {
	/** In the order of {@link jsonTypes}; a string where the schema says nothing that can be read. */
	readonly types: readonly JsonType[];
	readonly choices?: readonly unknown[];
	/** Of an array. */
	readonly items?: ValueShape;
	/** Of an object. */
	readonly properties?: readonly Parameter[];
}

/** One parameter of a tool. */
export interface Parameter extends ValueShape {
	readonly name: string;
	readonly required: boolean;
	readonly description: string;
	/** From `const` or `default`; boxed, since `null` is a value. */
	readonly preset?: { readonly value: unknown };
}

/** `$ref`s followed from one parameter; a longer chain, or a cycle, counts as an unknown type. */
const maxRefs = 8;
/** Levels of objects in lists that are read: enough to say what a list of objects holds. */
const maxDepth = 3;

/** The parameters of a tool, the required ones that have no schema included. Never throws, whatever the schema. */
export function parametersOf(tool: Pick<ToolDefinition, 'inputSchema'>): readonly Parameter[] {
	return propertiesOf(resolve(tool.inputSchema, tool.inputSchema), tool.inputSchema, 0);
}

function propertiesOf(schema: JsonSchema, root: JsonSchema, depth: number): readonly Parameter[] {
	const layers = [schema, ...branchesOf(schema, ['allOf'], root)];
	const properties = new Map(
		layers.flatMap(({ properties: own }) => (isRecord(own) ? Object.entries(own) : [])),
	);
	const required = new Set(layers.flatMap((layer) => strings(layer.required)));
	return [...new Set([...properties.keys(), ...required])].map((name) => {
		const property = resolve(properties.get(name), root);
		const { description } = property;
		const preset = ['const', 'default'].find((key) => Object.hasOwn(property, key));
		return {
			name,
			required: required.has(name),
			description: typeof description === 'string' ? description : '',
			...shapeOf(property, root, depth),
			...(preset !== undefined && { preset: { value: property[preset] } }),
		};
	});
}

function shapeOf(schema: JsonSchema, root: JsonSchema, depth: number): ValueShape {
	const variants = [schema, ...branchesOf(schema, ['anyOf', 'oneOf', 'allOf'], root)];
	const declared = new Set(variants.flatMap(typesOf));
	const types = jsonTypes.filter((type) => declared.has(type));
	const choices = variants.flatMap(choicesOf);
	const items = variants.find((variant) => Object.hasOwn(variant, 'items'))?.items;
	const object = variants.find((variant) => isRecord(variant.properties));
	// A schema that contains itself ends here.
	const nested = depth < maxDepth;
	return {
		types: types.length > 0 ? types : ['string'],
		...(choices.length > 0 && { choices }),
		...(items !== undefined && nested && { items: shapeOf(resolve(items, root), root, depth + 1) }),
		...(object && nested && { properties: propertiesOf(object, root, depth + 1) }),
	};
}

function branchesOf(
	schema: JsonSchema,
	keywords: readonly string[],
	root: JsonSchema,
): readonly JsonSchema[] {
	const branches = keywords.map((keyword) => schema[keyword]).filter((value) => Array.isArray(value));
	return branches.flat().map((branch) => resolve(branch, root));
}

function typesOf(schema: JsonSchema): readonly string[] {
	const { type } = schema;
	if (typeof type === 'string') return [type];
	if (Array.isArray(type)) return strings(type);
	if (isRecord(schema.properties)) return ['object'];
	return choicesOf(schema).map((choice) =>
		Array.isArray(choice) ? 'array' : choice === null ? 'null' : typeof choice,
	);
}

function choicesOf(schema: JsonSchema): readonly unknown[] {
	if (Array.isArray(schema.enum)) return schema.enum;
	return Object.hasOwn(schema, 'const') ? [schema.const] : [];
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

/** A value of the type that was asked for; boxed, since `null` and `false` are values. */
export interface Coerced {
	readonly value: unknown;
}

/** The text, without quotes, as a value of the shape; `undefined` where it is none: nothing is rounded, cut or guessed. */
export function coerce(text: string, shape: ValueShape): Coerced | undefined {
	if (shape.choices) return choiceOf(text, shape.choices);
	for (const type of shape.types) {
		const value = valueAs(type, text, shape);
		if (value !== undefined) return { value };
	}
	return undefined;
}

function valueAs(type: JsonType, text: string, shape: ValueShape): unknown {
	const plain = text.trim();
	switch (type) {
		case 'string':
			return text;
		case 'integer':
		case 'number':
			return numberOf(plain, type === 'integer');
		case 'boolean':
			if (/^(?:true|yes|on)$/i.test(plain)) return true;
			return /^(?:false|no|off)$/i.test(plain) ? false : undefined;
		case 'null':
			return plain === 'null' ? null : undefined;
		case 'array':
			return arrayOf(text, shape.items ?? { types: ['string'] });
		case 'object': {
			const value = parseJson(text);
			return isRecord(value) ? value : undefined;
		}
	}
}

/** The choice that the text spells, whatever its case and punctuation. */
function choiceOf(text: string, choices: readonly unknown[]): Coerced | undefined {
	const spelled = tokenize(text).join(' ');
	const value =
		choices.find((choice) => spelling(choice) === text) ??
		choices.find((choice) => spelled !== '' && tokenize(spelling(choice)).join(' ') === spelled);
	return value === undefined ? undefined : { value };
}

/** How a person would write a choice. */
export function spelling(choice: unknown): string {
	return typeof choice === 'string' ? choice : JSON.stringify(choice);
}

function numberOf(text: string, integer: boolean): number | undefined {
	const plain = text.replace(/^\+/, '');
	if (!/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(plain)) return undefined;
	const value = Number(plain);
	// A number that a double cannot hold would arrive as another one.
	return Number.isFinite(value) && (!integer || Number.isSafeInteger(value)) ? value : undefined;
}

/** A JSON array as it is; a JSON object as the only item; else the parts between commas and "and". */
function arrayOf(text: string, items: ValueShape): readonly unknown[] | undefined {
	const value = parseJson(text);
	if (Array.isArray(value)) return value;
	if (isRecord(value) && items.types.includes('object')) return [value];
	const parts = text
		.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\n/)
		.map((part) => part.trim().replace(/^(["'`])(.*)\1$/, '$2'))
		.filter(Boolean);
	const values = parts.flatMap((part) => coerce(part, items) ?? []).map((part) => part.value);
	return parts.length > 0 && values.length === parts.length ? values : undefined;
}

/** A parameter with what its name says it is for. */
export class Slot {
	readonly parameter: Parameter;
	readonly name: string;
	readonly required: boolean;
	readonly stems: readonly string[];
	/** What it is of: `channel` for `channel_id`. */
	readonly nouns: readonly string[];
	/** A folder of a repository, which is the workspace unless the user says otherwise; no file in it. */
	readonly isRepository: boolean;
	readonly isNumeric: boolean;
	readonly isList: boolean;
	/** The fields of the object, or of the objects in the list, that it takes. */
	readonly fields: readonly Parameter[] | undefined;

	constructor(parameter: Parameter) {
		const { name, required, types, description, properties, items } = parameter;
		this.parameter = parameter;
		this.name = name;
		this.required = required;
		this.stems = stemsOf(name);
		this.nouns = this.stems.filter((word) => !hasRole(word, 'id') && word !== 'name');
		this.isRepository =
			/^(?:path|repo_?path|repository_?path|cwd|working_?dir(?:ectory)?)$/i.test(name) &&
			/\brepository\b/i.test(description) &&
			!/\bdestination\b/i.test(description);
		const isText = types.includes('string');
		this.isNumeric = !isText && (types.includes('number') || types.includes('integer'));
		this.isList = !isText && types.includes('array');
		this.fields = properties ?? (this.isList ? items?.properties : undefined);
	}

	is(role: Role): boolean {
		return hasRole(this.name, role);
	}

	/** How well a number fits, 0 if not at all; `isOf`: the words in front of it name this parameter. */
	numberPoints({ before: [label = ''], after = '' }: Literal, isOf: boolean): number {
		if (!this.isNumeric) return isOf && this.parameter.types.includes('string') ? 55 : 0;
		if (isOf || this.nouns.includes(stem(after))) return 60;
		const isFirst = /^(?:first|top|limit)$/.test(label);
		const isLast = /^(?:last|latest|newest)$/.test(label);
		if (!isFirst && !isLast) return this.required ? 20 : 0;
		return this.is('limit') && !this.stems.includes(isFirst ? 'tail' : 'head') ? 50 : 0;
	}
}
