import * as l10n from '@vscode/l10n';
import { exactJson } from '../../../common/exactJson.ts';
import { exactEnds } from '../../../common/exactValue.ts';
import { isRecord } from '../../../common/json.ts';

export interface Option {
	readonly value: unknown;
	readonly label: string;
	readonly description?: string;
}

/** How to ask for a value. The schema itself checks the value, so none of its rules is repeated here. */
export type InputKind =
	| { readonly kind: 'text'; readonly format?: string }
	| { readonly kind: 'number' }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'choice'; readonly options: readonly Option[] }
	| { readonly kind: 'choices'; readonly options: readonly Option[] }
	/** An object, a list, or a value of several types. `any` also accepts text that is not JSON. */
	| { readonly kind: 'json'; readonly of: 'object' | 'array' | 'any' };

/** `any`: a file or a folder. */
export type PathKind = 'file' | 'folder' | 'any';

/** A parameter of a tool, or a field of a server's question. */
export interface Parameter {
	readonly name: string;
	/** One line; empty if the schema has none. */
	readonly description: string;
	readonly required: boolean;
	readonly input: InputKind;
	readonly default?: unknown;
	readonly example?: unknown;
	/** For a required object or list: its required properties, as JSON to fill in. */
	readonly skeleton?: unknown;
	/** What its text may name on this machine. */
	readonly path?: PathKind;
	/** Must not be shown or remembered. */
	readonly secret: boolean;
}

/** The meaning of a text. A fault is a sentence. */
export type ParsedInput =
	| { readonly kind: 'value'; readonly value: unknown }
	| { readonly kind: 'nothing' }
	| { readonly kind: 'fault'; readonly fault: string };

/** Characters of a value in a placeholder. */
const shownLength = 80;
/** How to type an empty text: an empty input means no value. */
const emptyText = '""';
const nothing: ParsedInput = { kind: 'nothing' };

/** Does not check the value against the schema. */
export function parseInput(text: string, input: InputKind): ParsedInput {
	if (input.kind === 'text') return text === '' ? nothing : value(text === emptyText ? '' : text);
	if (text.trim() === '') return nothing;
	return input.kind === 'number' ? numberOf(text.trim()) : jsonOf(text, input);
}

/** A value as a person would type it. */
export function inputText(of: unknown, input: InputKind): string {
	if (input.kind === 'text') return typeof of === 'string' ? of || emptyText : '';
	return JSON.stringify(of) ?? '';
}

/** The prompt: the parameter, its description, and its type unless the input shows it. */
export function promptOf({ name, description, input }: Parameter, note = ''): string {
	const isShown = input.kind === 'choice' || input.kind === 'choices' || input.kind === 'boolean';
	const type = isShown || (input.kind === 'text' && !formatLabel(input.format)) ? '' : typeLabel(input);
	const sentence = description === '' || /[.!?:;…]$/.test(description) ? description : `${description}.`;
	const text = [sentence, note].filter(Boolean).join(' ');
	if (text === '') return type === '' ? name : l10n.t('{0}: {1}', name, type);
	return type === '' ? l10n.t('{0}: {1}', name, text) : l10n.t('{0} ({1}): {2}', name, type, text);
}

export function placeholderOf({
	required,
	default: defaultValue,
	input,
	example = exampleOf(input),
}: Parameter): string {
	const parts = [
		...(required ? [] : [l10n.t('Leave empty to omit')]),
		...(defaultValue === undefined ? [] : [l10n.t('default: {0}', shownValue(defaultValue, input))]),
		...(example === undefined ? [] : [l10n.t('for example {0}', shownValue(example, input))]),
	];
	return parts.join(' · ');
}

/** The description of an optional parameter in a list. */
export function optionalLabel({ input, default: defaultValue }: Parameter): string {
	return defaultValue === undefined
		? typeLabel(input)
		: l10n.t('{0}, default: {1}', typeLabel(input), shownValue(defaultValue, input));
}

function typeLabel(input: InputKind): string {
	switch (input.kind) {
		case 'text':
			return formatLabel(input.format) ?? l10n.t('text');
		case 'number':
			return l10n.t('number');
		case 'boolean':
			return l10n.t('yes or no');
		case 'choice':
			return l10n.t('one of a list');
		case 'choices':
			return l10n.t('any of a list');
		case 'json':
			if (input.of === 'any') return l10n.t('JSON or text');
			return input.of === 'object' ? l10n.t('JSON object: { … }') : l10n.t('JSON list: [ … ]');
	}
}

/** How to write a format; `undefined` if unknown. */
function formatLabel(format: string | undefined): string | undefined {
	switch (format) {
		case 'date':
			return l10n.t('date, YYYY-MM-DD');
		case 'date-time':
			return l10n.t('date and time, YYYY-MM-DDThh:mm:ssZ');
		case 'time':
			return l10n.t('time, hh:mm:ssZ');
		case 'email':
			return l10n.t('email address');
		case 'uri':
			return l10n.t('URL, https://…');
		default:
			return undefined;
	}
}

const examples: Readonly<Record<string, string>> = {
	email: 'name@example.com',
	uri: 'https://example.com',
	date: '2026-01-31',
	'date-time': '2026-01-31T14:30:00Z',
	time: '14:30:00Z',
};

function exampleOf(input: InputKind): string | undefined {
	return input.kind === 'text' && input.format !== undefined && Object.hasOwn(examples, input.format)
		? examples[input.format]
		: undefined;
}

/** The options of an input; `undefined` if the value is typed. */
export function optionsOf(input: InputKind): readonly Option[] | undefined {
	if (input.kind === 'boolean') return [true, false].map((value) => ({ value, label: yesOrNo(value) }));
	return input.kind === 'choice' || input.kind === 'choices' ? input.options : undefined;
}

function yesOrNo(value: boolean): string {
	return value ? l10n.t('Yes') : l10n.t('No');
}

/** A value on one line, with the labels of its options. */
export function shownValue(value: unknown, input: InputKind): string {
	const options = optionsOf(input);
	const labelOf = (optionValue: unknown) => options?.find((option) => option.value === optionValue)?.label;
	const label =
		options && Array.isArray(value)
			? value.map((item) => labelOf(item) ?? String(item)).join(', ')
			: labelOf(value);
	const text = label ?? (typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? ''));
	return exactEnds(text, shownLength);
}

function numberOf(text: string): ParsedInput {
	if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
		return fault(l10n.t('Enter a number, such as 12 or 0.5.'));
	}
	const number = Number(text);
	if (!Number.isFinite(number)) return fault(l10n.t('This number is too large.'));
	return isCut(text, number) ? fault(l10n.t('This number has too many digits to be exact.')) : value(number);
}

/** Whether a typed integer is too large to be exact, so that the tool would get another. */
function isCut(text: string, number: number): boolean {
	return /^[+-]?\d+$/.test(text) && `${number}` !== text && BigInt(text) !== BigInt(number);
}

/** Our own error texts: those of JavaScript engines differ. */
function jsonOf(text: string, input: InputKind): ParsedInput {
	const of = input.kind === 'json' ? input.of : undefined;
	const parsed = exactJson(text);
	if (parsed === undefined) {
		if (of === 'any' && !/^\s*[[{"]/.test(text)) return value(text);
		return fault(l10n.t('Invalid JSON. Check quotation marks, commas and brackets.'));
	}
	if (of === 'object' && !isRecord(parsed)) return fault(l10n.t('Enter a JSON object: { … }.'));
	if (of === 'array' && !Array.isArray(parsed)) return fault(l10n.t('Enter a JSON list: [ … ].'));
	return value(parsed);
}

function value(of: unknown): ParsedInput {
	return { kind: 'value', value: of };
}

function fault(sentence: string): ParsedInput {
	return { kind: 'fault', fault: sentence };
}
