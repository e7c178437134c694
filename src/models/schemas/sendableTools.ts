import { isRecord } from '../../common/json.ts';
import { type JsonSchema, propertiesOf, requiredOf } from '../../common/jsonSchema.ts';
import { weakMemo } from '../../common/memo.ts';
import { cut, folded } from '../../common/text.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import {
	Budget,
	charactersSent,
	descriptionCharacters,
	OverBudget,
	type Say,
	worded,
	wordsCharacters,
} from './bounds.ts';
import { type Dialect, type DialectName, dialects } from './dialects.ts';
import { withKeywords } from './editing.ts';
import { asOpenApi } from './openApi.ts';
import { readSchema } from './reading.ts';
import { alternativesAsOne, mayBeObject } from './unions.ts';

/** A tool that cannot be sent. `reason`: a sentence that does not name the tool. */
export interface DroppedTool {
	readonly name: string;
	readonly reason: string;
}

/**
 * A tool without what a provider would refuse, so that one server's schema never makes the whole request fail. The same definition gives the same
 * object again, so the bytes of a request do not change: every request needs every tool again, and a new definition may have the same schema.
 */
export function sendableTool(tool: ToolDefinition, dialect: DialectName): ToolDefinition | DroppedTool {
	return rewriterFor(dialects[dialect])(tool);
}

const rewriterFor = weakMemo((dialect: Dialect) => {
	const verdictFor = weakMemo((schema: JsonSchema) => schemaVerdict(schema, dialect) ?? 'too large');
	return weakMemo((tool: ToolDefinition): ToolDefinition | DroppedTool => {
		const { name, inputSchema } = tool;
		const verdict = verdictFor(inputSchema);
		if (verdict === 'too large') return { name, reason: 'Its schema is too large.' };
		return { ...tool, description: describe(tool, verdict.words), inputSchema: verdict.schema };
	});
});

/** The tool's description, which some endpoints refuse if it is empty, followed by what its schema could not say. */
function describe({ name, description }: ToolDefinition, words: readonly string[]): string {
	const said = cut(folded(words.join('; ')), wordsCharacters);
	const own = cut(description.toWellFormed(), descriptionCharacters - said.length);
	return [own.trim() === '' ? name : own, ...(said === '' ? [] : [said])].join('\n\n');
}

/**
 * Reads a schema in bounded time. `words`: what it says and the provider would refuse, for the tool's description. `undefined` if there is too much
 * of it.
 */
function schemaVerdict(schema: JsonSchema, dialect: Dialect) {
	const words: string[] = [];
	const say = (said: string) => void words.push(said);
	const place = { dialect, budget: new Budget(), root: schema, references: [], depth: 1 };
	try {
		const read = readSchema(schema, place, say);
		const named = withKnownArguments(objectAtTop(read, schema, say), dialect, say);
		const known = dialect.openApi ? asOpenApi(named, say) : named;
		return JSON.stringify(known).length <= charactersSent ? { schema: known, words } : undefined;
	} catch (error) {
		if (error instanceof OverBudget) return undefined;
		throw error;
	}
}

/**
 * The arguments of a tool as every provider expects them: one object with its properties, no union; any arguments if the schema is no object, because
 * a tool that the model can find must be one that it can call.
 */
function objectAtTop(schema: JsonSchema, whole: JsonSchema, say: Say): JsonSchema {
	if (!mayBeObject(schema)) {
		say(`Its schema: ${worded(whole)}`);
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
		const what = `${worded(JSON.stringify(name))}: ${worded(property)}`;
		say(required.includes(name) ? `Requires an argument by this exact name, ${what}` : `Also takes ${what}`);
	}
	return withKeywords(schema, {
		properties: Object.fromEntries(entries.filter(([name]) => argumentNames.test(name))),
		...(schema.required !== undefined && { required: required.filter((name) => argumentNames.test(name)) }),
		...(schema.additionalProperties === false && { additionalProperties: undefined }),
	});
}
