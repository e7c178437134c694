import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import type { Asking, Option, SingleAsking } from './parameter.ts';
import { resolvedSchema } from './resolveSchema.ts';
import { skeletonOf } from './skeleton.ts';

/** Kinds of value that a person is let choose from; where there are more, JSON says it sooner. */
const mostForms = 6;
/** Options that a list shows; longer enumerations are typed. */
const mostOptions = 1000;

/** How values of a schema are asked for. */
export function askingOf(schema: unknown, root: JsonRecord): Asking {
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
			return membersOf(own) && !optionsOf(own, root) ? json('any', own, root) : askingOf(own, root);
		});
	}
	if (members) return [json('any', schema, root)];
	if (Array.isArray(schema.type)) return schema.type.map((type) => askingOfType(type, schema, root));
	return [askingOfType(schema.type ?? impliedType(schema), schema, root)];
}

function askingOfType(type: unknown, schema: JsonRecord, root: JsonRecord): SingleAsking {
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

function askingOfArray(schema: JsonRecord, root: JsonRecord): SingleAsking {
	if (!isRecord(schema.items) || schema.prefixItems !== undefined) return json('array', schema, root);
	const items = resolvedSchema(schema.items, root);
	const options = optionsOf(items, root);
	if (options) return { kind: 'choices', options };
	const ofEach = membersOf(items) ? undefined : formsOf(items, root);
	const [only] = ofEach?.length === 1 ? ofEach : [];
	if (only?.kind === 'text' || only?.kind === 'number') return { kind: 'list', of: only.kind };
	return json('array', schema, root);
}

function json(type: 'object' | 'array' | 'any', schema: JsonRecord, root: JsonRecord): SingleAsking {
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
function distinct(forms: readonly Asking[]): readonly SingleAsking[] {
	const flat = forms.flatMap((form) => (form.kind === 'forms' ? form.forms : [form]));
	return [...Map.groupBy(flat, keyOf).values()].flatMap(([first]) => (first ? [first] : []));
}

function keyOf(form: SingleAsking): unknown {
	if (form.kind === 'choice' || form.kind === 'choices') return form;
	return form.kind === 'list' ? `list of ${form.of}` : form.kind === 'json' ? `json ${form.type}` : form.kind;
}

function at(list: unknown, i: number): unknown {
	return Array.isArray(list) ? list[i] : undefined;
}
