import { isRecord } from '../../common/json.ts';
import { type JsonSchema, typesOf } from '../../common/jsonSchema.ts';
import { type Say, worded } from './bounds.ts';
import { withKeywords, withOwnWords } from './editing.ts';
import { mapSchemas } from './reading.ts';

/** In place of a schema without a type: every schema must have a type, and every object properties. */
const anything: JsonSchema = { anyOf: ['string', 'number', 'boolean'].map((type) => ({ type })) };

/** Keywords that belong to one of several types. */
const ofType: Readonly<Record<string, readonly string[]>> = {
	array: ['items', 'minItems', 'maxItems'],
	object: ['properties', 'required', 'minProperties', 'maxProperties'],
	string: ['enum', 'format', 'pattern', 'minLength', 'maxLength'],
};

/**
 * A schema that has been read, for providers that expect those of OpenAPI 3.0: one type per schema, `nullable` instead of the type `null`,
 * enumerations only of non-empty texts, and no schema without a type.
 */
export function asOpenApi(schema: JsonSchema, say: Say, isTop = true): JsonSchema {
	const child = (one: unknown) => (isRecord(one) ? withOwnWords((own) => asOpenApi(one, own, false)) : one);
	const read = mapSchemas(schema, child);
	const texts = withTextEnum(read, say);
	const types = typesOf(texts);
	const others = types.filter((type) => type !== 'null');
	const isNullable = others.length > 0 && others.length < types.length;
	const nullable =
		isNullable || (Array.isArray(schema.enum) && schema.enum.includes(null)) ? { nullable: true } : {};
	const isUnsaid = types.length === 0 && !Array.isArray(texts.anyOf) && !isTop;
	if (isUnsaid) return withKeywords(texts, { ...anything, ...nullable });
	const typed =
		others.length > 1 ? oneOfTypes(texts, others) : withKeywords(texts, { type: others[0] ?? types[0] });
	return withKeywords(typed, nullable);
}

function withTextEnum(schema: JsonSchema, say: Say): JsonSchema {
	if (!Array.isArray(schema.enum)) return schema;
	const values: readonly unknown[] = schema.enum.filter((value) => value !== null);
	const texts = values.filter((value) => typeof value === 'string' && value !== '');
	const isText = values.every((value) => typeof value === 'string');
	if (isText && texts.length === schema.enum.length) return schema;
	if (!isText) say(`One of ${values.map(worded).join(', ')}`);
	else if (texts.length < values.length) say('May be empty');
	return withKeywords(schema, { enum: isText && texts.length > 0 ? texts : undefined });
}

/** Splits a schema of several types into one alternative per type, each with the keywords that belong to it. */
function oneOfTypes(schema: JsonSchema, types: readonly string[]): JsonSchema {
	const anyOf = types.map((type) => {
		const own = (ofType[type] ?? []).filter((keyword) => schema[keyword] !== undefined);
		const items = type === 'array' && schema.items === undefined ? { items: anything } : {};
		return { type, ...Object.fromEntries(own.map((keyword) => [keyword, schema[keyword]])), ...items };
	});
	const moved = Object.values(ofType).flat();
	return withKeywords(schema, {
		...Object.fromEntries(moved.map((keyword) => [keyword, undefined])),
		type: undefined,
		anyOf,
	});
}
