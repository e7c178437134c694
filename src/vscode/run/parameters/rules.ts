import type { JsonRecord } from '../../../discovery/record.ts';
import type { Asking } from './parameter.ts';

/** Characters of a pattern that are shown. */
const patternLength = 60;
/** What a format looks like, where its name does not say it. */
const formats: Readonly<Record<string, string>> = {
	'date-time': 'date and time, as 2026-01-31T12:00:00Z',
	date: 'date, as 2026-01-31',
	time: 'time, as 12:00:00Z',
	duration: 'duration, as P1DT2H',
	uri: 'address, as https://example.com',
	email: 'email address',
};

/** What a schema demands of a value, in a few words each, for whoever is to type one. */
export function rulesOf(schema: JsonRecord, asking: Asking): readonly string[] {
	switch (asking.kind) {
		case 'text':
			return [
				...formatRule(schema),
				...range(schema, 'minLength', 'maxLength', ' characters'),
				...pattern(schema),
			];
		case 'number':
			return [
				...(schema.type === 'integer' ? ['whole number'] : []),
				...range(schema, 'minimum', 'maximum', ''),
				...beyond(schema),
				...(isNumber(schema.multipleOf) ? [`a multiple of ${schema.multipleOf}`] : []),
			];
		case 'list':
		case 'choices':
			return range(schema, 'minItems', 'maxItems', ' items');
		default:
			return [];
	}
}

function formatRule({ format }: JsonRecord): string[] {
	if (typeof format !== 'string' || format === '') return [];
	return [Object.hasOwn(formats, format) ? (formats[format] ?? format) : format.slice(0, patternLength)];
}

function range(schema: JsonRecord, lowest: string, highest: string, unit: string): string[] {
	const [low, high] = [schema[lowest], schema[highest]];
	if (isNumber(low) && isNumber(high)) return [low === high ? `${low}${unit}` : `${low} to ${high}${unit}`];
	if (isNumber(low)) return low === 0 && unit !== '' ? [] : [`at least ${low}${unit}`];
	return isNumber(high) ? [`at most ${high}${unit}`] : [];
}

function beyond({ exclusiveMinimum: low, exclusiveMaximum: high }: JsonRecord): string[] {
	return [...(isNumber(low) ? [`more than ${low}`] : []), ...(isNumber(high) ? [`less than ${high}`] : [])];
}

function pattern(schema: JsonRecord): string[] {
	const text = schema.pattern;
	if (typeof text !== 'string' || text === '') return [];
	return [text.length > patternLength ? 'of a certain pattern' : `matching ${text}`];
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number';
}
