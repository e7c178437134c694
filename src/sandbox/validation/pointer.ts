import type { Schema } from '@cfworker/json-schema';

/** A schema as it was checked: `lookup` holds its parts by their addresses, as `$ref` names them. */
export interface CheckedSchema {
	readonly schema: Schema | boolean;
	readonly lookup: Readonly<Record<string, Schema | boolean>>;
}

/** The value at a location such as `#/a/0/b`; `undefined` where there is none. */
export function valueAt(value: unknown, location: string): unknown {
	return segmentsOf(location).reduce(childOf, value);
}

/** What a location of a schema holds; the location goes through `$ref`s as the check did, e.g. `#/properties/a/$ref/type`. */
export function keywordAt({ schema, lookup }: CheckedSchema, location: string): unknown {
	return segmentsOf(location).reduce<unknown>((at, segment) => {
		const child = childOf(at, segment);
		if (segment !== '$ref' || typeof child !== 'string') return child;
		const address = childOf(at, '__absolute_ref__');
		return lookup[typeof address === 'string' ? address : child];
	}, schema);
}

/** A location as people read it: `/a/b`; the whole value is the empty text. */
export function placeText(location: string): string {
	return segmentsOf(location)
		.map((segment) => `/${segment}`)
		.join('');
}

function segmentsOf(location: string): string[] {
	return location
		.split('/')
		.slice(1)
		.map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function childOf(value: unknown, key: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
	return (value as Readonly<Record<string, unknown>>)[key];
}
