import type { Stretch } from '../text.ts';
import { type NameVerdict, valueVerdict } from './secretVerdict.ts';

/**
 * How a secret was recognized: by the name of its value, by its issuer's prefix, by the scheme before it (`Bearer …`), by its position
 * before a host, or because nobody would write it by hand in a path.
 */
export type SecretEvidence = 'name' | 'issuer' | 'scheme' | 'password' | 'path';

/** Where a secret is in a text, or has to be filled in. */
export interface SecretSpan extends Stretch {
	readonly kind: 'secret' | 'placeholder';
	readonly evidence: SecretEvidence;
	/** The best name for an environment variable that holds it. */
	readonly wish: string;
}

/** What is known about a value before looking at it. */
export interface Expectation {
	readonly name: string;
	readonly byName: NameVerdict;
	readonly evidence: SecretEvidence;
	/** Called only for secrets: making a name takes longer than rejecting a value. */
	readonly wish: () => string;
}

/** For a value without a name, recognized by something else. */
export function unnamed(evidence: SecretEvidence, wish: () => string): Expectation {
	return { name: 'password', byName: 'secret', evidence, wish };
}

/** The secret or placeholder in a part of a text; `undefined`: neither. */
export function secretSpanOf(
	text: string,
	{ start, end }: Stretch,
	{ name, byName, evidence, wish }: Expectation,
): SecretSpan | undefined {
	const kind = valueVerdict(name, text.slice(start, end), byName);
	return kind === 'plain' ? undefined : { kind, evidence, start, end, wish: wish() };
}

export function shifted({ start, end }: Stretch, distance: number): Stretch {
	return { start: start + distance, end: end + distance };
}

/**
 * How to read a text. `setting`: somebody configured it, and `token: yes` sets a token. `prose`: a program wrote it, and `token: expired`
 * says something about one. `code`: a program, in which a value is a literal.
 */
export type TextKind = 'setting' | 'prose' | 'code';

/** Shortest part of a path that counts as a key if it mixes letters and digits. A UUID has 36 characters. */
export const minKeyInPathLength = 32;
/** Longest name that is read, in characters. */
export const maxNameLength = 64;

/** Where a value ends: at such a character, or with the text. */
export function endAt(text: string, start: number, stop: RegExp): number {
	// Most values are short, so do not copy the whole text for each.
	for (let length = maxNameLength; ; length *= 16) {
		const end = text.slice(start, start + length).search(stop);
		if (end !== -1) return start + end;
		if (start + length >= text.length) return text.length;
	}
}

/** Where a text in quotation marks ends; one character before them escapes the next. */
export function endOfQuoted(text: string, start: number, opening: string): number {
	const quote = opening === '[[' ? ']]' : opening;
	for (let at = start; at < text.length; at++) {
		if (quote.length > 1 ? text.startsWith(quote, at) : text[at] === quote) return at;
		if (quote.length === 1 && text[at] === '\\') at++;
	}
	return text.length;
}

/** How a value for an HTTP header begins. */
export const authorizationScheme = /^(bearer|basic|token|bot|api-?key)\s+/i;

export function afterScheme(text: string, start: number, end: number): number {
	return start + (authorizationScheme.exec(text.slice(start, Math.min(end, start + 32)))?.[0].length ?? 0);
}
