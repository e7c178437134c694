import { BeginningsFilter } from './issuerKeys.ts';
import { masked, spansInText } from './secretSpans.ts';

/** What stands in place of a secret. */
const mask = '***';
/** Values shorter than this are found as whole words only: they stand within others by chance. */
const shortestAnywhere = 8;
/** Nothing shorter is looked for at all. */
const shortest = 3;
/** Shortest piece of a secret that is hidden where a text was cut in its middle. */
const shortestPiece = 4;
/** Shortest line of a secret of several lines, such as a key in PEM, that is looked for by itself. */
const shortestLine = 16;
/** What everybody tries first; hiding it protects nothing, and makes texts unreadable. */
const everyday =
	/^(admin|administrator|root|test|testing|guest|user|username|postgres|postgresql|mysql|redis|mongo|mongodb|password|passwd|secret|token|demo|example|default|public|private|anonymous|changeme|localhost|development|production|staging|true|false|null|none)$/i;
const wordCharacter = /[A-Za-z0-9]/;

/**
 * Hides secrets in texts: values that are known, in each form that programs write them in, and what looks like a secret by
 * itself. It takes a few milliseconds for a megabyte, however many values there are.
 */
export class Redactor {
	/** By the characters that they begin with, three or eight, the longest first. */
	readonly #short = new Map<string, string[]>();
	readonly #long = new Map<string, string[]>();
	readonly #filter: BeginningsFilter;

	/** @param secrets the values that are known */
	constructor(secrets: Iterable<string> = []) {
		const texts = [...new Set([...secrets].flatMap(formsOf))].sort((a, b) => b.length - a.length);
		this.#filter = new BeginningsFilter(texts);
		for (const text of texts) {
			const isLong = text.length >= shortestAnywhere;
			const among = isLong ? this.#long : this.#short;
			const beginning = text.slice(0, isLong ? shortestAnywhere : shortest);
			among.set(beginning, [...(among.get(beginning) ?? []), text]);
		}
	}

	/** For logs and errors: hides known values, and what looks like a secret. */
	hide(text: string): string {
		const rest = this.hideKnown(text);
		return masked(rest, spansInText('', rest, 'prose'));
	}

	/** {@link hide} for a text that has lost its end, or its beginning, perhaps in the middle of a known value. */
	hideCut(text: string, lost: 'beginning' | 'end'): string {
		return this.hide(lost === 'end' ? this.#withoutCutEnd(text) : this.#withoutCutBeginning(text));
	}

	/** For what a server answers, which is to stay as it is but for the values that are known. */
	hideKnown(text: string): string {
		let rest = '';
		let from = 0;
		for (let at = this.#filter.next(text, 0); at !== -1; ) {
			const end = this.#endAt(text, at);
			if (end === undefined) {
				at = this.#filter.next(text, at + 1);
				continue;
			}
			rest += text.slice(from, at) + mask;
			from = this.#endOfOverlapping(text, at, end);
			at = this.#filter.next(text, from);
		}
		return from === 0 ? text : rest + text.slice(from);
	}

	/** {@link hideKnown} for all texts of a value of JSON, in place; the data of images and sounds is left alone. */
	hideKnownIn(value: unknown): unknown {
		if (this.#long.size + this.#short.size === 0) return value;
		const root = { value };
		// A list of its own, not the stack, which is what a nested bomb aims at.
		const left: object[] = [root];
		for (let node = left.pop(); node !== undefined; node = left.pop()) {
			for (const [key, child] of Object.entries(node)) {
				if (typeof child === 'object' && child !== null) left.push(child);
				const isData = key === 'blob' || (key === 'data' && 'mimeType' in node);
				const shown = typeof child === 'string' && !isData ? this.hideKnown(child) : child;
				const name = Array.isArray(node) ? key : this.hideKnown(key);
				if (shown === child && name === key) continue;
				if (name !== key) Reflect.deleteProperty(node, key);
				// To assign to `__proto__` would change what the object is made from.
				Object.defineProperty(node, name, {
					value: shown,
					enumerable: true,
					writable: true,
					configurable: true,
				});
			}
		}
		return root.value;
	}

	/** Where the longest value that begins here ends. */
	#endAt(text: string, start: number): number | undefined {
		const isHere = (value: string) => text.startsWith(value, start) && isApart(text, start, value);
		const found =
			this.#long.get(text.slice(start, start + shortestAnywhere))?.find(isHere) ??
			this.#short.get(text.slice(start, start + shortest))?.find(isHere);
		return found === undefined ? undefined : start + found.length;
	}

	/** Values that overlap are hidden as one: the rest of the second would tell half of it. */
	#endOfOverlapping(text: string, start: number, first: number): number {
		let end = first;
		for (
			let at = this.#filter.next(text, start + 1);
			at !== -1 && at < end;
			at = this.#filter.next(text, at + 1)
		) {
			end = Math.max(end, this.#endAt(text, at) ?? 0);
		}
		return end;
	}

	#withoutCutEnd(text: string): string {
		const longest = Math.max(0, ...this.#longValues().map((value) => commonEnd(text, value)));
		return longest < shortestPiece ? text : text.slice(0, -longest) + mask;
	}

	#withoutCutBeginning(text: string): string {
		const longest = Math.max(0, ...this.#longValues().map((value) => commonBeginning(text, value)));
		return longest < shortestPiece ? text : mask + text.slice(longest);
	}

	#longValues(): string[] {
		return [...this.#long.values()].flat();
	}
}

/** A value as programs write it: in JSON, in an address, in base 64, one line of several. */
function formsOf(secret: string): string[] {
	const value = secret.trim();
	if (value.length < shortest || everyday.test(value)) return [];
	if (value.length < shortestAnywhere) return [value];
	const bytes = Buffer.from(value);
	const lines = value.split(/\r?\n|\\n/).map((line) => line.trim());
	return [
		value,
		JSON.stringify(value).slice(1, -1),
		encodeURIComponent(value.toWellFormed()),
		bytes.toString('base64').replace(/=+$/, ''),
		bytes.toString('base64url'),
		...(lines.length > 1
			? lines.filter((line) => line.length >= shortestLine && !line.startsWith('-----'))
			: []),
	];
}

function isApart(text: string, start: number, value: string): boolean {
	if (value.length >= shortestAnywhere && !/^[A-Za-z]+$/.test(value)) return true;
	return (
		!wordCharacter.test(text.charAt(start - 1)) && !wordCharacter.test(text.charAt(start + value.length))
	);
}

/** Characters that a text ends in and a value begins with, the value not being whole. */
function commonEnd(text: string, value: string): number {
	for (let length = Math.min(value.length - 1, text.length); length >= shortestPiece; length--) {
		if (text.endsWith(value.slice(0, length))) return length;
	}
	return 0;
}

function commonBeginning(text: string, value: string): number {
	for (let length = Math.min(value.length - 1, text.length); length >= shortestPiece; length--) {
		if (text.startsWith(value.slice(-length))) return length;
	}
	return 0;
}
