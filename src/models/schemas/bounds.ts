import { isRecord } from '../../common/json.ts';
import { type JsonSchema, propertiesOf, requiredOf } from '../../common/jsonSchema.ts';
import { cut, folded } from '../../common/text.ts';
import type { Dialect } from './dialects.ts';

/** The place in a schema that is being read, and the rules for reading it. */
export interface ReadingState {
	readonly dialect: Dialect;
	readonly budget: Budget;
	/** The whole schema, in which references are looked up. Nothing is ever fetched. */
	readonly root: JsonSchema;
	/** References that led here, the first one first. */
	readonly references: readonly string[];
	/** 1 for the outermost schema. */
	readonly depth: number;
}

/** Adds to the description what the schema says and the provider does not accept: `minimum: 1`. */
export type Say = (words: string) => void;

/** Rewrites a schema for its provider. */
export type Rule = (schema: JsonSchema, say: Say, place: ReadingState) => JsonSchema;

/**
 * Limits for one tool's schema. Reading stops there, so that a bomb (definitions that refer to each other, endless nesting) costs no more than a
 * large schema. The largest of 1,786 real tools has 45,000 characters.
 */

/** Schemas and values read in one pass. */
const nodesRead = 10_000;
/** Characters of names and texts read in one pass. */
const charactersRead = 300_000;
/** Characters of a schema in a request. */
export const charactersSent = 100_000;
/** Nesting of a value inside `enum`, `const`, `default` or `examples`. */
const valueDepth = 16;
/** Levels of nested references that are written out. Deeper ones are replaced by their type and description. */
export const referenceDepth = 8;
/** Characters that are read of what is behind references. Four real tools would have over 60,000. */
const charactersOfReferences = 12_000;
/** Levels of nested schemas that are sent: "schema depth exceeds maximum limit of 10" (Moonshot); the limit of OpenAI's Structured Outputs. */
export const schemaDepth = 10;
/** Largest `minLength`, `maxLength`, `minItems` and `maxItems` that are sent. From 2,000 on: "failed to parse grammar" (llama.cpp, issue 25746). */
export const maxRepetitions = 1_000;
/** Total values of all enumerations of a tool (OpenAI's Structured Outputs, TensorRT-LLM). */
const enumValues = 1_000;
/** Parts of one `allOf` that are merged, and alternatives of two merged unions. */
export const mergedParts = 64;

/** Characters of one keyword's value in words. */
const shortJsonCharacters = 200;
/** Characters that words add to one schema's description. */
export const wordsCharacters = 600;
/** Characters of a tool's description. OpenAI's limit was 1,024 until May 2025; now no provider is known to have one. */
export const descriptionCharacters = 32_768;

/** Thrown for a schema over the limits. */
export class OverBudget extends Error {
	override readonly name = 'OverBudget';
}

/** What may still be read of one schema. */
export interface Budget {
	nodes: number;
	characters: number;
	/** Of what is behind references; after that, none is written out. */
	referencedCharacters: number;
	enumValues: number;
}

export function fullBudget(): Budget {
	return {
		nodes: nodesRead,
		characters: charactersRead,
		referencedCharacters: charactersOfReferences,
		enumValues,
	};
}

/** Charges one schema or value with this many characters. */
export function spend({ budget, references }: ReadingState, characters: number): void {
	budget.nodes -= 1;
	budget.characters -= characters;
	if (references.length > 0) budget.referencedCharacters -= characters + 1;
	if (budget.nodes < 0 || budget.characters < 0) throw new OverBudget();
}

/** Whether JSON can express a value exactly: no `NaN`, `undefined` or lone surrogate, and not too deep. */
export function isJson(value: unknown, place: ReadingState, depth = 0): boolean {
	if (typeof value === 'string') {
		spend(place, value.length);
		return value.isWellFormed();
	}
	spend(place, 1);
	if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return true;
	if (typeof value !== 'object' || depth > valueDepth) return false;
	if (Array.isArray(value)) return value.every((item) => isJson(item, place, depth + 1));
	return Object.entries(value).every(([name, item]) => {
		spend(place, name.length);
		return name.isWellFormed() && isJson(item, place, depth + 1);
	});
}

/** A JSON value on one short line. */
export function shortJson(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return cut(folded(text), shortJsonCharacters);
}

/**
 * Sets keywords, or removes those that are `undefined`. Made from entries, like everything here, so that a member called `__proto__` stays a
 * member.
 */
export function withKeywords(schema: JsonSchema, changes: JsonSchema): JsonSchema {
	return mapMembers(
		Object.fromEntries([...Object.entries(schema), ...Object.entries(changes)]),
		(value) => value,
	);
}

/** Replaces each member, or removes it for `undefined`. */
export function mapMembers(
	object: JsonSchema,
	replacement: (value: unknown, name: string) => unknown,
): JsonSchema {
	const replaced = Object.entries(object).map(([name, value]) => [name, replacement(value, name)] as const);
	return Object.fromEntries(replaced.filter(([, value]) => value !== undefined));
}

/**
 * One schema for what two schemas say. Where both say something else, the first counts: a server checks what it is sent. Properties and required
 * names are united, even if one schema allows no others: an `allOf` of two closed objects means their union, although it strictly allows nothing.
 */
export function united(first: JsonSchema, second: JsonSchema): JsonSchema {
	const properties = new Map(Object.entries(propertiesOf(first)));
	for (const [name, schema] of Object.entries(propertiesOf(second))) {
		const known = properties.get(name);
		properties.set(name, isRecord(known) && isRecord(schema) ? united(known, schema) : (known ?? schema));
	}
	const required = new Set([first, second].flatMap(requiredOf));
	return withKeywords(first, {
		...Object.fromEntries(Object.entries(second).filter(([keyword]) => !(keyword in first))),
		...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
		...(required.size > 0 && { required: [...required] }),
	});
}

/** A schema with what it could not say in its description. */
export function withOwnWords(read: (say: Say) => JsonSchema): JsonSchema {
	const words: string[] = [];
	const schema = read((sentence) => void words.push(sentence));
	const notes = cut(words.join('; '), wordsCharacters);
	const { description } = schema;
	return notes === ''
		? schema
		: withKeywords(schema, { description: description ? `${description} (${notes})` : notes });
}
