import * as l10n from '@vscode/l10n';
import type { JsonRecord } from '../../../discovery/record.ts';
import type { Asking } from './parameter.ts';

/** Characters of a pattern that are shown. */
const patternLength = 60;

/** What a format looks like; its name where that says it all. */
function formatWord(format: string): string {
	switch (format) {
		case 'date-time':
			return l10n.t('date and time, as 2026-01-31T12:00:00Z');
		case 'date':
			return l10n.t('date, as 2026-01-31');
		case 'time':
			return l10n.t('time, as 12:00:00Z');
		case 'duration':
			return l10n.t('duration, as P1DT2H');
		case 'uri':
			return l10n.t('address, as https://example.com');
		case 'email':
			return l10n.t('email address');
		default:
			return format.slice(0, patternLength);
	}
}

/** What a schema demands of a value, in a few words each, for whoever is to type one. */
export function rulesOf(schema: JsonRecord, asking: Asking): readonly string[] {
	switch (asking.kind) {
		case 'text':
			return [
				...formatRule(schema),
				...range(schema, 'minLength', 'maxLength', 'characters'),
				...pattern(schema),
			];
		case 'number':
			return [
				...(schema.type === 'integer' ? [l10n.t('whole number')] : []),
				...range(schema, 'minimum', 'maximum', 'none'),
				...beyond(schema),
				...(isNumber(schema.multipleOf) ? [l10n.t('a multiple of {0}', schema.multipleOf)] : []),
			];
		case 'list':
		case 'choices':
			return range(schema, 'minItems', 'maxItems', 'items');
		default:
			return [];
	}
}

function formatRule({ format }: JsonRecord): string[] {
	if (typeof format !== 'string' || format === '') return [];
	return [formatWord(format)];
}

type Unit = 'characters' | 'items' | 'none';

function range(schema: JsonRecord, lowest: string, highest: string, unit: Unit): string[] {
	const [low, high] = [schema[lowest], schema[highest]];
	if (isNumber(low) && isNumber(high)) {
		return [counted(low === high ? `${low}` : l10n.t('{0} to {1}', low, high), high, unit)];
	}
	if (isNumber(low))
		return low === 0 && unit !== 'none' ? [] : [l10n.t('at least {0}', counted(`${low}`, low, unit))];
	return isNumber(high) ? [l10n.t('at most {0}', counted(`${high}`, high, unit))] : [];
}

/** A number, or a range that ends with it, of something. */
function counted(text: string, last: number, unit: Unit): string {
	switch (unit) {
		case 'characters':
			return last === 1 ? l10n.t('{0} character', text) : l10n.t('{0} characters', text);
		case 'items':
			return last === 1 ? l10n.t('{0} item', text) : l10n.t('{0} items', text);
		case 'none':
			return text;
	}
}

function beyond({ exclusiveMinimum: low, exclusiveMaximum: high }: JsonRecord): string[] {
	return [
		...(isNumber(low) ? [l10n.t('more than {0}', low)] : []),
		...(isNumber(high) ? [l10n.t('less than {0}', high)] : []),
	];
}

function pattern(schema: JsonRecord): string[] {
	const text = schema.pattern;
	if (typeof text !== 'string' || text === '') return [];
	return [text.length > patternLength ? l10n.t('of a certain pattern') : l10n.t('matching {0}', text)];
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number';
}
