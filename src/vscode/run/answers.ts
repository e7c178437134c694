import * as l10n from '@vscode/l10n';
import { isRecord } from '../../common/json.ts';
import type { Form, InputKind, Parameter } from './parameters.ts';

/** One screen of the questions for a tool's arguments. */
export type Step =
	| { readonly kind: 'parameter'; readonly parameter: Parameter }
	/** Which of these to give at all. */
	| { readonly kind: 'optional'; readonly parameters: readonly Parameter[] };

/** What was typed for a tool, also what was left with Back; immutable. Values are read from the texts when they are needed. */
export interface Answers {
	/** By parameter, as {@link textOf} writes values. */
	readonly texts: ReadonlyMap<string, string>;
	/** Optional parameters that are to be asked for. */
	readonly chosen: ReadonlySet<string>;
}

export const noAnswers: Answers = { texts: new Map(), chosen: new Set() };

/** What a text means. A fault is a sentence. */
export type Reading =
	| { readonly kind: 'value'; readonly value: unknown }
	| { readonly kind: 'nothing' }
	| { readonly kind: 'fault'; readonly fault: string };

/** How an empty text is typed: an empty box gives no value at all. */
const emptyText = '""';
const nothing: Reading = { kind: 'nothing' };

/** The questions to ask, as far as the answers show by now. */
export function stepsOf({ parameters }: Form, { chosen }: Pick<Answers, 'chosen'>): readonly Step[] {
	const step = (parameter: Parameter): Step => ({ kind: 'parameter', parameter });
	const optional = parameters.filter(({ required }) => !required);
	return [
		...parameters.filter(({ required }) => required).map(step),
		...(optional.length > 0 ? [{ kind: 'optional', parameters: optional } as const] : []),
		...optional.filter(({ name }) => chosen.has(name)).map(step),
	];
}

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

/** What the tool is called with, in the order of the form. */
export function argumentsOf({ kind, parameters }: Form, { texts, chosen }: Answers): Record<string, unknown> {
	const given = parameters.filter(({ name, required }) => required || chosen.has(name));
	const values = given.flatMap(({ name, input }) => {
		const reading = readText(texts.get(name) ?? '', input);
		return reading.kind === 'value' ? [[name, reading.value] as const] : [];
	});
	const whole = kind === 'whole' ? values[0]?.[1] : undefined;
	return isRecord(whole) ? whole : Object.fromEntries(values);
}

/** What may be kept for the next run: no secrets. */
export function withoutSecrets({ parameters }: Form, { texts, chosen }: Answers): Answers {
	const secret = new Set(parameters.filter((parameter) => parameter.secret).map(({ name }) => name));
	return { texts: new Map([...texts].filter(([name]) => !secret.has(name))), chosen };
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
