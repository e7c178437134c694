import { isUtf8 } from 'node:buffer';
import { type Stretch, visible } from '../text.ts';
import { BeginningsFilter } from './issuerKeys.ts';
import { mask, masked, spansInText } from './secretSpans.ts';

/** Shorter values count only as whole words: they occur inside others by chance. */
const minLengthAnywhere = 8;
/** Shorter values are not searched for. */
const shortest = 3;
/** Shortest part of a secret that is hidden where a text was cut. */
const minPieceLength = 4;
/** Shortest line of a multi-line secret, such as a key in PEM, that is searched for by itself. */
const minLineLength = 16;
/** Values that anyone would guess. Hiding them protects nothing and makes texts unreadable. */
const everyday =
	/^(admin|administrator|root|test|testing|guest|user|username|postgres|postgresql|mysql|redis|mongo|mongodb|password|passwd|secret|token|demo|example|default|public|private|anonymous|changeme|localhost|development|production|staging|true|false|null|none)$/i;
const wordCharacter = /[A-Za-z0-9]/;
/** Escapes in JSON, addresses and HTML, which stand for characters outside words. */
const escapeBefore = /(?:\\[nrtbfv]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|&#?\w{2,6};)$/i;
/** Longest of these escapes, in characters. */
const maxEscapeLength = 8;
/** Longest value of letters alone that could be a word, or part of one. */
const maxWordLength = 15;
/** Line lengths of wrapped Base64. */
const base64Lines = [64, 76];

/**
 * Hides secrets in texts: known values in every encoding that programs use, and anything that looks like a secret. It takes a few
 * milliseconds per megabyte, however many values there are.
 */
export class Redactor {
	readonly #secrets = new Set<string>();
	/** By prefix, of three or eight characters, and then by length, longest first: many may begin alike. */
	readonly #values = new Map<string, Map<number, Set<string>>>();
	readonly #filter = new BeginningsFilter();

	/** @param secrets the known values */
	constructor(secrets: Iterable<string> = []) {
		this.add(secrets);
	}

	/** Hides further values, too. */
	add(secrets: Iterable<string>): void {
		const added = [...secrets].filter((secret) => !this.#secrets.has(secret));
		for (const secret of added) this.#secrets.add(secret);
		for (const text of new Set(added.flatMap(formsOf))) {
			const beginning = text.slice(0, text.length >= minLengthAnywhere ? minLengthAnywhere : shortest);
			const byLength = this.#values.get(beginning) ?? new Map<number, Set<string>>();
			byLength.set(text.length, (byLength.get(text.length) ?? new Set()).add(text));
			this.#values.set(beginning, new Map([...byLength].sort(([a], [b]) => b - a)));
			this.#filter.add(text);
		}
	}

	/** For logs and errors: hides known values and what looks like a secret. Removes invisible characters, which could split a secret. */
	hide(text: string): string {
		const visibleText = visible(text);
		const withoutKnown = masked(visibleText, this.knownIn(visibleText));
		return masked(withoutKnown, spansInText('', withoutKnown, 'prose'));
	}

	/** {@link hide} for a text whose end was cut off, perhaps in the middle of a known value. */
	hideCut(text: string): string {
		const values = [...this.#values.values()].flatMap((byLength) => [...byLength.values()]);
		const long = values.flatMap((some) => [...some]).filter(({ length }) => length >= minLengthAnywhere);
		const longest = Math.max(0, ...long.map((value) => commonEnd(text, value)));
		return this.hide(longest < minPieceLength ? text : text.slice(0, -longest) + mask);
	}

	/** For a server's answer, which must otherwise stay the same: hides known values, even if invisible characters split them. */
	hideKnown(text: string): string {
		if (this.#isEmpty) return text;
		const visibleText = visible(text);
		const hidden = masked(visibleText, this.knownIn(visibleText));
		return hidden === visibleText ? masked(text, this.knownIn(text)) : hidden;
	}

	get #isEmpty(): boolean {
		return this.#values.size === 0;
	}

	/** Where known values occur in a text, in order, not overlapping. */
	knownIn(text: string): readonly Stretch[] {
		const stretches = this.#plainIn(text);
		const runs = [...text.matchAll(escapedRun)]
			.map(({ 0: run, index }) => ({ start: index, end: index + run.length, run }))
			.filter(
				({ start, end, run }) =>
					!stretches.some((stretch) => stretch.start < end && start < stretch.end) &&
					this.#plainIn(decoded(run)).length > 0,
			);
		return runs.length === 0 ? stretches : [...stretches, ...runs].sort((a, b) => a.start - b.start);
	}

	#plainIn(text: string): readonly Stretch[] {
		const stretches: Stretch[] = [];
		for (let at = this.#filter.next(text, 0); at !== -1; ) {
			const first = this.#endAt(text, at);
			const end = first === undefined ? at + 1 : this.#endOfOverlapping(text, at, first);
			if (first !== undefined) stretches.push({ start: at, end });
			at = this.#filter.next(text, end);
		}
		return stretches;
	}

	/**
	 * Applies {@link hideKnown} to all strings in a JSON value, in place, and to data that is text. `below`: only to values under these keys, and
	 * not to keys.
	 */
	hideKnownIn(value: unknown, below?: ReadonlySet<string>): unknown {
		if (this.#isEmpty) return value;
		const root = { value };
		// Not recursive: a deeply nested value would overflow the stack.
		const pending: { readonly node: object; readonly isBelow: boolean }[] = [{ node: root, isBelow: !below }];
		for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
			const { node } = next;
			for (const [key, child] of Object.entries(node)) {
				const isBelow = next.isBelow || below?.has(key) === true;
				if (typeof child === 'object' && child !== null) pending.push({ node: child, isBelow });
				const masked = isBelow ? this.#hidden(child, isData(node, key)) : child;
				const name = below || Array.isArray(node) ? key : this.hideKnown(key);
				if (masked === child && name === key) continue;
				if (name !== key) Reflect.deleteProperty(node, key);
				// Assigning to `__proto__` would replace the object's prototype.
				Object.defineProperty(node, name, {
					value: masked,
					enumerable: true,
					writable: true,
					configurable: true,
				});
			}
		}
		return root.value;
	}

	#hidden(child: unknown, isBase64: boolean): unknown {
		if (typeof child === 'string') return isBase64 ? this.#hiddenData(child) : this.hideKnown(child);
		return typeof child === 'number' && this.hideKnown(String(child)) === mask ? mask : child;
	}

	/** Base64 with the known values hidden in the text that it encodes; pictures and sounds are none. */
	#hiddenData(base64: string): string {
		const bytes = Buffer.from(base64, 'base64');
		if (!isUtf8(bytes)) return base64;
		const text = bytes.toString();
		const hidden = this.hideKnown(text);
		return hidden === text ? base64 : Buffer.from(hidden).toString('base64');
	}

	/** Where the longest value that begins here ends. */
	#endAt(text: string, start: number): number | undefined {
		for (const prefix of [minLengthAnywhere, shortest]) {
			for (const [length, values] of this.#values.get(text.slice(start, start + prefix)) ?? []) {
				const candidate = text.slice(start, start + length);
				if (values.has(candidate) && isApart(text, start, candidate)) return start + length;
			}
		}
		return undefined;
	}

	/** Hides overlapping values as one: the rest of the second would reveal half of it. */
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
}

const bytesTypes = new Set<unknown>(['image', 'audio', 'file']);

/** The data of an image, a sound or a file. */
function isData(node: object, key: string): boolean {
	return key === 'blob' || (key === 'data' && 'type' in node && bytesTypes.has(node.type));
}

/** Text in which every character is escaped: in JSON, in a program, in an address, or as numbers in HTML. */
const escapedRun = /(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|&#x?[0-9a-f]{1,6};){3,}/gi;

function decoded(run: string): string {
	return run.replace(
		/\\u([0-9a-f]{4})|((?:(?:%|\\x)[0-9a-f]{2})+)|&#(x?)([0-9a-f]{1,6});/gi,
		(_, json?: string, bytes?: string, x?: string, code = '') => {
			if (json) return String.fromCharCode(Number.parseInt(json, 16));
			if (bytes) return Buffer.from(bytes.replace(/%|\\x/gi, ''), 'hex').toString('utf8');
			return String.fromCodePoint(Math.min(Number.parseInt(code, x ? 16 : 10) || 0, 0x10ffff));
		},
	);
}

/** The encodings in which a value may occur: plain, escaped, Base64, hexadecimal, and its single lines. */
function formsOf(secret: string): string[] {
	const value = secret.trim();
	if (value.length < shortest || everyday.test(value)) return [];
	const lines = value.split(/\r?\n|\\n/).map((line) => line.trim());
	const longLines = lines.filter((line) => line.length >= minLineLength && !line.startsWith('-----'));
	return [...[value, ...(lines.length > 1 ? longLines : [])].flatMap(escaped), ...encoded(value)];
}

/** In JSON, and in JSON within JSON; in addresses and forms; in HTML and XML; in quotes of shells and programs. */
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

/** Base64 also at any offset, as in `user:password`, where the first and last characters differ. */
function encoded(value: string): string[] {
	const bytes = Buffer.from(value);
	const base64 = bytes.toString('base64').replace(/=+$/, '');
	const hex = bytes.toString('hex');
	const texts = [base64];
	if (value.length >= minLengthAnywhere) {
		const shifts = [0, 1, 2].map((shift) => {
			const text = Buffer.concat([Buffer.alloc(shift), bytes])
				.toString('base64')
				.replace(/=+$/, '');
			return text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((bytes.length + shift) * 8) / 6));
		});
		const lines = base64Lines.flatMap((length) => base64.match(new RegExp(`.{1,${length}}`, 'g')) ?? []);
		texts.push(...shifts, ...lines.filter((line) => line.length >= minLineLength), hex, hex.toUpperCase());
	}
	return texts.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

function isApart(text: string, start: number, value: string): boolean {
	if (value.length >= minLengthAnywhere && !(value.length <= maxWordLength && /^[A-Za-z]+$/.test(value)))
		return true;
	if (wordCharacter.test(text.charAt(start + value.length))) return false;
	if (!wordCharacter.test(text.charAt(start - 1))) return true;
	return escapeBefore.test(text.slice(Math.max(0, start - maxEscapeLength), start));
}

/** The longest end of the text that is a beginning of the value, but not all of it. */
function commonEnd(text: string, value: string): number {
	for (let length = Math.min(value.length - 1, text.length); length >= minPieceLength; length--) {
		if (text.endsWith(value.slice(0, length))) return length;
	}
	return 0;
}
