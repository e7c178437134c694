import { isRecord } from '../../common/json.ts';
import type { JsonSchema } from '../../common/jsonSchema.ts';
import {
	isJson,
	mapMembers,
	maxRepetitions,
	type ReadingState,
	type Say,
	shortJson,
	spend,
} from './bounds.ts';

/** The value of a keyword without anything that JSON cannot express; `undefined` if nothing is left, or if it has not the required form. */
type Form = (value: unknown, place: ReadingState) => unknown;

const valueIf =
	(hasForm: (value: unknown, place: ReadingState) => boolean): Form =>
	(value, place) =>
		hasForm(value, place) ? value : undefined;
const itemsIf =
	(isKnown: (item: unknown, place: ReadingState) => boolean): Form =>
	(list, place) => {
		const known = Array.isArray(list) ? list.filter((item) => isKnown(item, place)) : [];
		return known.length > 0 ? known : undefined;
	};

const text: Form = (value) => (typeof value === 'string' ? value.toWellFormed() : undefined);
const names = itemsIf((item, place) => typeof item === 'string' && isJson(item, place));
/** An object, `true` (anything) or `false` (nothing). */
const isSchema = (value: unknown) => isRecord(value) || typeof value === 'boolean';
const anyValue: Form = (value) => value;
/** Schemas within are checked when they are read. */
export const oneSchema = valueIf(isSchema);
export const schemaList = valueIf((value) => Array.isArray(value) && value.some(isSchema));
export const namedSchemas = valueIf(isRecord);

/** The keywords of JSON Schema 2020-12 that say something about a value, by the form that their value must have. */
const keywords: readonly (readonly [Form, string])[] = [
	[text, 'title description format pattern'],
	[valueIf(Number.isFinite), 'minimum maximum exclusiveMinimum exclusiveMaximum'],
	[valueIf((value) => Number.isFinite(value) && Number(value) > 0), 'multipleOf'],
	[
		valueIf((value) => Number.isSafeInteger(value) && Number(value) >= 0),
		'minLength maxLength minItems maxItems minProperties maxProperties',
	],
	[valueIf((value) => typeof value === 'boolean'), 'uniqueItems deprecated readOnly writeOnly'],
	// `example` is OpenAPI's; a model can use it.
	[valueIf(isJson), 'const default example'],
	[itemsIf(isJson), 'enum examples'],
	[(value, place) => (typeof value === 'string' ? value : names(value, place)), 'type'],
	[names, 'required'],
	[oneSchema, 'items additionalProperties'],
	[schemaList, 'anyOf oneOf allOf prefixItems'],
	[namedSchemas, 'properties'],
	// No provider is sent these, so they only go into words.
	[
		anyValue,
		'not if then else contains minContains maxContains patternProperties propertyNames dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties contentEncoding contentMediaType',
	],
];

/**
 * The form of each keyword. Keywords about the schema itself (`$schema`, `$id`, `$comment`, `$defs`) and unknown ones are missing, and are not
 * sent.
 */
export const forms: ReadonlyMap<string, Form> = new Map(
	keywords.flatMap(([form, all]) => all.split(' ').map((keyword) => [keyword, form] as const)),
);

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
		if (form) spend(place, typeof value === 'string' ? value.length : 8);
		const known = form?.(value, place);
		if (known === undefined || isSent(keyword, known, place)) return known;
		if (!says(keyword, known)) return undefined;
		// Later rules charge the keywords that they rewrite to the budget; this one is read only here.
		if (typeof known !== 'object' || isJson(known, place)) say(`${keyword}: ${shortJson(known)}`);
		return undefined;
	});
}

function isSent(keyword: string, value: unknown, { dialect }: ReadingState): boolean {
	if (rewritten.has(keyword)) return true;
	if (!dialect.keywords.has(keyword)) return false;
	if (keyword === 'format') return dialect.formats.has(String(value));
	if (keyword === 'pattern') return isPlainPattern(String(value));
	return !repetitions.has(keyword) || Number(value) <= maxRepetitions;
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
