import * as l10n from '@vscode/l10n';
import { isRecord } from '../../common/json.ts';
import type { Form, Parameter, TypedAsking } from './form.ts';

/** What a typed text means. A fault is a sentence. */
export type Typed =
	| { readonly kind: 'value'; readonly value: unknown }
	| { readonly kind: 'nothing' }
	| { readonly kind: 'fault'; readonly fault: string };

/** How an empty text is typed, as nothing typed is no value at all. */
const emptyText = '""';

/** Reads what a person has typed; whether the schema allows it is not asked here. */
export function typedValue(text: string, asking: TypedAsking): Typed {
	if (text.trim() === '') return asking.kind === 'text' && text !== '' ? value(text) : { kind: 'nothing' };
	switch (asking.kind) {
		case 'text':
			return value(text === emptyText ? '' : text);
		case 'number':
			return numberOf(text.trim());
		case 'list':
			return listOf(text.trim(), asking.of);
		case 'json':
			return jsonOf(text, asking.type);
	}
}

/** A value as a person would have typed it; the empty text where it cannot be typed. */
export function typedText(given: unknown, asking: TypedAsking): string {
	switch (asking.kind) {
		case 'text':
			return typeof given !== 'string' || /[\r\n]/.test(given) ? '' : given || emptyText;
		case 'number':
			return typeof given === 'number' ? `${given}` : '';
		case 'list':
			return Array.isArray(given) ? listText(given) : '';
		case 'json':
			return given === undefined ? '' : JSON.stringify(given);
	}
}

/** Faults of JSON in our words: the engine's own differ from version to version. */
function parsed(text: string): Typed {
	try {
		return value(JSON.parse(text));
	} catch {
		return fault(l10n.t('This is no JSON yet: check quotation marks, commas and brackets.'));
	}
}

function numberOf(text: string): Typed {
	if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
		return fault(l10n.t('Enter a number, such as 12 or 0.5.'));
	}
	const number = Number(text);
	if (!Number.isFinite(number)) return fault(l10n.t('This number is too large.'));
	return isCut(text, number)
		? fault(l10n.t('This number has more digits than can be sent exactly.'))
		: value(number);
}

/** Whether the tool would get another whole number than the one that was typed. */
function isCut(text: string, number: number): boolean {
	return /^[+-]?\d+$/.test(text) && `${number}` !== text && BigInt(text) !== BigInt(number);
}

function listOf(text: string, of: 'text' | 'number'): Typed {
	if (text.startsWith('[')) return jsonOf(text, 'array');
	const items = text
		.split(',')
		.map((item) => item.trim())
		.filter((item) => item !== '');
	if (of === 'text') return value(items);
	const numbers = items.map(numberOf);
	const faulty = numbers.findIndex(({ kind }) => kind !== 'value');
	if (faulty >= 0)
		return fault(l10n.t('“{0}” is no number. Separate numbers with commas.', items[faulty] ?? ''));
	return value(numbers.map((one) => (one.kind === 'value' ? one.value : undefined)));
}

function listText(items: readonly unknown[]): string {
	const texts = items.map((item) => (typeof item === 'number' ? `${item}` : item));
	const isPlain = (text: unknown) =>
		typeof text === 'string' && /^[^,[\r\n\s](?:[^,\r\n]*[^,\r\n\s])?$/.test(text);
	return texts.length > 0 && texts.every(isPlain) ? texts.join(', ') : JSON.stringify(items);
}

function jsonOf(text: string, type: 'object' | 'array' | 'any'): Typed {
	const outcome = parsed(text);
	if (outcome.kind !== 'value') return outcome;
	if (type === 'object' && !isRecord(outcome.value)) return fault(l10n.t('Enter a JSON object: { … }.'));
	if (type === 'array' && !Array.isArray(outcome.value)) return fault(l10n.t('Enter a JSON list: [ … ].'));
	return outcome;
}

function value(of: unknown): Typed {
	return { kind: 'value', value: of };
}

function fault(sentence: string): Typed {
	return { kind: 'fault', fault: sentence };
}

/** One screen of the questions for a tool's arguments. */
export type Step =
	| { readonly kind: 'parameter'; readonly parameter: Parameter }
	/** Which of these to give at all. */
	| { readonly kind: 'optional'; readonly parameters: readonly Parameter[] }
	/** All of them at once, as JSON. */
	| { readonly kind: 'whole' };

/** What was given for a tool; immutable. */
export interface Answers {
	/** By parameter; one that is absent is left out. */
	readonly values: ReadonlyMap<string, unknown>;
	/** Optional parameters that are to be asked for. */
	readonly chosen: ReadonlySet<string>;
}

export const noAnswers: Answers = { values: new Map(), chosen: new Set() };

/** The questions to ask, as far as the answers show by now. */
export function stepsOf({ parameters, open }: Form, { chosen }: Pick<Answers, 'chosen'>): readonly Step[] {
	const required = parameters.filter((parameter) => parameter.required);
	const optional = parameters.filter((parameter) => !parameter.required);
	const asked = optional.filter(({ name }) => chosen.has(name));
	return [
		...required.map(parameterStep),
		...(optional.length > 0 ? [{ kind: 'optional', parameters: optional } as const] : []),
		...asked.map(parameterStep),
		...(open ? [{ kind: 'whole' } as const] : []),
	];
}

function parameterStep(parameter: Parameter): Step {
	return { kind: 'parameter', parameter };
}

/** The answers with one more, or without it where `given` is nothing. */
export function answered(
	answers: Answers,
	name: string,
	given: { readonly value: unknown } | undefined,
): Answers {
	const values = new Map(answers.values);
	if (given) values.set(name, given.value);
	else values.delete(name);
	return { ...answers, values };
}

/** What the tool is called with, in the order of the form. */
export function argumentsOf(form: Form, { values, chosen }: Answers): Record<string, unknown> {
	const given = form.parameters.filter(
		({ name, required }) => values.has(name) && (required || chosen.has(name)),
	);
	return Object.fromEntries(given.map(({ name }) => [name, values.get(name)]));
}

/** What may be kept for the next run: no secrets. */
export function withoutSecrets(form: Form, { values, chosen }: Answers): Answers {
	const secret = new Set(form.parameters.filter((parameter) => parameter.secret).map(({ name }) => name));
	return { values: new Map([...values].filter(([name]) => !secret.has(name))), chosen };
}
