import { isRecord } from '../../discovery/record.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { alternativesAsOne } from './alternatives.ts';
import { withPlainUnions } from './compositions.ts';
import type { Dialect } from './dialects.ts';
import { withKeywords } from './editing.ts';
import { worded } from './jsonValues.ts';
import type { Say } from './place.ts';
import { typesOf } from './types.ts';

/** Keywords that no provider takes at the top, once unions are merged. */
const neverAtTop = ['anyOf', 'not', 'if', 'then', 'else', 'enum', 'const', 'items', 'prefixItems'];

/** The arguments of a tool as every provider has them: one object with its properties, no union. `undefined`: they are none. */
export function objectAtTop(schema: JsonSchema, say: Say): JsonSchema | undefined {
	const types = typesOf(schema);
	if (types.length > 0 && !types.includes('object')) return undefined;
	const merged = alternativesAsOne(withPlainUnions(schema, say), say);
	for (const keyword of ['not', 'if', 'then', 'else']) {
		if (keyword in merged) say(`${keyword}: ${worded(merged[keyword])}`);
	}
	const plain = withKeywords(merged, Object.fromEntries(neverAtTop.map((keyword) => [keyword, undefined])));
	if (plain.type === 'object' && isRecord(plain.properties)) return plain;
	const { type: _type, properties, ...others } = plain;
	return { type: 'object', properties: isRecord(properties) ? properties : {}, ...others };
}

/**
 * The schema without arguments whose names the provider refuses; the model reads of them in words and may give them all the
 * same. A string is the name of one that has to be given.
 */
export function withKnownArguments(
	schema: JsonSchema,
	{ argumentNames }: Dialect,
	say: Say,
): JsonSchema | string {
	if (argumentNames === undefined || !isRecord(schema.properties)) return schema;
	const entries = Object.entries(schema.properties);
	const refused = entries.filter(([name]) => !argumentNames.test(name));
	if (refused.length === 0) return schema;
	const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
	const missed = refused.find(([name]) => required.includes(name));
	if (missed) return missed[0];
	for (const [name, property] of refused)
		say(`Also takes ${worded(JSON.stringify(name))}: ${worded(property)}`);
	return withKeywords(schema, {
		properties: Object.fromEntries(entries.filter(([name]) => argumentNames.test(name))),
		...(schema.additionalProperties === false && { additionalProperties: undefined }),
	});
}
