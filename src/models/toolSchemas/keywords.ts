import { isRecord } from '../../discovery/record.ts';

/** What the value of a keyword has to be. */
export type Form =
	| 'text'
	| 'number'
	| 'positive'
	| 'count'
	| 'flag'
	| 'value'
	| 'values'
	| 'type'
	| 'names'
	| 'namesByName'
	| 'schema'
	| 'schemas'
	| 'schemasByName';

const keywords: Readonly<Record<Form, string>> = {
	text: 'title description format pattern contentEncoding contentMediaType',
	number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
	positive: 'multipleOf',
	count: 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
	flag: 'uniqueItems deprecated readOnly writeOnly',
	// `example` is OpenAPI's; a model can make use of it.
	value: 'const default example',
	values: 'enum examples',
	type: 'type',
	names: 'required',
	namesByName: 'dependentRequired',
	schema:
		'items additionalProperties propertyNames contains not if then else unevaluatedItems unevaluatedProperties',
	schemas: 'anyOf oneOf allOf prefixItems',
	schemasByName: 'properties patternProperties dependentSchemas',
};

/**
 * The keywords of JSON Schema 2020-12 that say something of a value, each with the form of its own. Keywords about the schema itself
 * (`$schema`, `$id`, `$comment`, `$defs`) and unknown ones are not among them, and are not sent.
 */
export const forms: ReadonlyMap<string, Form> = new Map(
	(Object.keys(keywords) as Form[]).flatMap((form) =>
		keywords[form].split(' ').map((keyword) => [keyword, form] as const),
	),
);

/** Whether a keyword's value has its form. Values within are not looked at, except that numbers are numbers. */
export function hasForm(form: Form, value: unknown): boolean {
	switch (form) {
		case 'text':
			return typeof value === 'string';
		case 'number':
			return Number.isFinite(value);
		case 'positive':
			return Number.isFinite(value) && Number(value) > 0;
		case 'count':
			return Number.isSafeInteger(value) && Number(value) >= 0;
		case 'flag':
			return typeof value === 'boolean';
		case 'value':
			return true;
		case 'values':
			return Array.isArray(value) && value.length > 0;
		case 'schemas':
			return Array.isArray(value) && value.some(isSchema);
		case 'type':
			return typeof value === 'string' || (Array.isArray(value) && value.length > 0);
		case 'names':
			return Array.isArray(value);
		case 'schema':
			return isSchema(value);
		case 'namesByName':
		case 'schemasByName':
			return isRecord(value);
	}
}

/** Whether a value can stand where a schema is expected: an object, `true` (anything) or `false` (nothing). */
function isSchema(value: unknown): boolean {
	return isRecord(value) || typeof value === 'boolean';
}
