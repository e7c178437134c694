import { isRecord } from '../../common/json.ts';
import { type JsonSchema, propertiesOf, requiredOf } from '../../common/jsonSchema.ts';
import { cut } from '../../common/text.ts';
import { type Say, wordsCharacters } from './bounds.ts';

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
	const schema = read((said) => void words.push(said));
	const said = cut(words.join('; '), wordsCharacters);
	const { description } = schema;
	return said === ''
		? schema
		: withKeywords(schema, { description: description ? `${description} (${said})` : said });
}
