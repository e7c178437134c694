import { isRecord } from '../../discovery/record.ts';
import type { JsonType, ValueShape } from './parameter.ts';
import { wordsOf } from './words.ts';

/** A value of the type that was asked for; boxed, since `null` and `false` are values. */
export interface Coerced {
	readonly value: unknown;
}

/**
 * The text as a value of the shape, or `undefined` where it is none: nothing is rounded, cut or guessed. `text` is what
 * the user wrote, without quotes.
 */
export function coerce(text: string, shape: ValueShape): Coerced | undefined {
	if (shape.choices) return choiceOf(text, shape.choices);
	for (const type of shape.types) {
		const coerced = coerceTo(type, text, shape);
		if (coerced) return coerced;
	}
	return undefined;
}

function coerceTo(type: JsonType, text: string, shape: ValueShape): Coerced | undefined {
	switch (type) {
		case 'string':
			return { value: text };
		case 'integer':
		case 'number':
			return numberOf(text, type === 'integer');
		case 'boolean':
			return booleanOf(text);
		case 'null':
			return text === 'null' ? { value: null } : undefined;
		case 'array':
			return arrayOf(text, shape.items ?? { types: ['string'] });
		case 'object':
			return objectOf(text);
	}
}

/** The choice that the text spells, whatever its case and punctuation. */
function choiceOf(text: string, choices: readonly unknown[]): Coerced | undefined {
	const same = choices.filter((choice) => spelling(choice) === text);
	const spelled = wordsOf(text).join(' ');
	const alike = choices.filter((choice) => spelled !== '' && wordsOf(spelling(choice)).join(' ') === spelled);
	const [first] = same.length > 0 ? same : alike;
	return first === undefined ? undefined : { value: first };
}

/** How a person would write a choice. */
export function spelling(choice: unknown): string {
	return typeof choice === 'string' ? choice : JSON.stringify(choice);
}

function numberOf(text: string, integer: boolean): Coerced | undefined {
	const plain = text.trim().replace(/^\+/, '');
	if (!/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(plain)) return undefined;
	const value = Number(plain);
	// A number that a double cannot hold would arrive as another one.
	if (!Number.isFinite(value) || (integer && !Number.isSafeInteger(value))) return undefined;
	return { value };
}

function booleanOf(text: string): Coerced | undefined {
	const word = text.trim().toLowerCase();
	if (['true', 'yes', 'on'].includes(word)) return { value: true };
	return ['false', 'no', 'off'].includes(word) ? { value: false } : undefined;
}

function objectOf(text: string): Coerced | undefined {
	const value = parse(text);
	return isRecord(value) ? { value } : undefined;
}

/** A JSON array as it is; a JSON object as the only item; else the parts between commas and "and". */
function arrayOf(text: string, items: ValueShape): Coerced | undefined {
	const value = parse(text);
	if (Array.isArray(value)) return { value };
	if (isRecord(value) && items.types.includes('object')) return { value: [value] };
	const parts = text
		.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\n/)
		.map((part) => part.trim().replace(/^(["'`])(.*)\1$/, '$2'))
		.filter(Boolean);
	const coerced = parts.map((part) => coerce(part, items));
	return parts.length > 0 && coerced.every((part) => part !== undefined)
		? { value: coerced.map((part) => part?.value) }
		: undefined;
}

/** Text that is no JSON, or a bare word that JSON would read as something else, is `undefined`. */
function parse(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
