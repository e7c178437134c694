import { type Stretch, visible } from '../text.ts';
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
/** Values that everybody would guess: hiding them protects nothing, and makes texts unreadable. */
const everyday =
	/^(admin|administrator|root|test|testing|guest|user|username|postgres|postgresql|mysql|redis|mongo|mongodb|password|passwd|secret|token|demo|example|default|public|private|anonymous|changeme|localhost|development|production|staging|true|false|null|none)$/i;
const wordCharacter = /[A-Za-z0-9]/;
/** What stands for a character that is part of no word: an escape of JSON, of an address, of HTML. */
const escapeBefore = /(?:\\[nrtbfv]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|&#?\w{2,6};)$/i;
/** Longest of these, in characters. */
const longestEscape = 8;
/** Longest value of letters alone that could be a word, or part of one. */
const longestWord = 15;
/** Characters of a line of base 64, as programs break it. */
const base64Lines = [64, 76];

/**
 * Hides secrets in texts: values that are known, in each form that programs write them in, and what looks like a secret by
 * itself. It takes a few milliseconds for a megabyte, however many values there are.
 */
export class Redactor {
	/** By the characters that they begin with, three or eight, and then by length, the longest first: many may begin alike. */
	readonly #short = new Map<string, Map<number, Set<string>>>();
	readonly #long = new Map<string, Map<number, Set<string>>>();
	readonly #filter: BeginningsFilter;

	/** @param secrets the values that are known */
	constructor(secrets: Iterable<string> = []) {
		const texts = [...new Set([...secrets].flatMap(formsOf))].sort((a, b) => b.length - a.length);
		this.#filter = new BeginningsFilter(texts);
		for (const text of texts) {
			const isLong = text.length >= shortestAnywhere;
			const among = isLong ? this.#long : this.#short;
			const beginning = text.slice(0, isLong ? shortestAnywhere : shortest);
			const byLength = among.get(beginning) ?? new Map<number, Set<string>>();
			among.set(beginning, byLength);
			byLength.set(text.length, (byLength.get(text.length) ?? new Set()).add(text));
		}
	}

	/** For logs and errors: hides known values, and what looks like a secret. What is invisible goes: it could stand in the middle of one. */
	hide(text: string): string {
		const rest = this.#withoutKnown(visible(text));
		return masked(rest, spansInText('', rest, 'prose'));
	}

	/** {@link hide} for a text that has lost its end, or its beginning, perhaps in the middle of a known value. */
	hideCut(text: string, lost: 'beginning' | 'end'): string {
		return this.hide(lost === 'end' ? this.#withoutCutEnd(text) : this.#withoutCutBeginning(text));
	}

	/** For what a server answers, which is to stay as it is but for the values that are known, also with something invisible in them. */
	hideKnown(text: string): string {
		if (this.#isEmpty) return text;
		const seen = visible(text);
		const hidden = this.#withoutKnown(seen);
		return hidden === seen ? this.#withoutKnown(text) : hidden;
	}

	get #isEmpty(): boolean {
		return this.#long.size + this.#short.size === 0;
	}

	#withoutKnown(text: string): string {
		let rest = '';
		let from = 0;
		for (const { start, end } of this.knownIn(text)) {
			rest += text.slice(from, start) + mask;
			from = end;
		}
		return from === 0 ? text : rest + text.slice(from);
	}

	/** Where known values stand in a text, in order and apart from each other. */
	knownIn(text: string): readonly Stretch[] {
		const found: Stretch[] = [];
		for (let at = this.#filter.next(text, 0); at !== -1; ) {
			const first = this.#endAt(text, at);
			const end = first === undefined ? at + 1 : this.#endOfOverlapping(text, at, first);
			if (first !== undefined) found.push({ start: at, end });
			at = this.#filter.next(text, end);
		}
		return found;
	}

	/**
	 * {@link hideKnown} for all texts of a value of JSON, in place; the data of images and sounds is left alone. `below`: only what stands
	 * under one of these names, and no name itself.
	 */
	hideKnownIn(value: unknown, below?: ReadonlySet<string>): unknown {
		if (this.#isEmpty) return value;
		const root = { value };
		// Not recursive: a value that is nested very deep would overflow the stack.
		const left: { readonly node: object; readonly isBelow: boolean }[] = [{ node: root, isBelow: !below }];
		for (let next = left.pop(); next !== undefined; next = left.pop()) {
			const { node } = next;
			for (const [key, child] of Object.entries(node)) {
				const isBelow = next.isBelow || below?.has(key) === true;
				if (typeof child === 'object' && child !== null) left.push({ node: child, isBelow });
				const shown = !isBelow || isData(node, key) ? child : this.#hidden(child);
				const name = below || Array.isArray(node) ? key : this.hideKnown(key);
				if (shown === child && name === key) continue;
				if (name !== key) Reflect.deleteProperty(node, key);
				// Assigning to `__proto__` would replace the object's prototype.
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

	/** A text or a number of a value of JSON. */
	#hidden(child: unknown): unknown {
		if (typeof child === 'string') return this.hideKnown(child);
		return typeof child === 'number' && this.hideKnown(String(child)) === mask ? mask : child;
	}

	/** Where the longest value that begins here ends. */
	#endAt(text: string, start: number): number | undefined {
		const long = this.#long.get(text.slice(start, start + shortestAnywhere));
		const short = this.#short.get(text.slice(start, start + shortest));
		for (const byLength of [long, short]) {
			for (const [length, values] of byLength ?? []) {
				const here = text.slice(start, start + length);
				if (values.has(here) && isApart(text, start, here)) return start + length;
			}
		}
		return undefined;
	}

	/** Values that overlap are hidden as one: what is left of the second would give half of it away. */
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
		const sets = [...this.#long.values()].flatMap((byLength) => [...byLength.values()]);
		return sets.flatMap((values) => [...values]);
	}
}

/** The data of an image or a sound, and of a file. */
function isData(node: object, key: string): boolean {
	return (
		key === 'blob' || (key === 'data' && 'type' in node && (node.type === 'image' || node.type === 'audio'))
	);
}

/** A value as programs write it: as it is, with escapes, in base 64, in hexadecimal; one line of several. */
function formsOf(secret: string): string[] {
	const value = secret.trim();
	if (value.length < shortest || everyday.test(value)) return [];
	const lines = value.split(/\r?\n|\\n/).map((line) => line.trim());
	const longLines = lines.filter((line) => line.length >= shortestLine && !line.startsWith('-----'));
	return [...[value, ...(lines.length > 1 ? longLines : [])].flatMap(escaped), ...encoded(value)];
}

/** In JSON, and once more in JSON; in addresses and forms; in HTML and XML; between quotes of shells and programs. */
function escaped(value: string): string[] {
	if (/^[\w-]*$/.test(value)) return [value];
	const json = inJson(value);
	const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	const slashed = [json, ascii].map((text) => text.replaceAll('/', '\\/'));
	const html = ascii.replace(/[<>&'+]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	const inAddress = encodeURIComponent(value.toWellFormed());
	const strict = inAddress.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
	const addresses = [
		inAddress,
		strict,
		`${new URLSearchParams([['', value]])}`.slice(1),
		encodeURI(value.toWellFormed()),
	];
	const withSlashes = addresses.map((text) => text.replaceAll('%2F', '/'));
	const lower = [...addresses, ...withSlashes].map((text) =>
		text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
	);
	return [
		value,
		...[json, ascii, ...slashed, html].flatMap((text) => [text, inJson(text)]),
		...[...addresses, ...withSlashes, ...lower].flatMap((text) => [text, text.replaceAll('%', '%25')]),
		...['&#39;', '&#x27;', '&apos;', "'"].flatMap((quote) => [
			inHtml(value, quote, '"'),
			inHtml(value, quote, '&quot;'),
		]),
		value.replaceAll("'", "'\\''"),
		value.replace(/['\\]/g, '\\$&'),
	];
}

function inJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function inHtml(text: string, quote: string, doubleQuote: string): string {
	const entities: Readonly<Record<string, string>> = {
		'&': '&amp;',
		'<': '&lt;',
		'>': '&gt;',
		"'": quote,
		'"': doubleQuote,
	};
	return text.replace(/[&<>'"]/g, (mark) => entities[mark] ?? mark);
}

/** In base 64 also behind and before something else, as in `user:password`, where the characters at both ends are others. */
function encoded(value: string): string[] {
	const bytes = Buffer.from(value);
	const whole = bytes.toString('base64').replace(/=+$/, '');
	const hex = bytes.toString('hex');
	const texts = [whole];
	if (value.length >= shortestAnywhere) {
		const shifts = [0, 1, 2].map((shift) => {
			const text = Buffer.concat([Buffer.alloc(shift), bytes])
				.toString('base64')
				.replace(/=+$/, '');
			return text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((bytes.length + shift) * 8) / 6));
		});
		const lines = base64Lines.flatMap((length) => whole.match(new RegExp(`.{1,${length}}`, 'g')) ?? []);
		texts.push(...shifts, ...lines.filter((line) => line.length >= shortestLine), hex, hex.toUpperCase());
	}
	return texts.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

function isApart(text: string, start: number, value: string): boolean {
	if (value.length >= shortestAnywhere && !(value.length <= longestWord && /^[A-Za-z]+$/.test(value)))
		return true;
	if (wordCharacter.test(text.charAt(start + value.length))) return false;
	if (!wordCharacter.test(text.charAt(start - 1))) return true;
	return escapeBefore.test(text.slice(Math.max(0, start - longestEscape), start));
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
