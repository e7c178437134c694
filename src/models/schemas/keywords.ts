import { isRecord } from '../../common/json.ts';
import type { JsonSchema } from '../../common/jsonSchema.ts';
import { isJson, mostRepetitions, type ReadingState, type Say, worded } from './bounds.ts';
import { mapMembers } from './editing.ts';

/** The keywords of JSON Schema 2020-12 that say something about a value, by the form that their value must have. */
const keywords = {
	text: 'title description format pattern',
	number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
	positive: 'multipleOf',
	count: 'minLength maxLength minItems maxItems minProperties maxProperties',
	flag: 'uniqueItems deprecated readOnly writeOnly',
	// `example` is OpenAPI's; a model can use it.
	value: 'const default example',
	values: 'enum examples',
	type: 'type',
	names: 'required',
	schema: 'items additionalProperties',
	schemas: 'anyOf oneOf allOf prefixItems',
	properties: 'properties',
	/** No provider is sent these, so they only go into words. */
	words:
		'not if then else contains minContains maxContains patternProperties propertyNames dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties contentEncoding contentMediaType',
} as const;

/** The required form of a keyword's value. */
export type Form = keyof typeof keywords;

/**
 * The form of each keyword. Keywords about the schema itself (`$schema`, `$id`, `$comment`, `$defs`) and unknown ones are missing, and are not
 * sent.
 */
export const forms: ReadonlyMap<string, Form> = new Map(
	(Object.keys(keywords) as Form[]).flatMap((form) =>
		keywords[form].split(' ').map((keyword) => [keyword, form] as const),
	),
);

/** Whether a value is a schema: an object, `true` (anything) or `false` (nothing). */
function isSchema(value: unknown): boolean {
	return isRecord(value) || typeof value === 'boolean';
}

/** Keywords that later rules replace if the provider does not accept them. */
const rewritten: ReadonlySet<string> = new Set(['const', 'oneOf', 'allOf', 'prefixItems']);
const repetitions: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

/** Longest pattern that is sent, in characters. */
const patternCharacters = 500;
/** Anchored, without escapes and special groups: the same in every dialect of regular expressions. */
const plainPattern = /^\^(?:(?!\(\?)[^\\^$])*\$$/;

/**
 * Keeps the keywords that JSON Schema defines and the provider accepts. A keyword with an invalid value is left out; one that the provider does
 * not accept goes into words.
 */
export function knownKeywords(schema: JsonSchema, say: Say, place: ReadingState): JsonSchema {
	return mapMembers(schema, (value, keyword) => {
		const form = forms.get(keyword);
		const known = form && knownValue(form, value, place);
		if (known === undefined || isTaken(keyword, known, place)) return known;
		if (!says(keyword, known)) return undefined;
		// Later rules charge the keywords that they rewrite to the budget; this one is read only here.
		if (typeof known !== 'object' || isJson(known, place.budget)) say(`${keyword}: ${worded(known)}`);
		return undefined;
	});
}

/**
 * The value of a keyword without anything that JSON cannot express; `undefined` if nothing is left, or if it has not the required form. Nested
 * schemas are not checked.
 */
function knownValue(form: Form, value: unknown, { budget }: ReadingState): unknown {
	budget.spend(typeof value === 'string' ? value.length : 8);
	const isText = (item: unknown) => typeof item === 'string' && isJson(item, budget);
	const valueIf = (hasForm: boolean) => (hasForm ? value : undefined);
	switch (form) {
		case 'text':
			return typeof value === 'string' ? value.toWellFormed() : undefined;
		case 'number':
			return valueIf(Number.isFinite(value));
		case 'positive':
			return valueIf(Number.isFinite(value) && Number(value) > 0);
		case 'count':
			return valueIf(Number.isSafeInteger(value) && Number(value) >= 0);
		case 'flag':
			return valueIf(typeof value === 'boolean');
		case 'value':
			return valueIf(isJson(value, budget));
		case 'values':
			return knownItems(value, (item) => isJson(item, budget));
		case 'type':
			return typeof value === 'string' ? value : knownItems(value, isText);
		case 'names':
			return knownItems(value, isText);
		case 'schema':
			return valueIf(isSchema(value));
		case 'schemas':
			return valueIf(Array.isArray(value) && value.some(isSchema));
		case 'properties':
			return valueIf(isRecord(value));
		case 'words':
			return value;
	}
}

function knownItems(list: unknown, isKnown: (item: unknown) => boolean): unknown {
	if (!Array.isArray(list)) return undefined;
	const known = list.filter(isKnown);
	return known.length > 0 ? known : undefined;
}

function isTaken(keyword: string, value: unknown, { dialect }: ReadingState): boolean {
	if (rewritten.has(keyword)) return true;
	if (!dialect.keywords.has(keyword)) return false;
	if (keyword === 'format') return dialect.formats.has(String(value));
	if (keyword === 'pattern') return isPlainPattern(String(value));
	return !repetitions.has(keyword) || Number(value) <= mostRepetitions;
}

function isPlainPattern(pattern: string): boolean {
	if (pattern.length > patternCharacters || !plainPattern.test(pattern)) return false;
	try {
		new RegExp(pattern);
		return true;
	} catch {
		return false;
	}
}

/** Whether a keyword is worth putting into words. That names of properties are strings, as some generators write, is not. */
function says(keyword: string, value: unknown): boolean {
	if (keyword === 'propertyNames') return !isRecord(value) || Object.keys(value).join() !== 'type';
	return typeof value !== 'boolean' || value;
}
