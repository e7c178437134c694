import * as l10n from '@vscode/l10n';
import { exactEnds } from '../../../common/exactValue.ts';
import { isRecord } from '../../../common/json.ts';

/** A value that is chosen from a list. */
export interface Option {
	readonly value: unknown;
	readonly label: string;
	readonly description?: string;
}

/** How a value is asked for. Whether it fits is checked against the schema itself, so none of its rules is repeated here. */
export type InputKind =
	| { readonly kind: 'text'; readonly format?: string }
	| { readonly kind: 'number' }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'choice'; readonly options: readonly Option[] }
	/** Any number of them. */
	| { readonly kind: 'choices'; readonly options: readonly Option[] }
	/** An object, a list, or a value of several types. `any` also takes a text that is not JSON. */
	| { readonly kind: 'json'; readonly of: 'object' | 'array' | 'any' };

/** One parameter of a tool, or field of a server's question, as a person is asked for it. */
export interface Parameter {
	/** What it is called when it is asked for. */
	readonly name: string;
	/** One line; empty where the schema says nothing. */
	readonly description: string;
	readonly required: boolean;
	readonly input: InputKind;
	readonly default?: unknown;
	readonly example?: unknown;
	/** Of a required object or list: JSON with its required properties, to be filled in. */
	readonly skeleton?: unknown;
	/** Not to be shown nor remembered. */
	readonly secret: boolean;
}

/** What a text means. A fault is a sentence. */
export type Reading =
	| { readonly kind: 'value'; readonly value: unknown }
	| { readonly kind: 'nothing' }
	| { readonly kind: 'fault'; readonly fault: string };

/** Characters of a value that a placeholder shows. */
const shownLength = 80;
/** How an empty text is typed: an empty box gives no value at all. */
const emptyText = '""';
const nothing: Reading = { kind: 'nothing' };

/** Reads what a person has typed or chosen; it is not checked against the schema here. */
export function readText(text: string, input: InputKind): Reading {
	if (input.kind === 'text') return text === '' ? nothing : value(text === emptyText ? '' : text);
	if (text.trim() === '') return nothing;
	return input.kind === 'number' ? numberOf(text.trim()) : jsonOf(text, input);
}

/** A value as a person would type it. */
export function textOf(of: unknown, input: InputKind): string {
	if (input.kind === 'text') return typeof of === 'string' ? of || emptyText : '';
	return JSON.stringify(of) ?? '';
}

/**
 * The prompt of an input: what the parameter is, and its type in brackets. Where only the type is known it stands without brackets, since the
 * editor adds a remark in brackets itself.
 */
export function promptOf({ name, required, description, input }: Parameter): string {
	const type = typeLabel(input);
	if (description === '')
		return required ? l10n.t('{0}: {1}, required.', name, type) : l10n.t('{0}: {1}, optional.', name, type);
	const sentence = /[.!?:;…]$/.test(description) ? description : `${description}.`;
	return required
		? l10n.t('{0} ({1}, required): {2}', name, type, sentence)
		: l10n.t('{0} ({1}, optional): {2}', name, type, sentence);
}

/** The placeholder of an input. */
export function placeholderOf({
	required,
	default: usual,
	input,
	example = exampleOf(input),
}: Parameter): string {
	const parts = [
		...(required ? [] : [l10n.t('Leave empty to leave out')]),
		...(usual === undefined ? [] : [l10n.t('default: {0}', shownValue(usual, input))]),
		...(example === undefined ? [] : [l10n.t('for example {0}', shownValue(example, input))]),
	];
	return parts.join(' · ');
}

/** The description of an optional parameter in the list of those that can be given. */
export function optionalLabel({ input, default: usual }: Parameter): string {
	return usual === undefined
		? typeLabel(input)
		: l10n.t('{0}, default: {1}', typeLabel(input), shownValue(usual, input));
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
			return l10n.t('some of a list');
		case 'json':
			if (input.of === 'any') return l10n.t('JSON or text');
			return input.of === 'object' ? l10n.t('JSON object: { … }') : l10n.t('JSON list: [ … ]');
	}
}

/** How a text of a format is written; `undefined`: the format is not known here. */
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
			return l10n.t('address, https://…');
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

/** What can be chosen of a kind of input; `undefined` where the value is typed. */
export function optionsOf(input: InputKind): readonly Option[] | undefined {
	if (input.kind === 'boolean') return [true, false].map((value) => ({ value, label: yesOrNo(value) }));
	return input.kind === 'choice' || input.kind === 'choices' ? input.options : undefined;
}

function yesOrNo(value: boolean): string {
	return value ? l10n.t('Yes') : l10n.t('No');
}

/** A value on one line, in the words that it was chosen by. */
export function shownValue(value: unknown, input: InputKind): string {
	const options = optionsOf(input);
	const labelOf = (one: unknown) => options?.find((option) => option.value === one)?.label;
	const label =
		options && Array.isArray(value)
			? value.map((one) => labelOf(one) ?? String(one)).join(', ')
			: labelOf(value);
	const text = label ?? (typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? ''));
	return exactEnds(text, shownLength);
}

function numberOf(text: string): Reading {
	if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
		return fault(l10n.t('Enter a number, such as 12 or 0.5.'));
	}
	const number = Number(text);
	if (!Number.isFinite(number)) return fault(l10n.t('This number is too large.'));
	return isCut(text, number)
		? fault(l10n.t('This number has more digits than can be sent exactly.'))
		: value(number);
}

/** Whether a typed whole number is too large to be kept exactly, so that the tool would get another. */
function isCut(text: string, number: number): boolean {
	return /^[+-]?\d+$/.test(text) && `${number}` !== text && BigInt(text) !== BigInt(number);
}

/** Faults of JSON in our words: those of the JavaScript engine differ from version to version. */
function jsonOf(text: string, input: InputKind): Reading {
	const of = input.kind === 'json' ? input.of : undefined;
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		if (of === 'any' && !/^\s*[[{"]/.test(text)) return value(text);
		return fault(l10n.t('This is no JSON yet: check quotation marks, commas and brackets.'));
	}
	if (of === 'object' && !isRecord(parsed)) return fault(l10n.t('Enter a JSON object: { … }.'));
	if (of === 'array' && !Array.isArray(parsed)) return fault(l10n.t('Enter a JSON list: [ … ].'));
	return value(parsed);
}

function value(of: unknown): Reading {
	return { kind: 'value', value: of };
}

function fault(sentence: string): Reading {
	return { kind: 'fault', fault: sentence };
}
