import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serverSections } from '../../../src/config/config.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { readLocalizedPackage } from '../../localizedPackage.ts';
import { codes, readPage, tablesUnder } from './markdown.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const page = readPage('docs/configuration.md');
const schema = z.toJSONSchema(configSchema, { io: 'input' }) as Schema;

/** `#/$defs/server`: the schema it stands for. */
function resolved(part: Schema): Schema {
	const name = part.$ref?.split('/').at(-1);
	return name === undefined ? part : (schema.$defs?.[name] as Schema);
}

/** Keys that have a value of their own, as `servers.*.command`, with their schemas. */
function* keys(part: Schema, at: readonly string[] = []): Generator<readonly [key: string, value: Schema]> {
	const { properties, additionalProperties } = resolved(part);
	const inner = Object.entries(properties ?? {}) as [string, Schema][];
	const isMap = typeof additionalProperties === 'object' && resolved(additionalProperties).properties;
	if (isMap) yield* keys(additionalProperties, [...at, '*']);
	else if (inner.length > 0) for (const [name, value] of inner) yield* keys(value, [...at, name]);
	else yield [at.join('.'), part];
}

/** What other programs call `servers` is told as one name. */
const otherSections = serverSections.slice(1);
const known = new Map(
	[...keys(schema)].filter(([key]) => !otherSections.some((section) => key.startsWith(section))),
);

describe('the page about the configuration', () => {
	const rows = tablesUnder(page, 'Keys');

	test('tells every key that the schema has, and no other', () => {
		const told = [...rows, ...tablesUnder(page, 'Other names')].flatMap(([key]) => codes(key));
		expect(told.sort()).toEqual([...known.keys(), ...otherSections].sort());
	});

	test('tells the defaults that the schema has', () => {
		const told = new Map(rows.map(([key, , value]) => [codes(key)[0], codes(value)[0]]));
		const withDefault = [...known].filter(([key, value]) => value.default !== undefined && told.has(key));
		expect(withDefault.length).toBeGreaterThan(5);
		for (const [key, value] of withDefault) {
			const expected = typeof value.default === 'string' ? value.default : JSON.stringify(value.default);
			expect([key, told.get(key)]).toEqual([key, expected]);
		}
	});

	test('names every value that a key can be chosen from', () => {
		const told = new Map(rows.map(([key, meaning]) => [codes(key)[0], meaning]));
		const choices = [...known].filter(([key, value]) => value.enum && told.has(key));
		expect(choices.length).toBeGreaterThan(5);
		const unnamed = choices.filter(([key, value]) => {
			return value.enum?.some((choice) => !codes(told.get(key)).includes(String(choice)));
		});
		expect(unnamed.map(([key]) => key)).toEqual([]);
	});

	test('tells every setting with its default', () => {
		const { properties } = readLocalizedPackage().contributes.configuration;
		const told = tablesUnder(page, 'Settings of VS Code').map(([name, , value]) => [
			codes(name)[0],
			codes(value)[0] ?? '',
		]);
		const settings = Object.entries<{ default: unknown }>(properties);
		expect(told.sort()).toEqual(settings.map(([name, value]) => [name, String(value.default)]).sort());
	});
});
