import { isRecord } from '../../common/json.ts';
import { type JsonSchema, propertiesOf, requiredOf, typesOf } from '../../common/jsonSchema.ts';
import { weakMemo } from '../../common/memo.ts';
import { cut, folded } from '../../common/text.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import {
	charactersSent,
	descriptionCharacters,
	fullBudget,
	OverBudget,
	type Say,
	shortJson,
	withKeywords,
	withOwnWords,
	wordsCharacters,
} from './bounds.ts';
import { type Dialect, type DialectName, dialects } from './dialects.ts';
import { mapSchemas, readSchema } from './reading.ts';
import { alternativesAsOne, mayBeObject } from './rules.ts';

/** A tool that cannot be sent. `reason`: a sentence that does not name the tool. */
export interface UnsendableTool {
	readonly name: string;
	readonly reason: string;
}

/**
 * A tool without what a provider would refuse, so that one server's schema never makes the whole request fail. The same definition gives the same
 * object again, so the bytes of a request do not change: every request needs every tool again, and a new definition may have the same schema.
 */
export function sendableTool(tool: ToolDefinition, dialect: DialectName): ToolDefinition | UnsendableTool {
	return rewriterFor(dialects[dialect])(tool);
}

const rewriterFor = weakMemo((dialect: Dialect) => {
	const verdictFor = weakMemo((schema: JsonSchema) => schemaVerdict(schema, dialect) ?? 'too large');
	return weakMemo((tool: ToolDefinition): ToolDefinition | UnsendableTool => {
		const { name, inputSchema } = tool;
		const verdict = verdictFor(inputSchema);
		if (verdict === 'too large') return { name, reason: 'Its schema is too large.' };
		return { ...tool, description: describe(tool, verdict.words), inputSchema: verdict.schema };
	});
});

/** The tool's description, which some endpoints refuse if it is empty, followed by what its schema could not say. */
function describe({ name, description }: ToolDefinition, words: readonly string[]): string {
	const notes = cut(folded(words.join('; ')), wordsCharacters);
	const own = cut(description.toWellFormed(), descriptionCharacters - notes.length);
	return [own.trim() === '' ? name : own, ...(notes === '' ? [] : [notes])].join('\n\n');
}

/**
 * Reads a schema in bounded time. `words`: what it says and the provider would refuse, for the tool's description. `undefined` if there is too much
 * of it.
 */
function schemaVerdict(schema: JsonSchema, dialect: Dialect) {
	const words: string[] = [];
	const say = (sentence: string) => void words.push(sentence);
	const place = { dialect, budget: fullBudget(), root: schema, references: [], depth: 1 };
	try {
		const read = readSchema(schema, place, say);
		const plain = withKnownArguments(objectAtTop(read, schema, say), dialect, say);
		const sendable = dialect.openApi ? asOpenApi(plain, say) : plain;
		return JSON.stringify(sendable).length <= charactersSent ? { schema: sendable, words } : undefined;
	} catch (error) {
		if (error instanceof OverBudget) return undefined;
		throw error;
	}
}

/**
 * The arguments of a tool as every provider expects them: one object with its properties, no union; any arguments if the schema is no object, because
 * a tool that the model can find must be one that it can call.
 */
function objectAtTop(schema: JsonSchema, original: JsonSchema, say: Say): JsonSchema {
	if (!mayBeObject(schema)) {
		say(`Its schema: ${shortJson(original)}`);
		return { type: 'object', properties: {} };
	}
	const merged = alternativesAsOne(schema, say);
	const plain = withKeywords(merged, { anyOf: undefined, enum: undefined, items: undefined });
	if (plain.type === 'object' && isRecord(plain.properties)) return plain;
	const { type: _type, properties: _properties, ...others } = plain;
	return { type: 'object', properties: propertiesOf(plain), ...others };
}

/** The schema without arguments whose names the provider refuses. Words describe them, and the model can pass them all the same. */
function withKnownArguments(schema: JsonSchema, { argumentNames }: Dialect, say: Say): JsonSchema {
	if (argumentNames === undefined || !isRecord(schema.properties)) return schema;
	const entries = Object.entries(schema.properties);
	const refused = entries.filter(([name]) => !argumentNames.test(name));
	if (refused.length === 0) return schema;
	const required = requiredOf(schema);
	for (const [name, property] of refused) {
		const what = `${shortJson(JSON.stringify(name))}: ${shortJson(property)}`;
		say(required.includes(name) ? `Requires an argument by this exact name, ${what}` : `Also takes ${what}`);
	}
	return withKeywords(schema, {
		properties: Object.fromEntries(entries.filter(([name]) => argumentNames.test(name))),
		...(schema.required !== undefined && { required: required.filter((name) => argumentNames.test(name)) }),
		...(schema.additionalProperties === false && { additionalProperties: undefined }),
	});
}

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
	const child = (schema: unknown) =>
		isRecord(schema) ? withOwnWords((own) => asOpenApi(schema, own, false)) : schema;
	const read = mapSchemas(schema, child);
	const texts = withTextEnum(read, say);
	const types = typesOf(texts);
	const others = types.filter((type) => type !== 'null');
	const isNullable = others.length > 0 && others.length < types.length;
	const nullable =
		isNullable || (Array.isArray(schema.enum) && schema.enum.includes(null)) ? { nullable: true } : {};
	const isUntyped = types.length === 0 && !Array.isArray(texts.anyOf) && !isTop;
	if (isUntyped) return withKeywords(texts, { ...anything, ...nullable });
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
	if (!isText) say(`One of ${values.map(shortJson).join(', ')}`);
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
