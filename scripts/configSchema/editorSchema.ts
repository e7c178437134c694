import * as z from 'zod';
import { isRecord, type JsonRecord, recordOf } from '../../src/common/json.ts';
import { configSchema } from '../../src/config/schema.ts';

/** A suggestion of VS Code's JSON service, for its own keyword `defaultSnippets`. */
interface Snippet {
	readonly label?: string;
	readonly description?: string;
	readonly body: unknown;
}

/**
 * Turns the loader's schema into the editor's JSON JsonRecord for the configuration file. The editor's schema offers descriptions and
 * values, but contains no keyword that a file could violate: the extension alone reports errors, because it knows more
 * (variables, server names, what stays in force) and has the fixes. Otherwise, each error would be marked twice.
 */
export function editorSchema(): JsonRecord {
	const { definitions, ...root } = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' });
	return {
		$schema: 'http://json-schema.org/draft-07/schema#',
		title: 'Discovery: MCP servers and which of their tools are deferred',
		description: 'Generated from src/config/schema.ts by scripts/configSchema/main.ts. Do not edit.',
		allowComments: true,
		allowTrailingCommas: true,
		...helping(root),
		definitions: { server: helping(recordOf(recordOf(definitions).server)) },
	};
}

/**
 * Removes validating keywords, and replaces types by snippets. Objects and lists are none: a suggestion is matched by its JSON, so that a typed
 * `{` matches it, and Enter would accept it instead of starting a line. VS Code completes a key that has `properties` or `items` with brackets.
 */
function helping(schema: JsonRecord): JsonRecord {
	const {
		$ref,
		default: fallback,
		properties,
		additionalProperties,
		items,
		anyOf,
		doNotSuggest,
		type,
	} = schema;
	if ($ref !== undefined) return { $ref };
	const snippets = snippetsOf(schema);
	const examples = offeredExamples(schema);
	return {
		...describing(schema),
		...(fallback !== undefined && { default: fallback }),
		...(examples.length > 0 && { examples }),
		...(doNotSuggest !== undefined && { doNotSuggest }),
		...(snippets.length > 0 && { defaultSnippets: snippets }),
		...((properties !== undefined || type === 'object') && { properties: each(recordOf(properties)) }),
		...(isRecord(additionalProperties) && { additionalProperties: helping(additionalProperties) }),
		...(items !== undefined && { items: helping(recordOf(items)) }),
		...(Array.isArray(anyOf) &&
			anyOf.some(isNested) && { anyOf: anyOf.filter(isNested).map(withoutSnippets) }),
	};
}

function each(schemas: JsonRecord): JsonRecord {
	return Object.fromEntries(Object.entries(schemas).map(([key, value]) => [key, helping(recordOf(value))]));
}

/** The parent's snippets already include this member's. */
function withoutSnippets(member: JsonRecord): JsonRecord {
	return { ...helping(member), defaultSnippets: undefined };
}

/** A schema without keys of its own adds nothing to its snippets. */
function isNested(schema: unknown): schema is JsonRecord {
	return isRecord(schema) && schema.properties !== undefined;
}

/** VS Code completes a key that has several values with a list of them, also a text that can be anything: its examples are described instead. */
function offeredExamples({ examples, type }: JsonRecord): readonly unknown[] {
	const all = asList(examples);
	return type === 'string' && all.length > 1 ? [] : all.filter(isPlain);
}

function isPlain(value: unknown): boolean {
	return typeof value !== 'object' || value === null;
}

function describing({ description, enum: values, enumDescriptions, ...rest }: JsonRecord): JsonRecord {
	const shownExamples = offeredExamples(rest);
	const described = asList(rest.examples)
		.filter((example) => !shownExamples.includes(example))
		.map((example) => `\`${JSON.stringify(example)}\``);
	const lines = [
		...(typeof description === 'string' ? [description] : []),
		...listed(values, enumDescriptions),
		...(rest.default === undefined ? [] : [`Default: \`${JSON.stringify(rest.default)}\``]),
		...(described.length > 0 ? [`For example: ${described.join(', ')}`] : []),
	];
	if (lines.length === 0) return {};
	return { description, ...(lines.length > 1 && { markdownDescription: lines.join('\n\n') }) };
}

function listed(values: unknown, descriptions: unknown): string[] {
	if (!Array.isArray(values) || !Array.isArray(descriptions)) return [];
	if (values.length !== descriptions.length)
		throw new Error(`each value needs one description: ${values.join(', ')}`);
	return [values.map((value, i) => `- \`${JSON.stringify(value)}\`: ${descriptions[i]}`).join('\n')];
}

/** Snippets for the possible values. Examples or a default are better, if there are any. */
function snippetsOf(schema: JsonRecord): Snippet[] {
	const { defaultSnippets, enum: values, enumDescriptions, anyOf, type } = schema;
	if (Array.isArray(defaultSnippets)) return defaultSnippets;
	if (Array.isArray(values)) return values.map((value, i) => choice(value, asList(enumDescriptions)[i]));
	if (Array.isArray(anyOf)) return anyOf.flatMap((member) => snippetsOf(recordOf(member)));
	if ('const' in schema) return [choice(schema.const)];
	switch (type) {
		case 'boolean':
			return [choice(true), choice(false)];
		case 'null':
			return [choice(null)];
		case 'string':
			return offeredExamples(schema).length > 0 ? [] : [{ label: '""', body: '$1' }];
		default:
			return [];
	}
}

function choice(value: unknown, description?: unknown): Snippet {
	return {
		label: JSON.stringify(value),
		...(typeof description === 'string' && { description }),
		body: value,
	};
}

function asList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
