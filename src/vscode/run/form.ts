import { isRecord, type JsonRecord } from '../../common/json.ts';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { folded, visible } from '../../common/text.ts';
import type { JsonSchema } from '../../discovery/catalog/tool.ts';
import { rulesOf } from './questionLabels.ts';

/** A value that a parameter can be given by choosing it. */
export interface Option {
	readonly value: unknown;
	readonly label: string;
	readonly description?: string;
}

/** How a value of one kind is asked for. Whether it fits is for the schema to say: nothing here repeats its rules. */
export type InputKind =
	| { readonly kind: 'text' }
	| { readonly kind: 'number' }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'null' }
	| { readonly kind: 'choice'; readonly options: readonly Option[] }
	/** Any number of these. */
	| { readonly kind: 'choices'; readonly options: readonly Option[] }
	/** Several of them, parted by commas. */
	| { readonly kind: 'list'; readonly of: 'text' | 'number' }
	/** As JSON; `skeleton`: what to begin with. */
	| { readonly kind: 'json'; readonly type: 'object' | 'array' | 'any'; readonly skeleton?: string };

/** How a value is asked for: at once, or by its kind first, where it can be of several. */
export type Asking = InputKind | { readonly kind: 'forms'; readonly forms: readonly InputKind[] };

/** What is typed, not picked. */
export type TypedAsking = Extract<InputKind, { readonly kind: 'text' | 'number' | 'list' | 'json' }>;

/** One parameter of a tool, as a person is asked for it. */
export interface Parameter {
	readonly name: string;
	/** One line; empty where the schema says nothing. */
	readonly description: string;
	readonly required: boolean;
	readonly asking: Asking;
	/** What is and is not allowed, a few words each: `1 to 10`, `email`. */
	readonly rules: readonly string[];
	readonly default?: unknown;
	readonly example?: unknown;
	/** Not to be shown nor remembered. */
	readonly secret: boolean;
}

/** What a tool asks for. */
export interface Form {
	/** Required ones first, else as the schema has them. */
	readonly parameters: readonly Parameter[];
	/** The schema asks for what its list of properties does not show: the arguments are asked for as a whole. */
	readonly open: boolean;
	/** To check single parameters with, as an object of one property. */
	readonly eachSchema: JsonSchema;
}

/** References that are followed, one leading to the next. */
const mostHops = 8;

/**
 * A schema with what it refers to (`$ref` within the same schema, or the only member of an `allOf`) put in its place; its own keywords
 * win. What is no object, and what leads nowhere, is the schema that allows anything.
 */
export function resolvedSchema(schema: unknown, root: JsonRecord): JsonRecord {
	let at: JsonRecord = isRecord(schema) ? schema : {};
	for (let hop = 0; hop < mostHops; hop++) {
		const { $ref, allOf, ...own } = at;
		if (typeof $ref === 'string') {
			at = { ...(allOf !== undefined && { allOf }), ...targetOf($ref, root), ...own };
		} else if (Array.isArray(allOf) && allOf.length === 1 && isRecord(allOf[0])) {
			at = { ...allOf[0], ...own };
		} else {
			return at;
		}
	}
	return {};
}

/** Follows a JSON pointer; addresses of other documents are not fetched. */
function targetOf(ref: string, root: JsonRecord): JsonRecord {
	if (!ref.startsWith('#')) return {};
	const target = ref
		.slice(1)
		.split('/')
		.slice(1)
		.reduce<unknown>((at, segment) => childOf(at, segment), root);
	return isRecord(target) ? target : {};
}

function childOf(value: unknown, segment: string): unknown {
	const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
	return (value as JsonRecord)[key];
}

/** Levels and entries of a skeleton: enough to see what is wanted. */
const deepest = 4;
const mostEntries = 30;

/** The least JSON of a schema's form for a person to fill in: required properties, and one item of a list. */
export function skeletonOf(schema: JsonRecord, root: JsonRecord): string {
	return JSON.stringify(exampleOf(schema, root, 1));
}

function exampleOf(schema: unknown, root: JsonRecord, depth: number): unknown {
	const own = resolvedSchema(schema, root);
	if (Object.hasOwn(own, 'default')) return own.default;
	if (Object.hasOwn(own, 'const')) return own.const;
	if (Array.isArray(own.enum) && own.enum.length > 0) return own.enum[0];
	const type = Array.isArray(own.type) ? own.type[0] : own.type;
	switch (type ?? (isRecord(own.properties) ? 'object' : undefined)) {
		case 'object':
			return depth < deepest ? requiredOf(own, root, depth) : {};
		case 'array':
			return depth < deepest && isRecord(own.items) ? [exampleOf(own.items, root, depth + 1)] : [];
		case 'number':
		case 'integer':
			return typeof own.minimum === 'number' ? own.minimum : 0;
		case 'boolean':
			return false;
		case 'string':
			return '';
		default:
			return null;
	}
}

function requiredOf(schema: JsonRecord, root: JsonRecord, depth: number): JsonRecord {
	const properties = isRecord(schema.properties) ? schema.properties : {};
	const required = Array.isArray(schema.required) ? schema.required : [];
	const names = Object.keys(properties).filter((name) => required.includes(name));
	return Object.fromEntries(
		names.slice(0, mostEntries).map((name) => [name, exampleOf(properties[name], root, depth + 1)]),
	);
}

/** Kinds of value that a person is let choose from; where there are more, JSON says it sooner. */
const mostForms = 6;
/** Options that a list shows; longer enumerations are typed. */
const mostOptions = 1000;

/** How values of a schema are asked for. */
export function inputKindOf(schema: unknown, root: JsonRecord): Asking {
	const own = resolvedSchema(schema, root);
	const options = optionsOf(own, root);
	if (options) return { kind: 'choice', options };
	const forms = distinct(formsOf(own, root));
	const [only, ...others] = forms;
	if (only && others.length === 0) return only;
	return only && forms.length <= mostForms ? { kind: 'forms', forms } : json('any', own, root);
}

/** The values of an enumeration, however it is written. */
function optionsOf(schema: JsonRecord, root: JsonRecord): readonly Option[] | undefined {
	if (Object.hasOwn(schema, 'const')) return [option(schema.const, schema)];
	if (Array.isArray(schema.enum)) {
		const { enum: values, enumDescriptions: descriptions } = schema;
		return usable(values.map((value, i) => option(value, { description: at(descriptions, i) })));
	}
	const members = membersOf(schema)?.map((member) => resolvedSchema(member, root));
	if (!members?.every((member) => Object.hasOwn(member, 'const'))) return undefined;
	return usable(members.map((member) => option(member.const, member)));
}

function usable(options: readonly Option[]): readonly Option[] | undefined {
	const byValue = new Map(options.map((one) => [JSON.stringify(one.value), one]));
	return byValue.size > 0 && byValue.size <= mostOptions ? [...byValue.values()] : undefined;
}

function option(value: unknown, { title, description }: JsonRecord): Option {
	const written = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
	const words = [title, description].filter((text) => typeof text === 'string' && text !== '');
	return { value, label: written, ...(words.length > 0 && { description: words.join(': ') }) };
}

/** The kinds of value that a schema without an enumeration allows. */
function formsOf(schema: JsonRecord, root: JsonRecord): readonly Asking[] {
	const members = membersOf(schema);
	if (members && members.length <= mostForms) {
		const { anyOf: _any, oneOf: _one, ...shared } = schema;
		return members.map((member) => {
			const own = { ...shared, ...resolvedSchema(member, root) };
			// Alternatives within alternatives are for JSON: no person finds their way in a tree of them.
			return membersOf(own) && !optionsOf(own, root) ? json('any', own, root) : inputKindOf(own, root);
		});
	}
	if (members) return [json('any', schema, root)];
	if (Array.isArray(schema.type)) return schema.type.map((type) => askingOfType(type, schema, root));
	return [askingOfType(schema.type ?? impliedType(schema), schema, root)];
}

function askingOfType(type: unknown, schema: JsonRecord, root: JsonRecord): InputKind {
	switch (type) {
		case 'string':
			return { kind: 'text' };
		case 'number':
		case 'integer':
			return { kind: 'number' };
		case 'boolean':
			return { kind: 'boolean' };
		case 'null':
			return { kind: 'null' };
		case 'array':
			return askingOfArray(schema, root);
		case 'object':
			return json('object', schema, root);
		default:
			return json('any', schema, root);
	}
}

function askingOfArray(schema: JsonRecord, root: JsonRecord): InputKind {
	if (!isRecord(schema.items) || schema.prefixItems !== undefined) return json('array', schema, root);
	const items = resolvedSchema(schema.items, root);
	const options = optionsOf(items, root);
	if (options) return { kind: 'choices', options };
	const ofEach = membersOf(items) ? undefined : formsOf(items, root);
	const [only] = ofEach?.length === 1 ? ofEach : [];
	if (only?.kind === 'text' || only?.kind === 'number') return { kind: 'list', of: only.kind };
	return json('array', schema, root);
}

function json(type: 'object' | 'array' | 'any', schema: JsonRecord, root: JsonRecord): InputKind {
	const skeleton = type === 'any' ? undefined : skeletonOf({ ...schema, type }, root);
	return { kind: 'json', type, ...(skeleton !== undefined && { skeleton }) };
}

/** What schemas that name no type are meant for. */
function impliedType(schema: JsonRecord): string | undefined {
	const implying = { properties: 'object', items: 'array', minLength: 'string', pattern: 'string' };
	return Object.entries(implying).find(([keyword]) => Object.hasOwn(schema, keyword))?.[1];
}

function membersOf(schema: JsonRecord): readonly unknown[] | undefined {
	const members = schema.anyOf ?? schema.oneOf;
	return Array.isArray(members) && members.length > 0 ? members : undefined;
}

/** Two kinds that are asked for alike are one to a person; the schema still tells them apart. */
function distinct(forms: readonly Asking[]): readonly InputKind[] {
	const flat = forms.flatMap((form) => (form.kind === 'forms' ? form.forms : [form]));
	return [...Map.groupBy(flat, keyOf).values()].flatMap(([first]) => (first ? [first] : []));
}

function keyOf(form: InputKind): unknown {
	if (form.kind === 'choice' || form.kind === 'choices') return form;
	return form.kind === 'list' ? `list of ${form.of}` : form.kind === 'json' ? `json ${form.type}` : form.kind;
}

function at(list: unknown, i: number): unknown {
	return Array.isArray(list) ? list[i] : undefined;
}

/** Characters of a description that fit above an input. */
const descriptionLength = 300;
/** Parameters that are asked for one by one; who meant more meant JSON. */
const mostParameters = 200;
/** What single parameters are checked with: the parts of the schema that they can refer to, and none of its demands on the whole. */
const sharedKeywords = ['$schema', '$id', '$defs', 'definitions', 'properties'];
/** Keywords by which a schema can ask for more than its properties show. */
const openKeywords = ['anyOf', 'oneOf', 'allOf', 'patternProperties', '$ref'];

/** What there is to ask for a tool's arguments, from its input schema, which is somebody else's and may be anything. */
export function formOf(inputSchema: JsonSchema): Form {
	const root: JsonRecord = isRecord(inputSchema) ? inputSchema : {};
	const own = resolvedSchema(root, root);
	const properties = isRecord(own.properties) ? own.properties : {};
	const required = Array.isArray(own.required) ? own.required.filter((name) => typeof name === 'string') : [];
	const names = new Set([
		...Object.keys(properties).filter((name) => required.includes(name)),
		...required,
		...Object.keys(properties),
	]);
	// To assign to this name is to change what an object is made from.
	names.delete('__proto__');
	const parameters = [...names].slice(0, mostParameters).map((name) => {
		const schema = Object.hasOwn(properties, name) ? properties[name] : {};
		return parameterOf(name, schema, required.includes(name), root);
	});
	const shared = sharedKeywords.filter((keyword) => Object.hasOwn(own, keyword));
	const eachSchema = Object.fromEntries(shared.map((keyword) => [keyword, own[keyword]]));
	return { parameters, open: isOpen(own, parameters), eachSchema };
}

function parameterOf(name: string, schema: unknown, required: boolean, root: JsonRecord): Parameter {
	const own = resolvedSchema(schema, root);
	const asking = withoutNull(inputKindOf(schema, root), required, own);
	const { title, description, examples } = own;
	const words = [description, title].find((text) => typeof text === 'string' && text.trim() !== '');
	const example = Array.isArray(examples) ? examples[0] : undefined;
	return {
		name,
		description: typeof words === 'string' ? folded(visible(words), descriptionLength) : '',
		required,
		asking,
		rules: rulesOf(own, asking),
		...(Object.hasOwn(own, 'default') && own.default !== null && { default: own.default }),
		...(example !== undefined && { example }),
		secret: own.format === 'password' || own.writeOnly === true || nameVerdict(name) === 'secret',
	};
}

/** Nothing is what an optional parameter has when it is left out, so nobody need be asked whether it is to be nothing. */
function withoutNull(asking: Asking, required: boolean, { default: byDefault = null }: JsonRecord): Asking {
	if (required || asking.kind !== 'forms' || byDefault !== null) return asking;
	const forms = asking.forms.filter(({ kind }) => kind !== 'null');
	const [only, ...others] = forms;
	return only && others.length === 0 ? only : { kind: 'forms', forms };
}

function isOpen(schema: JsonRecord, parameters: readonly Parameter[]): boolean {
	if (parameters.length > 0) return false;
	const { additionalProperties } = schema;
	const admits = additionalProperties === true || isRecord(additionalProperties);
	return admits || openKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}
