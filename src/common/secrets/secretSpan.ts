import type { Stretch } from '../text.ts';
import { type NameVerdict, valueVerdict } from './secretVerdict.ts';

/**
 * What tells a secret: the name of its value, the mark of its issuer, the scheme before it (`Bearer …`), its place before the host of an
 * address, or that it is what nobody would write by hand in an address's path.
 */
export type SecretEvidence = 'name' | 'issuer' | 'scheme' | 'password' | 'path';

/** A stretch of a text that a secret stands in or is to be filled in. */
export interface SecretSpan extends Stretch {
	readonly kind: 'secret' | 'placeholder';
	readonly evidence: SecretEvidence;
	/** The name that an environment variable for it would best have. */
	readonly wish: string;
}

/** What is known of a value before it is looked at. */
export interface Expectation {
	readonly name: string;
	readonly byName: NameVerdict;
	readonly evidence: SecretEvidence;
	/** Called for secrets that were found only, since making a name takes longer than seeing that a value is no secret. */
	readonly wish: () => string;
}

/** Of a value without a name, which something else tells. */
export function unnamed(evidence: SecretEvidence, wish: () => string): Expectation {
	return { name: 'password', byName: 'secret', evidence, wish };
}

/** The secret, or the place for one, that a stretch of a text is; `undefined`: neither. */
export function spanOf(
	text: string,
	{ start, end }: Stretch,
	{ name, byName, evidence, wish }: Expectation,
): SecretSpan | undefined {
	const kind = valueVerdict(name, text.slice(start, end), byName);
	return kind === 'plain' ? undefined : { kind, evidence, start, end, wish: wish() };
}

/** A stretch in a longer text. */
export function shifted({ start, end }: Stretch, by: number): Stretch {
	return { start: start + by, end: end + by };
}

/**
 * How a text is read. `setting`: somebody has configured it, and `token: yes` sets a token. `prose`: a program has written it, where
 * `token: expired` says something about one.
 */
export type Reading = 'setting' | 'prose';

/** Shortest stretch of an address's path that is taken for a key if letters and digits are mixed in it; a UUID has 36 characters. */
export const minKeyInPathLength = 32;
/** Longest name and longest value that are read in a text, in characters. */
export const longestName = 64;
export const longestValue = 16_384;

/** Where a value ends that such a character, or its length, ends. */
export function endAt(text: string, start: number, stop: RegExp): number {
	// Most values are short, so the longer limit is only tried where the shorter one was reached.
	for (const length of [longestName, longestValue]) {
		const end = text.slice(start, start + length).search(stop);
		if (end !== -1) return start + end;
		if (start + length >= text.length) return text.length;
	}
	return start + longestValue;
}
