import { isRecord, type JsonRecord } from '../../common/json.ts';
import { type JsonSchema, modernSchema, targetOf } from '../../common/jsonSchema.ts';
import { cut } from '../../common/text.ts';
import {
	mapMembers,
	type ReadingState,
	type Rule,
	referenceDepth,
	type Say,
	schemaDepth,
	spend,
	united,
	withKeywords,
	withOwnWords,
	wordsCharacters,
} from './bounds.ts';
import { forms, knownKeywords, namedSchemas, oneSchema, schemaList } from './keywords.ts';
import {
	arrayRule,
	enumRule,
	objectRule,
	ownKeywordsRule,
	typeRule,
	unionRule,
	withItemEnum,
	withPlainUnions,
} from './rules.ts';

/** Applied to a schema after the schemas within it. */
const rules: readonly Rule[] = [
	withPlainUnions,
	typeRule,
	ownKeywordsRule,
	enumRule,
	arrayRule,
	objectRule,
	unionRule,
];

/**
 * A schema as the provider accepts it. What cannot be sent goes to `say`. Throws `OverBudget` if there is too much of it.
 */
export function readSchema(schema: JsonSchema, place: ReadingState, say: Say): JsonSchema {
	spend(place, Object.keys(schema).length);
	if (typeof schema.$ref === 'string') return readReference(schema.$ref, schema, place, say);
	const isTooDeep = place.depth >= schemaDepth;
	const normalized = isTooDeep
		? outline(schema)
		: withPatternValues(inCurrentDraft(modernSchema(schema)), place);
	const accepted = withItemEnum(knownKeywords(normalized, say, place));
	return rules.reduce((read, rule) => rule(read, say, place), withChildren(accepted, place));
}

/** {@link readSchema} for a schema within another, with its words in its own description; `undefined` if it allows nothing, or is no schema. */
function readChild(schema: unknown, place: ReadingState): JsonSchema | undefined {
	if (schema === true) return {};
	if (!isRecord(schema) || allowsNothing(schema)) return undefined;
	return withOwnWords((say) => readSchema(schema, { ...place, depth: place.depth + 1 }, say));
}

/** `false`, or what zod writes for it: in a union, its kind of an optional value. */
function allowsNothing(schema: unknown): boolean {
	if (!isRecord(schema)) return schema === false;
	const { not } = schema;
	return not === true || (isRecord(not) && Object.keys(not).length === 0);
}

function withChildren(schema: JsonSchema, place: ReadingState): JsonSchema {
	return mapSchemas(schema, (child, name) => {
		spend(place, name?.length ?? 0);
		// A property without a valid schema is kept: at least its name is known.
		return readChild(child, place) ?? (name === undefined || allowsNothing(child) ? undefined : {});
	});
}

/** Replaces each schema within a schema, or removes it for `undefined`. `name`: of a property. */
export function mapSchemas(
	schema: JsonSchema,
	replacement: (child: unknown, name?: string) => unknown,
): JsonSchema {
	return mapMembers(schema, (value, keyword) => {
		switch (forms.get(keyword)) {
			case oneSchema:
				// These keywords can also be `false`.
				return typeof value === 'boolean' ? value : replacement(value);
			case schemaList: {
				// No draft allows an empty list.
				const valid = (value as readonly unknown[]).map((child) => replacement(child)).filter(Boolean);
				return valid.length > 0 ? valid : undefined;
			}
			case namedSchemas:
				return mapMembers(value as JsonRecord, replacement);
			default:
				return value;
		}
	});
}

/** Replaces a reference by its definition, merged with the keywords beside it. */
function readReference(reference: string, schema: JsonSchema, place: ReadingState, say: Say): JsonSchema {
	spend(place, reference.length);
	const own = withKeywords(schema, { $ref: undefined });
	const target = targetOf(reference, place.root);
	if (target === undefined) say(`Defined as ${cut(reference, wordsCharacters)}`);
	if (!isRecord(target)) return readSchema(own, place, say);
	const { references, budget } = place;
	const isCircle = references.includes(reference);
	if (isCircle) say(`Like ${reference.split(/[/#]/).at(-1) || 'the whole'} above`);
	const isWritten = !isCircle && references.length < referenceDepth && budget.referencedCharacters > 0;
	const within = { ...place, references: [...references, reference] };
	return readSchema(united(own, isWritten ? target : outline(target)), within, say);
}

/** Keywords about a value, but not about its contents. */
const outlined: ReadonlySet<string> = new Set('type title description format enum const default'.split(' '));

function outline(schema: JsonSchema): JsonSchema {
	return mapMembers(schema, (value, keyword) => (outlined.has(keyword) ? value : undefined));
}

/** Draft 7: a list of `items`, one for each place, and `additionalItems` for the rest. */
function inCurrentDraft(schema: JsonSchema): JsonSchema {
	if (!Array.isArray(schema.items)) return schema;
	return withKeywords(schema, {
		prefixItems: schema.items,
		items: schema.additionalItems,
		additionalItems: undefined,
	});
}

/** Members whose names match a pattern are described in words, so any name is allowed to have their values: otherwise a closed object allows none. */
function withPatternValues(schema: JsonSchema, { dialect }: ReadingState): JsonSchema {
	const { patternProperties, additionalProperties: others = false } = schema;
	const values = isRecord(patternProperties) ? Object.values(patternProperties) : [];
	const isSent = dialect.keywords.has('additionalProperties');
	if (values.length === 0 || others !== false || !isSent) return schema;
	return withKeywords(schema, { additionalProperties: values.length === 1 ? values[0] : { anyOf: values } });
}
