import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import {
	alternativesOf,
	asSchema,
	type JsonSchema,
	type Member,
	membersOf,
	resolved,
	typesOf,
} from '../../common/jsonSchema.ts';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { folded, visible } from '../../common/text.ts';

/** A value that is chosen from a list. */
export interface Option {
	readonly value: unknown;
	readonly label: string;
	readonly description?: string;
}

/** How a value is asked for. Whether it fits is checked against the schema itself, so none of its rules is repeated here. */
export type InputKind =
	| { readonly kind: 'text' }
	| { readonly kind: 'number' }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'choice'; readonly options: readonly Option[] }
	/** An object, a list, or a value of several types. `any` also takes a text that is not JSON. */
	| { readonly kind: 'json'; readonly of: 'object' | 'array' | 'any' };

/** One parameter of a tool, as a person is asked for it. */
export interface Parameter {
	readonly name: string;
	/** One line; empty where the schema says nothing. */
	readonly description: string;
	readonly required: boolean;
	readonly input: InputKind;
	readonly default?: unknown;
	readonly example?: unknown;
	/** Of a required object or list: JSON with its required properties, to be filled in. */
	readonly skeleton?: unknown;
	/** Not to be shown nor remembered. */
	readonly secret: boolean;
}

/** What a tool asks for. */
export type Form =
	| {
			readonly kind: 'parameters';
			/** Required ones first, else as the schema has them. */
			readonly parameters: readonly Parameter[];
			/** To check single parameters with, as an object of one property. */
			readonly eachSchema: JsonSchema;
	  }
	/** The schema does not list its properties: all arguments are asked for as one JSON object. */
	| { readonly kind: 'whole'; readonly parameters: readonly [Parameter] };

/** Characters of a description that fit above an input, and of a value that a placeholder shows. */
const descriptionLength = 300;
const shownLength = 80;
/** Parameters that are asked for one by one, and options that a list shows. */
const mostParameters = 200;
const mostOptions = 1000;
/** Levels of a skeleton, and properties of one object in it. */
const deepest = 3;
const mostProperties = 20;
/** Keywords of the schema that single parameters can refer to; its rules for the whole object are left out. */
const sharedKeywords = ['$schema', '$id', '$defs', 'definitions', 'properties'];
/** Keywords by which a schema can ask for more than its properties show. */
const openKeywords = ['anyOf', 'oneOf', 'allOf', 'patternProperties', '$ref'];

/** What to ask for a tool's arguments, from its input schema, which a server has written and which may be anything. */
export function formOf(inputSchema: JsonSchema): Form {
	const root = asSchema(inputSchema);
	const own = resolved(root, root);
	const members = membersOf(own);
	const required = members.filter((member) => member.required);
	const inOrder = [...required, ...members.filter((member) => !member.required)];
	const parameters = inOrder
		// Assigning this property would replace the prototype of the arguments.
		.filter(({ name }) => name !== '__proto__')
		.slice(0, mostParameters)
		.map((member) => parameterOf(member, root));
	const shared = sharedKeywords.filter((keyword) => Object.hasOwn(own, keyword));
	const eachSchema = Object.fromEntries(shared.map((keyword) => [keyword, own[keyword]]));
	if (parameters.length === 0 && admitsMore(own)) return { kind: 'whole', parameters: [wholeParameter()] };
	return { kind: 'parameters', parameters, eachSchema };
}

function admitsMore(schema: JsonRecord): boolean {
	const { additionalProperties: more } = schema;
	return more === true || isRecord(more) || openKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}

function wholeParameter(): Parameter {
	const input = { kind: 'json', of: 'object' } as const;
	return { name: l10n.t('arguments'), description: '', required: true, input, skeleton: {}, secret: false };
}

function parameterOf({ name, schema, required }: Member, root: JsonRecord): Parameter {
	const own = resolved(schema, root);
	const { title, description, examples, default: usual = null } = own;
	const words = [description, title].find((text) => typeof text === 'string' && text.trim() !== '');
	const example = Array.isArray(examples) ? examples[0] : undefined;
	// Null is not asked for: an optional parameter that would be null is left out.
	const asked = required || usual !== null ? own : withoutNull(own, root);
	const input = inputKindOf(asked, root);
	const hasParts = input.kind === 'json' && input.of !== 'any';
	return {
		name,
		description: typeof words === 'string' ? folded(visible(words), descriptionLength) : '',
		required,
		input,
		...(usual !== null && { default: usual }),
		...(example !== undefined && { example }),
		...(required && hasParts && { skeleton: skeletonOf(own, root) }),
		secret: own.format === 'password' || own.writeOnly === true || nameVerdict(name) === 'secret',
	};
}

/** How values of a schema are asked for: as JSON where it allows several types. */
function inputKindOf(schema: JsonRecord, root: JsonRecord): InputKind {
	const options = optionsOf(schema, root);
	if (options) return { kind: 'choice', options };
	const types = typesOf(schema);
	switch (types.length > 1 ? 'several' : (types[0] ?? impliedType(schema))) {
		case 'string':
			return { kind: 'text' };
		case 'number':
		case 'integer':
			return { kind: 'number' };
		case 'boolean':
			return { kind: 'boolean' };
		case 'object':
			return { kind: 'json', of: 'object' };
		case 'array':
			return { kind: 'json', of: 'array' };
		default:
			return { kind: 'json', of: 'any' };
	}
}

/** The type that a schema without one is meant for. */
function impliedType(schema: JsonRecord): string | undefined {
	const implying = { properties: 'object', items: 'array', minLength: 'string', pattern: 'string' };
	return Object.entries(implying).find(([keyword]) => Object.hasOwn(schema, keyword))?.[1];
}

/** The values of an enumeration, however it is written: `const`, `enum`, or alternatives that each have a `const`. */
function optionsOf(schema: JsonRecord, root: JsonRecord): readonly Option[] | undefined {
	const { enum: values, enumDescriptions: words } = schema;
	if (Object.hasOwn(schema, 'const')) return [optionOf(schema.const, schema)];
	if (Array.isArray(values)) {
		const descriptions = Array.isArray(words) ? words : [];
		return usable(values.map((value, i) => optionOf(value, { description: descriptions[i] })));
	}
	const members = alternatives(schema, root);
	const areConstants = members.every((member) => Object.hasOwn(member, 'const'));
	return areConstants ? usable(members.map((member) => optionOf(member.const, member))) : undefined;
}

function usable(options: readonly Option[]): readonly Option[] | undefined {
	const distinct = new Map(options.map((one) => [JSON.stringify(one.value), one]));
	return distinct.size > 0 && distinct.size <= mostOptions ? [...distinct.values()] : undefined;
}

function optionOf(value: unknown, { title, description }: JsonRecord): Option {
	const label = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
	const words = [title, description].filter((text) => typeof text === 'string' && text !== '');
	return { value, label, ...(words.length > 0 && { description: words.join(': ') }) };
}

/** A value for a person to fill in: its required properties, and one item of a list. */
function skeletonOf(schema: unknown, root: JsonRecord, depth = 1): unknown {
	const own = resolved(schema, root);
	if (Object.hasOwn(own, 'default')) return own.default;
	const input = inputKindOf(own, root);
	switch (input.kind) {
		case 'text':
			return '';
		case 'number':
			return typeof own.minimum === 'number' ? own.minimum : 0;
		case 'boolean':
			return false;
		case 'choice':
			return input.options[0]?.value;
		case 'json':
			if (input.of === 'any') return null;
			if (input.of === 'array')
				return depth <= deepest && isRecord(own.items) ? [skeletonOf(own.items, root, depth + 1)] : [];
			return depth <= deepest ? requiredOf(own, root, depth) : {};
	}
}

function requiredOf(schema: JsonRecord, root: JsonRecord, depth: number): JsonRecord {
	const members = membersOf(schema).filter(({ name, required }) => required && name !== '__proto__');
	const shown = members.slice(0, mostProperties);
	return Object.fromEntries(shown.map(({ name, schema }) => [name, skeletonOf(schema, root, depth + 1)]));
}

/** What is left of a schema when null is taken from what it allows; the schema itself where more than one type is left. */
function withoutNull(schema: JsonRecord, root: JsonRecord): JsonRecord {
	if (Array.isArray(schema.type)) return { ...schema, type: schema.type.filter((type) => type !== 'null') };
	const [only, ...more] = alternatives(schema, root).filter(({ type }) => type !== 'null');
	if (!only || more.length > 0) return schema;
	const { anyOf: _any, oneOf: _one, ...shared } = schema;
	return { ...shared, ...only };
}

function alternatives(schema: JsonRecord, root: JsonRecord): readonly JsonRecord[] {
	return alternativesOf(schema).map((member) => resolved(member, root));
}

/**
 * The prompt of an input: what the parameter is, and its type in brackets. Where only the type is known it stands without brackets, since the
 * editor adds a remark in brackets itself.
 */
export function promptOf({ name, required, description, input }: Parameter): string {
	const type = typeLabel(input);
	if (description === '')
		return required ? l10n.t('{0}: {1}, required.', name, type) : l10n.t('{0}: {1}, optional.', name, type);
	const sentence = /[.!?:;…]$/.test(description) ? description : `${description}.`;
	return required
		? l10n.t('{0} ({1}, required): {2}', name, type, sentence)
		: l10n.t('{0} ({1}, optional): {2}', name, type, sentence);
}

/** The placeholder of an input. */
export function placeholderOf({ required, default: usual, example }: Parameter): string {
	const parts = [
		...(required ? [] : [l10n.t('Leave empty to leave out')]),
		...(usual === undefined ? [] : [l10n.t('default: {0}', shownValue(usual))]),
		...(example === undefined ? [] : [l10n.t('for example {0}', shownValue(example))]),
	];
	return parts.join(' · ');
}

/** The description of an optional parameter in the list of those that can be given. */
export function optionalLabel({ input, default: usual }: Parameter): string {
	return usual === undefined
		? typeLabel(input)
		: l10n.t('{0}, default: {1}', typeLabel(input), shownValue(usual));
}

function typeLabel(input: InputKind): string {
	switch (input.kind) {
		case 'text':
			return l10n.t('text');
		case 'number':
			return l10n.t('number');
		case 'boolean':
			return l10n.t('true or false');
		case 'choice':
			return l10n.t('one of a list');
		case 'json':
			if (input.of === 'any') return l10n.t('JSON or text');
			return input.of === 'object' ? l10n.t('JSON object: { … }') : l10n.t('JSON list: [ … ]');
	}
}

/** A value on one line. */
function shownValue(value: unknown): string {
	const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');
	return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
