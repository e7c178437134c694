import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord, recordOf } from '../../common/json.ts';
import {
	alternativesOf,
	type JsonSchema,
	type Member,
	membersOf,
	resolved,
	typesOf,
} from '../../common/jsonSchema.ts';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { folded, visible } from '../../common/text.ts';
import type { InputKind, Option, Parameter, PathKind } from '../ui/inputs/parameter.ts';

/** The parameters to ask for. */
export type Form =
	| {
			readonly kind: 'parameters';
			/** Required ones first, else in the order of the schema. */
			readonly parameters: readonly Parameter[];
			/** Checks single parameters, as an object with one property. */
			readonly eachSchema: JsonSchema;
	  }
	/** The schema lists no properties, so all arguments are one JSON object. */
	| { readonly kind: 'whole'; readonly parameters: readonly [Parameter] };

/** Characters of a description above an input. */
const descriptionLength = 300;
/** Limits on parameters and on the options of a list. */
const maxParameters = 200;
const maxOptions = 1000;
/** Limits on a skeleton's levels and on the properties of one object. */
const deepest = 3;
const maxProperties = 20;
/** Keywords that a single parameter may refer to. Rules about the whole object are left out. */
const sharedKeywords = ['$schema', '$id', '$defs', 'definitions', 'properties'];
/** Keywords that may require more than the listed properties. */
const openKeywords = ['anyOf', 'oneOf', 'allOf', 'patternProperties', '$ref'];

/** What to ask for, from an input schema that a server wrote and that may be anything. */
export function formOf(inputSchema: JsonSchema): Form {
	const root = recordOf(inputSchema);
	const target = resolved(root, root);
	const members = membersOf(target);
	const required = members.filter((member) => member.required);
	const inOrder = [...required, ...members.filter((member) => !member.required)];
	const parameters = inOrder
		// Assigning this property would replace the prototype of the arguments.
		.filter(({ name }) => name !== '__proto__')
		.slice(0, maxParameters)
		.map((member) => parameterOf(member, root));
	const shared = sharedKeywords.filter((keyword) => Object.hasOwn(target, keyword));
	const eachSchema = Object.fromEntries(shared.map((keyword) => [keyword, target[keyword]]));
	if (parameters.length === 0 && admitsMore(target)) return { kind: 'whole', parameters: [wholeParameter()] };
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
	const target = resolved(schema, root);
	const { title, description, examples, default: defaultValue = null } = target;
	const words = [description, title].find((text) => typeof text === 'string' && text.trim() !== '');
	const example = Array.isArray(examples) ? examples[0] : undefined;
	// An optional parameter that would be null is left out.
	const askedSchema = required || defaultValue !== null ? target : withoutNull(target, root);
	const input = inputKindOf(askedSchema, root);
	const hasParts = input.kind === 'json' && input.of !== 'any';
	const path = pathKindOf(name, input);
	return {
		name,
		description: typeof words === 'string' ? folded(visible(words), descriptionLength) : '',
		required,
		input,
		...(defaultValue !== null && { default: defaultValue }),
		...(example !== undefined && { example }),
		...(required && hasParts && { skeleton: skeletonOf(target, root) }),
		...(path && { path }),
		secret: target.format === 'password' || target.writeOnly === true || nameVerdict(name) === 'secret',
	};
}

/** What the text of a parameter may name on this machine, by the last word of its name: `repo_path`, `outputDir`. */
function pathKindOf(name: string, { kind }: InputKind): PathKind | undefined {
	const word =
		name
			.split(/[^A-Za-z\d]+|(?<=[a-z])(?=[A-Z])/)
			.at(-1)
			?.toLowerCase() ?? '';
	if (kind !== 'text') return undefined;
	if (/^(dir|directory|folder)$/.test(word)) return 'folder';
	if (/^(file|filename|filepath)$/.test(word)) return 'file';
	return word === 'path' ? 'any' : undefined;
}

/** How to ask for a value: as JSON if the schema allows several types. */
function inputKindOf(schema: JsonRecord, root: JsonRecord): InputKind {
	const options = optionsOf(schema, root);
	if (options) return { kind: 'choice', options };
	const types = typesOf(schema);
	switch (types.length > 1 ? 'several' : (types[0] ?? impliedType(schema))) {
		case 'string':
			return { kind: 'text', ...(typeof schema.format === 'string' && { format: schema.format }) };
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

/** The type that a schema without one implies. */
function impliedType(schema: JsonRecord): string | undefined {
	const implying = { properties: 'object', items: 'array', minLength: 'string', pattern: 'string' };
	return Object.entries(implying).find(([keyword]) => Object.hasOwn(schema, keyword))?.[1];
}

/** The values of an enumeration: `const`, `enum`, or alternatives that each have a `const`. */
function optionsOf(schema: JsonRecord, root: JsonRecord): readonly Option[] | undefined {
	const { enum: values, enumNames: names, enumDescriptions: words } = schema;
	if (Object.hasOwn(schema, 'const')) return [optionOf(schema.const, schema)];
	if (Array.isArray(values)) {
		const [titles, descriptions] = [names, words].map((texts) => (Array.isArray(texts) ? texts : []));
		return usable(
			values.map((value, i) => optionOf(value, { title: titles?.[i], description: descriptions?.[i] })),
		);
	}
	const members = alternatives(schema, root);
	const areConstants = members.every((member) => Object.hasOwn(member, 'const'));
	return areConstants ? usable(members.map((member) => optionOf(member.const, member))) : undefined;
}

function usable(options: readonly Option[]): readonly Option[] | undefined {
	const distinct = new Map(options.map((option) => [JSON.stringify(option.value), option]));
	return distinct.size > 0 && distinct.size <= maxOptions ? [...distinct.values()] : undefined;
}

function optionOf(value: unknown, { title, description }: JsonRecord): Option {
	const written = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
	const label = typeof title === 'string' && title.trim() !== '' ? title : written;
	// Shows the value beside its title, which may differ.
	const words = [label === written ? '' : written, description].filter(
		(text) => typeof text === 'string' && text !== '',
	);
	return { value, label, ...(words.length > 0 && { description: words.join(': ') }) };
}

/** A value to fill in: the required properties, and one item of a list. */
function skeletonOf(schema: unknown, root: JsonRecord, depth = 1): unknown {
	const target = resolved(schema, root);
	if (Object.hasOwn(target, 'default')) return target.default;
	const input = inputKindOf(target, root);
	switch (input.kind) {
		case 'text':
			return '';
		case 'number':
			return typeof target.minimum === 'number' ? target.minimum : 0;
		case 'boolean':
			return false;
		case 'choice':
			return input.options[0]?.value;
		case 'choices':
			return [];
		case 'json':
			if (input.of === 'any') return null;
			if (input.of === 'array')
				return depth <= deepest && isRecord(target.items) ? [skeletonOf(target.items, root, depth + 1)] : [];
			return depth <= deepest ? requiredOf(target, root, depth) : {};
	}
}

function requiredOf(schema: JsonRecord, root: JsonRecord, depth: number): JsonRecord {
	const required = membersOf(schema).filter(({ name, required }) => required && name !== '__proto__');
	const entries = required.slice(0, maxProperties);
	return Object.fromEntries(entries.map(({ name, schema }) => [name, skeletonOf(schema, root, depth + 1)]));
}

/** The schema without null; the schema itself if several types remain. */
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
