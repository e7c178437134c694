import type * as z from 'zod';
import type { FaultReason } from './faultReason.ts';
import { quoted } from './place.ts';
import { suggestion } from './suggestion.ts';

/** A fault as zod describes it; before it has become an issue it may lack its message. */
type RawIssue = z.core.$ZodRawIssue | z.core.$ZodIssue;

const nouns: Readonly<Record<string, string>> = {
	string: 'a string',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
	record: 'an object',
};

/**
 * What a user reads for a zod issue, without the place. Never shows a value of free form, because that may be a
 * secret; a value of a fixed list may be shown.
 */
export function issueText(issue: RawIssue): string {
	switch (issue.code) {
		case 'invalid_type':
			return typeText(String(issue.expected), issue.input);
		case 'invalid_value':
			return valueText(issue.values as readonly unknown[], issue.input);
		case 'too_small':
			return issue.origin === 'string' ? 'must not be empty' : `expected at least ${issue.minimum}`;
		case 'too_big':
			return `expected at most ${issue.maximum}`;
		case 'unrecognized_keys':
			return `unknown key ${(issue.keys as readonly string[]).map(quoted).join(', ')}`;
		default:
			return issue.message ?? 'this value is not allowed here';
	}
}

/** What there is to do about it, if anything. */
export function issueReason(issue: z.core.$ZodIssue): FaultReason | undefined {
	switch (issue.code) {
		case 'invalid_type':
			return { kind: 'wrong-type', expected: issue.expected };
		case 'invalid_value':
			return { kind: 'not-one-of', values: issue.values.filter((value) => typeof value === 'string') };
		case 'too_small':
			return issue.origin === 'string' ? undefined : { kind: 'out-of-range', nearest: Number(issue.minimum) };
		case 'too_big':
			return { kind: 'out-of-range', nearest: Number(issue.maximum) };
		case 'invalid_union':
			return { kind: 'wrong-type', expected: 'union' };
		default:
			return undefined;
	}
}

function typeText(expected: string, input: unknown): string {
	return `expected ${nouns[expected] ?? expected}, not ${kindOf(input)}${quotesHint(expected, input)}`;
}

function quotesHint(expected: string, input: unknown): string {
	if (expected === 'string' && (typeof input === 'number' || typeof input === 'boolean')) {
		return '; put it in quotes';
	}
	const bare = expected === 'boolean' ? /^(true|false)$/i : /^-?\d+(\.\d+)?$/;
	const isScalar = expected === 'boolean' || expected === 'number' || expected === 'int';
	return isScalar && typeof input === 'string' && bare.test(input) ? '; remove the quotes' : '';
}

function kindOf(input: unknown): string {
	if (input === undefined) return 'nothing';
	if (input === null) return 'null';
	if (Array.isArray(input)) return 'a list';
	return nouns[typeof input === 'boolean' ? '' : typeof input] ?? String(input);
}

function valueText(values: readonly unknown[], input: unknown): string {
	const valid = values.map((value) => JSON.stringify(value));
	const list = valid.length > 1 ? `${valid.slice(0, -1).join(', ')} or ${valid.at(-1)}` : `${valid[0]}`;
	if (typeof input !== 'string') return `expected ${list}, not ${kindOf(input)}`;
	const names = values.filter((value) => typeof value === 'string');
	return `unknown value ${quoted(input)}, expected ${list}${suggestion(input, names)}`;
}
