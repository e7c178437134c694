import { parsedJson } from './json.ts';

/** A number that keeps its JSON text, which `JSON.stringify` writes unchanged. TypeScript's libraries lack the type. */
interface RawNumber {
	readonly rawJSON: string;
}

declare global {
	interface JSON {
		/** https://github.com/tc39/proposal-json-parse-with-source */
		rawJSON(text: string): RawNumber;
		isRawJSON(value: unknown): value is RawNumber;
	}
}

/** A number that may have more digits than JavaScript's numbers keep. */
const long = /\d{16}/;

/**
 * The value of a JSON text, in which whole numbers that JavaScript would round keep their digits: ids have up to 19
 * (https://github.com/earendil-works/pi/issues/8943, https://github.com/anthropics/claude-code/issues/78762).
 *
 * @param rounded the value as `JSON.parse` gives it
 */
export function exactJson(text: string, rounded = parsedJson(text)): unknown {
	return (long.test(text) ? parsedJson(text, withDigits) : undefined) ?? rounded;
}

function withDigits(
	_key: string,
	value: unknown,
	{ source = '' }: { readonly source?: string } = {},
): unknown {
	const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
	return isRounded ? JSON.rawJSON(source) : value;
}
