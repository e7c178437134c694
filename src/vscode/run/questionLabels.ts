import * as l10n from '@vscode/l10n';
import type { JsonRecord } from '../../common/json.ts';
import type { Asking, Parameter } from './form.ts';

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

/** Characters of a value that a placeholder shows. */
const shownLength = 80;

/** What stands below an input: what the parameter is, what its values must be, and how to type them. */
export function promptOf(parameter: Parameter, asking: Asking): string {
	const rule = [...parameter.rules, ...(asking.kind === 'list' ? [l10n.t('separated by commas')] : [])].join(
		', ',
	);
	const sentence = rule === '' ? '' : `${capitalized(rule)}.`;
	return [typedHeading(parameter, wordOf(asking)), sentence].filter(Boolean).join(' ');
}

/** What stands over a list to choose from, which shows itself what kinds of value there are. */
export function choicePromptOf({ name, required, description }: Parameter): string {
	if (description === '') return required ? l10n.t('{0}: required', name) : l10n.t('{0}: optional', name);
	return required
		? l10n.t('{0} (required): {1}', name, description)
		: l10n.t('{0} (optional): {1}', name, description);
}

/** The editor itself adds a remark in brackets: where nothing is known but the type, that stands in none. */
function typedHeading({ name, required, description }: Parameter, type: string): string {
	if (description === '')
		return required ? l10n.t('{0}: {1}, required.', name, type) : l10n.t('{0}: {1}, optional.', name, type);
	return required
		? l10n.t('{0} ({1}, required): {2}', name, type, ended(description))
		: l10n.t('{0} ({1}, optional): {2}', name, type, ended(description));
}

/** A text as the beginning of a sentence. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What stands in an empty input. */
export function placeholderOf({ required, default: byDefault, example }: Parameter): string {
	const words = [
		...(byDefault === undefined ? [] : [l10n.t('default: {0}', shown(byDefault))]),
		...(example === undefined ? [] : [l10n.t('for example {0}', shown(example))]),
	];
	const empty = required ? '' : l10n.t('leave empty to leave out');
	return capitalized([empty, ...words].filter(Boolean).join(' · '));
}

/** A kind of value in words. */
export function wordOf(asking: Asking): string {
	switch (asking.kind) {
		case 'text':
			return l10n.t('text');
		case 'number':
			return l10n.t('number');
		case 'boolean':
			return l10n.t('true or false');
		case 'null':
			return 'null';
		case 'choice':
			return l10n.t('one of a list');
		case 'choices':
			return l10n.t('several of a list');
		case 'list':
			return asking.of === 'text' ? l10n.t('list of texts') : l10n.t('list of numbers');
		case 'json':
			if (asking.type === 'any') return 'JSON';
			return asking.type === 'object' ? l10n.t('JSON object') : l10n.t('JSON list');
		case 'forms':
			return asking.forms.map(wordOf).reduce((one, other) => l10n.t('{0} or {1}', one, other));
	}
}

/** A value on one line. */
export function shown(value: unknown): string {
	const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');
	return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

function ended(sentence: string): string {
	return sentence === '' || /[.!?:;…]$/.test(sentence) ? sentence : `${sentence}.`;
}
