import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { JsonSchema } from '../../common/jsonSchema.ts';
import { cut } from '../../common/text.ts';
import { wordsCharacters } from './bounds.ts';
import { intersection, mapItems, mapMembers, withKeywords } from './editing.ts';
import { forms, knownKeywords } from './keywords.ts';
import { openApiRule } from './openApi.ts';
import { nameIn, type Place, type Rule, type Say } from './place.ts';
import { arrayRule, enumRule, objectRule, typeRule } from './rules.ts';
import { compositionRule, unionRule } from './unions.ts';

/** What is done to a schema once those within it are done. */
const rules: readonly Rule[] = [
	compositionRule,
	typeRule,
	enumRule,
	arrayRule,
	objectRule,
	unionRule,
	openApiRule,
];

/** Keywords that ask for nothing. */
const describing: ReadonlySet<string> = new Set([
	'title',
	'description',
	'default',
	'examples',
	'deprecated',
]);

/**
 * A schema as the provider takes it; the same object where it takes it as it is. What cannot be sent goes to `say`. Throws `OverBudget`
 * where there is too much of it.
 */
export function readSchema(schema: JsonSchema, place: Place, say: Say): JsonSchema {
	place.budget.spend(Object.keys(schema).length);
	if (typeof schema.$ref === 'string') return readReference(schema.$ref, schema, place, say);
	const isTooDeep = place.depth >= place.dialect.depth;
	const seen = isTooDeep ? outline(schema) : inCurrentDraft(schema);
	const own = knownKeywords(seen, place, say);
	return byRules(withChildren(own, place), place, say);
}

function byRules(schema: JsonSchema, place: Place, say: Say): JsonSchema {
	return rules.reduce((read, rule) => rule(read, place, say), schema);
}

/** {@link readSchema} for a schema within another, its words in its own description. `undefined`: it allows nothing, or is no schema. */
function readChild(schema: unknown, place: Place): JsonSchema | undefined {
	if (schema === true) return {};
	if (!isRecord(schema)) return undefined;
	const words: string[] = [];
	const read = readSchema(schema, { ...place, depth: place.depth + 1 }, (said) => words.push(said));
	if (words.length === 0) return read;
	const said = cut(words.join('; '), wordsCharacters);
	const { description } = read;
	return withKeywords(read, { description: description ? `${description} (${said})` : said });
}

function withChildren(schema: JsonSchema, place: Place): JsonSchema {
	return mapMembers(schema, (value, keyword) => {
		switch (forms.get(keyword)) {
			case 'schema':
				// Of these keywords, `false` can be sent as it is.
				return typeof value === 'boolean' ? value : readChild(value, place);
			case 'schemas':
				return filled(mapItems(value as readonly unknown[], (item) => readChild(item, place)));
			case 'schemasByName':
				return mapMembers(value as JsonRecord, (item, name) => {
					place.budget.spend(name.length);
					// A property whose schema is none is kept without one: that it exists is known.
					return item === false ? undefined : (readChild(item, place) ?? {});
				});
			default:
				return value;
		}
	});
}

/** An empty list of schemas is not allowed in any draft. */
function filled(schemas: readonly unknown[]): readonly unknown[] | undefined {
	return schemas.length > 0 ? schemas : undefined;
}

/** The definition in the place of a reference, together with what stands beside it. */
function readReference(reference: string, schema: JsonSchema, place: Place, say: Say): JsonSchema {
	place.budget.spend(reference.length);
	const own = readSchema(withKeywords(schema, { $ref: undefined }), place, say);
	const target = place.definitions.find(reference);
	if (target === undefined) say(`Defined as ${cut(reference, wordsCharacters)}`);
	if (!isRecord(target)) return own;
	const { references, referenceDepth } = place;
	const isCircle = references.includes(reference);
	if (isCircle) say(`Like ${nameIn(reference) || 'the whole'} above`);
	const isTooDeep = isCircle || references.length >= referenceDepth;
	const within = { ...place, references: [...references, reference] };
	const meant = readSchema(isTooDeep ? outline(target) : target, within, say);
	const whole = intersection(own, meant);
	return Object.keys(own).every((keyword) => describing.has(keyword)) ? whole : byRules(whole, place, say);
}

/** What a schema says of a value without a look at what is in it. */
function outline(schema: JsonSchema): JsonSchema {
	return mapMembers(inCurrentDraft(schema), (value, keyword) =>
		/^(?:schema|names)/.test(forms.get(keyword) ?? 'names') ? undefined : value,
	);
}

/** A schema of an older draft in the words of JSON Schema 2020-12, meaning the same. Looks at its own keywords only. */
function inCurrentDraft(schema: JsonSchema): JsonSchema {
	return tuple(dependencies(exclusiveBounds(schema)));
}

/** Draft 4: `"exclusiveMinimum": true` beside the minimum that it is about. */
function exclusiveBounds(schema: JsonSchema): JsonSchema {
	let current = schema;
	for (const [bound, exclusive] of [
		['minimum', 'exclusiveMinimum'],
		['maximum', 'exclusiveMaximum'],
	] as const) {
		if (typeof current[exclusive] !== 'boolean') continue;
		const changes = current[exclusive]
			? { [bound]: undefined, [exclusive]: current[bound] }
			: { [exclusive]: undefined };
		current = withKeywords(current, changes);
	}
	return current;
}

/** Draft 7: `dependencies` on names and on schemas under one keyword. */
function dependencies(schema: JsonSchema): JsonSchema {
	if (!isRecord(schema.dependencies)) return schema;
	const entries = Object.entries(schema.dependencies);
	const names = entries.filter(([, value]) => Array.isArray(value));
	const schemas = entries.filter(([, value]) => isRecord(value));
	return withKeywords(schema, {
		dependencies: undefined,
		...(names.length > 0 && { dependentRequired: Object.fromEntries(names) }),
		...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
	});
}

/** Draft 7: a list of `items`, one for each place, and `additionalItems` for the rest. */
function tuple(schema: JsonSchema): JsonSchema {
	if (!Array.isArray(schema.items)) return schema;
	return withKeywords(schema, {
		prefixItems: schema.items,
		items: schema.additionalItems,
		additionalItems: undefined,
	});
}
