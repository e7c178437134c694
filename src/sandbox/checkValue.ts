import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { isRecord } from '../common/json.ts';
import { jsonTypes, modernSchema } from '../common/jsonSchema.ts';
import type { ValidationOutcome } from './job.ts';

/** A value and its schema; `lookup` holds the schema's parts by address, as in `$ref`. */
interface Checked {
	readonly value: unknown;
	readonly schema: Schema | boolean;
	readonly lookup: Readonly<Record<string, Schema | boolean>>;
}

/** The value at a location such as `#/a/0/b`; `undefined` if there is none. */
function valueAt(value: unknown, location: string): unknown {
	return segmentsOf(location).reduce(childOf, value);
}

/** The value of a keyword at a location, which follows `$ref`s like the check did: `#/properties/a/$ref/type`. */
function keywordAt({ schema, lookup }: Checked, location: string): unknown {
	return segmentsOf(location).reduce<unknown>((at, segment) => {
		const child = childOf(at, segment);
		if (segment !== '$ref' || typeof child !== 'string') return child;
		const address = childOf(at, '__absolute_ref__');
		return lookup[typeof address === 'string' ? address : child];
	}, schema);
}

function segmentsOf(location: string): string[] {
	return location
		.split('/')
		.slice(1)
		.map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function childOf(value: unknown, key: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
	return (value as Readonly<Record<string, unknown>>)[key];
}

/** Characters of a value in a sentence. */
const shownCharacters = 60;
/** Entries of a list in a sentence. */
const shownEntries = 12;

/** Formats in words, with an example: few people know how dates are written here. */
const formats: ReadonlyMap<unknown, string> = new Map([
	['date', 'must be a date, written YYYY-MM-DD, such as 2026-01-31'],
	[
		'date-time',
		'must be a date and time, written YYYY-MM-DDThh:mm:ss with Z or an offset, such as 2026-01-31T14:30:00Z',
	],
	['time', 'must be a time, written hh:mm:ss with Z or an offset, such as 14:30:00Z'],
	['email', 'must be an email address, such as name@example.com'],
	['uri', 'must be a URL, such as https://example.com'],
]);

/** `limit`: the keyword's own value; `actual`: the value that violates it. */
type Sentence = (limit: unknown, actual: unknown) => string;

const sentences: Readonly<Record<string, Sentence>> = {
	type: (limit, actual) =>
		`expected ${list([...new Set(entries(limit).map(String))], 'or')}, not ${kindOf(actual, limit)}`,
	const: (limit) => `expected ${valueText(limit)}`,
	enum: (limit) => `expected ${list(entries(limit).map(valueText), 'or')}`,
	required: (limit, actual) => {
		const missing = entries(limit).filter((name) => !Object.hasOwn(Object(actual), String(name)));
		return `${list(missing.map(valueText), 'and')} ${missing.length === 1 ? 'is' : 'are'} missing`;
	},
	minimum: (limit) => `must be at least ${valueText(limit)}`,
	maximum: (limit) => `must be at most ${valueText(limit)}`,
	exclusiveMinimum: (limit) => `must be more than ${valueText(limit)}`,
	exclusiveMaximum: (limit) => `must be less than ${valueText(limit)}`,
	multipleOf: (limit) => `must be a multiple of ${valueText(limit)}`,
	minLength: (limit) => `needs at least ${valueText(limit)} characters`,
	maxLength: (limit) => `may have at most ${valueText(limit)} characters`,
	pattern: (limit) => `must match the pattern ${valueText(limit)}`,
	format: (limit) => formats.get(limit) ?? `must be of the format ${valueText(limit)}`,
	minItems: (limit) => `needs at least ${valueText(limit)} items`,
	maxItems: (limit) => `may have at most ${valueText(limit)} items`,
	uniqueItems: () => 'holds the same item twice',
	contains: () => 'needs an item of the kind that "contains" describes',
	minProperties: (limit) => `needs at least ${valueText(limit)} properties`,
	maxProperties: (limit) => `may have at most ${valueText(limit)} properties`,
	propertyNames: () => 'has a property whose name is not allowed',
	not: () => 'has a form that is not allowed here',
};

/** What is wrong, as a clause; empty for keywords where the library's own message is best. */
function sentence(keyword: string, limit: unknown, actual: unknown): string {
	return Object.hasOwn(sentences, keyword) ? (sentences[keyword]?.(limit, actual) ?? '') : '';
}

/** A JSON value on one line, cut if long. */
function valueText(value: unknown): string {
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** `a, b or c`. */
function list(texts: readonly string[], joint: 'and' | 'or'): string {
	if (texts.length > shownEntries) return `${texts.slice(0, shownEntries).join(', ')}, …`;
	return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} ${joint} ${texts.at(-1)}`;
}

function entries(limit: unknown): readonly unknown[] {
	return Array.isArray(limit) ? limit : [limit];
}

function kindOf(value: unknown, expectedType: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return typeof value === 'number' && entries(expectedType).includes('integer')
		? valueText(value)
		: typeof value;
}

/** Faults reported for one value. Fixing these often fixes the rest. */
const maxFaults = 5;
/** Characters of one fault. */
const maxCharacters = 300;

/** The library's findings as sentences, without findings that only introduce others. */
function faultsOf(units: readonly OutputUnit[], checked: Checked): string[] {
	const sentences = new Set<string>();
	for (const fault of innermost(located(units), checked)) {
		const place = segmentsOf(fault.location)
			.map((segment) => `/${segment}`)
			.join('');
		const text = place === '' ? fault.text : `${place}: ${fault.text}`;
		sentences.add(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);
		if (sentences.size === maxFaults) break;
	}
	return [...sentences];
}

interface Fault {
	readonly location: string;
	readonly text: string;
}

/** Findings that only introduce those inside them. */
const introductions = new Set([
	'$ref',
	'$recursiveRef',
	'additionalItems',
	'additionalProperties',
	'allOf',
	'dependentSchemas',
	'if',
	'items',
	'patternProperties',
	'prefixItems',
	'properties',
	'unevaluatedItems',
	'unevaluatedProperties',
]);
/** Findings that say everything: those inside them are about attempts that did not have to succeed. */
const conclusions = new Set(['contains', 'propertyNames']);

/** The library locates findings of the schema `false` at the value; theirs is the keyword before it. */
function located(units: readonly OutputUnit[]): OutputUnit[] {
	return units.map((unit, index) =>
		unit.keyword === 'false'
			? { ...unit, keywordLocation: `${units[index - 1]?.keywordLocation ?? '#'}/false` }
			: unit,
	);
}

function* innermost(units: readonly OutputUnit[], checked: Checked): Generator<Fault> {
	for (let index = 0; index < units.length; index++) {
		const unit = units[index];
		if (unit === undefined || introductions.has(unit.keyword)) continue;
		// Those inside belong to each alternative.
		const isUnion = unit.keyword === 'anyOf';
		const inside = isUnion || conclusions.has(unit.keyword) ? insideOf(unit, units.slice(index + 1)) : [];
		if (isUnion) yield* ofUnion(unit, inside, checked);
		else yield { location: unit.instanceLocation, text: textOf(unit, checked) };
		index += inside.length;
	}
}

function insideOf({ keywordLocation }: OutputUnit, following: readonly OutputUnit[]): readonly OutputUnit[] {
	const end = following.findIndex((unit) => !unit.keywordLocation.startsWith(`${keywordLocation}/`));
	return end < 0 ? following : following.slice(0, end);
}

/** The intended alternative, if exactly one has the right type. */
function* ofUnion(union: OutputUnit, inside: readonly OutputUnit[], checked: Checked): Generator<Fault> {
	const { keywordLocation, instanceLocation: location } = union;
	const forms = Map.groupBy(inside, (unit) =>
		Number(unit.keywordLocation.slice(keywordLocation.length + 1).split('/', 1)[0]),
	);
	const allowed = keywordAt(checked, keywordLocation);
	const count = Array.isArray(allowed) ? allowed.length : forms.size;
	const isTypeFault = (unit: OutputUnit) => unit.keyword === 'type' && unit.instanceLocation === location;
	const [intended, ...others] = [...forms.values()].filter((form) => !form.some(isTypeFault));
	const types = inside.filter(isTypeFault).flatMap((unit) => keywordAt(checked, unit.keywordLocation));
	if (intended !== undefined && others.length === 0) {
		yield* innermost(intended, checked);
	} else if (intended === undefined && types.length > 0) {
		yield { location, text: sentence('type', types, valueAt(checked.value, location)) };
	} else {
		yield { location, text: `fits none of the ${count} forms that are allowed here` };
	}
}

function textOf({ keyword, keywordLocation, instanceLocation, error }: OutputUnit, checked: Checked): string {
	if (keyword === 'false') return refusedText(keywordLocation, checked);
	const limit = keywordAt(checked, keywordLocation);
	const actual = valueAt(checked.value, instanceLocation);
	return sentence(keyword, limit, actual) || error;
}

/** Where a schema allows nothing: usually an unknown property. */
function refusedText(keywordLocation: string, checked: Checked): string {
	const [, around, keyword] = /^(.*)\/([^/]+)\/false$/.exec(keywordLocation) ?? [];
	if (keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties') return 'is not allowed here';
	const knownNames = Object.keys(keywordAt(checked, `${around}/properties`) ?? {});
	return knownNames.length > 0
		? `unknown property; known are ${list(knownNames.map(valueText), 'and')}`
		: 'unknown property';
}

/**
 * Validates a value against a JSON Schema. The library interprets schemas and compiles nothing; a `$ref` outside the schema is never
 * followed, and its value is unchecked. It may never end: the sandbox has a deadline.
 */
export function checkValue(written: unknown, value: unknown): ValidationOutcome {
	const schema = meaningfulSchema(written, true);
	if (typeof schema !== 'boolean' && !isObject(schema)) return unchecked('the schema is not an object');
	try {
		const lookup = dereference(schema);
		const { valid, errors } = validate(value, schema, draftOf(schema), lookup, false);
		return valid
			? { kind: 'valid' }
			: { kind: 'invalid', faults: faultsOf(errors, { schema, lookup, value }) };
	} catch (error) {
		const detail = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
		return unchecked(`the schema cannot be evaluated: ${detail?.slice(0, 200)}`);
	}
}

/** Keywords whose values are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/**
 * A schema without what would refuse values that servers accept: null in place of a keyword's value, which some libraries write for an absent one;
 * types that JSON does not have, such as `int`; that only one form of `oneOf` may fit, which models are not told either; and `format`, because
 * servers read dates without an offset, and URLs with any letter. The format of the whole value stays: a person types that value.
 */
function meaningfulSchema(schema: unknown, isWhole = false): unknown {
	if (Array.isArray(schema)) return schema.map((item) => meaningfulSchema(item));
	if (!isRecord(schema)) return schema;
	const { oneOf, allOf, ...rest } = modernSchema(schema);
	const forms = Array.isArray(oneOf) ? [{ anyOf: oneOf }] : [];
	const parts = forms.length > 0 ? { allOf: [...forms, ...[allOf ?? []].flat()] } : { oneOf, allOf };
	const keywords = Object.entries({ ...rest, ...parts }).flatMap(([keyword, value]) => {
		if (value === undefined || (value === null && keyword !== 'const')) return [];
		if (keyword === 'type' && !isRecord(value)) return typesIn(value);
		if (keyword === '$ref' && typeof value === 'string') {
			return [[keyword, value.replaceAll('/oneOf/', '/allOf/0/anyOf/')] as const];
		}
		if (keyword === 'format' && typeof value === 'string' && !isWhole) return [];
		return [[keyword, dataKeywords.has(keyword) ? value : meaningfulSchema(value)] as const];
	});
	return Object.fromEntries(keywords);
}

/** An unknown type may mean anything, so none of the types is kept. */
function typesIn(type: unknown): (readonly [string, unknown])[] {
	const names = [type].flat().map((name) => String(name).toLowerCase());
	return names.every((name) => jsonTypes.has(name)) ? [['type', names.length === 1 ? names[0] : names]] : [];
}

function unchecked(reason: string): ValidationOutcome {
	return { kind: 'unchecked', reason };
}

function isObject(schema: unknown): schema is Schema {
	return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

const drafts: readonly (readonly [pattern: RegExp, draft: SchemaDraft])[] = [
	// Draft 7 is a superset of draft 6, and of draft 4 in current words.
	[/draft-0[467]/, '7'],
	[/2019-09/, '2019-09'],
];

/** MCP's default is 2020-12. */
function draftOf(schema: Schema | boolean): SchemaDraft {
	const dialect = typeof schema === 'object' ? String(schema.$schema) : '';
	return drafts.find(([pattern]) => pattern.test(dialect))?.[1] ?? '2020-12';
}
