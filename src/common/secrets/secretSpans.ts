import type { Stretch } from '../text.ts';
import { addressSpans } from './addressSecrets.ts';
import { BeginningsFilter, issuerKeysIn } from './issuerKeys.ts';
import { loneKeysIn, spanOfLiteral } from './literalSpan.ts';
import {
	afterScheme,
	authorizationScheme,
	endAt,
	endOfQuoted,
	maxNameLength,
	minKeyInPathLength,
	type SecretSpan,
	secretSpanOf,
	type TextKind,
	unnamed,
} from './secretSpan.ts';
import { environmentName, type NameVerdict, nameVerdict, secretNameHints } from './secretVerdict.ts';

/** Options of `sh`, `cmd` and `powershell` that take a whole command line. */
const forShell = /^(-\w*c|\/c|-command)$/i;

/** What a secret is replaced by. */
export const mask = '***';

/** The first secret in a named value; `undefined`: none. */
export function secretIn(name: string, value: string): SecretSpan | undefined {
	return spansOfValue('', name, value).find(({ kind }) => kind === 'secret');
}

/** Whether there is a secret, rather than a placeholder for one. */
export function holdsSecret(spans: readonly SecretSpan[]): boolean {
	return spans.some(({ kind }) => kind === 'secret');
}

/** The text with `***` for each secret, or for each stretch. */
export function masked(text: string, spans: readonly (Stretch & Partial<SecretSpan>)[]): string {
	let rest = '';
	let from = 0;
	for (const { kind = 'secret', start, end } of spans) {
		if (kind !== 'secret') continue;
		rest += text.slice(from, start) + mask;
		from = end;
	}
	return rest + text.slice(from);
}

/** Secrets in a named value: a variable, a header, an option, a parameter. `owner` is prepended where the name alone says too little. */
export function spansOfValue(owner: string, name: string, value: string): readonly SecretSpan[] {
	const wish = environmentName(owner, name);
	const byName = nameVerdict(name);
	if (byName === 'plain') return spansInText(wish, value);
	const scheme = authorizationScheme.exec(value)?.[0].length ?? 0;
	const expected = { name, byName, wish: () => wish, evidence: 'name' } as const;
	const span = secretSpanOf(value, { start: scheme, end: value.length }, expected);
	return span ? [span] : spansInText(wish, value);
}

/** Secrets in the arguments of a command, by argument: `--token abc`, `--token=abc`, `TOKEN=abc`, `--header "Authorization: …"`. */
export function spansOfArguments(owner: string, args: readonly string[]): readonly (readonly SecretSpan[])[] {
	return args.map((text, index) => {
		const option = args[index - 1] ?? '';
		const isValue =
			/^--?[A-Za-z][\w-]*$/.test(option) && nameVerdict(option) !== 'plain' && !text.startsWith('-');
		if (isValue) return spansOfValue(owner, option, text);
		return forShell.test(option) ? spansInText(owner, text) : spansOfArgument(owner, text);
	});
}

function spansOfArgument(owner: string, text: string): readonly SecretSpan[] {
	const [lead, name = ''] =
		/^-{0,2}([A-Za-z_][\w.-]*)=/.exec(text) ?? /^([A-Za-z][\w-]*):\s*(?!\/\/)/.exec(text) ?? [];
	if (lead === undefined || nameVerdict(name) === 'plain') return spansInText(owner, text);
	const spans = spansOfValue(ownerOf(owner, lead), name, text.slice(lead.length));
	return spans.map((span) => ({ ...span, start: span.start + lead.length, end: span.end + lead.length }));
}

/** A word in the form of an environment variable has its own name: `docker run -e GITHUB_TOKEN=…`. */
function ownerOf(owner: string, lead: string): string {
	return /^[A-Z_][A-Z0-9_]*=$/.test(lead) ? '' : owner;
}

/**
 * Secrets in any text, in order, not overlapping: named values, keys with an issuer's prefix, parts of addresses. Takes time proportional
 * to the text, whatever it contains.
 */
export function spansInText(
	owner: string,
	text: string,
	reading: TextKind = 'setting',
): readonly SecretSpan[] {
	const lone = reading === 'code' ? loneKeysIn(text) : [];
	return apart([
		...cluedSpans(owner, text, reading),
		...keySpans(owner, text, [...issuerKeysIn(text), ...lone]),
		...curlSpans(owner, text),
	]);
}

/** `-u user:abc`: no name marks the password, but people paste `curl` commands. In other programs, a group follows the colon. */
const curlUser = /\s(?:-u|--user)[ =]?["']?[^\s:@/"']{1,64}:(?!\/\/)([^\s"']+)/g;
/** Characters before it in which `curl` is looked for. */
const curlReach = 200;

function* curlSpans(owner: string, text: string): Generator<SecretSpan> {
	for (const { 0: written, 1: password = '', index } of text.matchAll(curlUser)) {
		const program = text.lastIndexOf('curl', index);
		if (program < 0 || index - program > curlReach || /[\n|;&]/.test(text.slice(program, index))) continue;
		const end = index + written.length;
		const expected = unnamed('password', () => environmentName(owner, 'password'));
		const span = secretSpanOf(text, { start: end - password.length, end }, expected);
		if (span) yield span;
	}
}

/** Sorted and without overlaps: the first wins, or the longer one if both begin at the same place. */
function apart(spans: readonly SecretSpan[]): readonly SecretSpan[] {
	let end = 0;
	return spans
		.toSorted((a, b) => a.start - b.start || b.end - a.end)
		.filter((span) => {
			if (span.start < end) return false;
			end = span.end;
			return true;
		});
}

/** Parts of the names of secrets, names of schemes, and what precedes a host. */
const clues = new BeginningsFilter(['://', ...[...secretNameHints, 'bas'].flatMap(inAnyCase)]);

function inAnyCase(text: string): string[] {
	return [...text].reduce(
		(starts: string[], letter) => starts.flatMap((start) => [start + letter, start + letter.toUpperCase()]),
		[''],
	);
}

function* cluedSpans(owner: string, text: string, reading: TextKind): Generator<SecretSpan> {
	// Values that are not secrets may be nested a thousand deep in a malicious text. This bounds the characters read in total.
	let charactersLeft = 8 * text.length + minRead;
	const spend = ({ start, end }: Stretch) => {
		charactersLeft -= end - start;
	};
	let at = clues.next(text, 0);
	while (at !== -1) {
		if (charactersLeft <= 0) {
			// Nobody knows what the rest contains.
			yield {
				start: at,
				end: text.length,
				kind: 'secret',
				evidence: 'name',
				wish: environmentName(owner, 'rest'),
			};
			return;
		}
		if (text.startsWith('://', at)) {
			yield* addressSpans(owner, text, at, reading);
			at = clues.next(text, at + 3);
			continue;
		}
		const word = wordAt(text, at);
		const value = word && (reading === 'code' ? behindScheme(text, word) : valueBeside(text, word, reading));
		const span =
			(word && value && spanOfWord(owner, text, word, value, reading)) ??
			(word && reading !== 'setting' ? spanOfLiteral(owner, text, word, spend) : undefined);
		if (span) yield span;
		if (value) spend(value);
		// The filter has false positives: there may be no word here.
		at = clues.next(text, Math.max(at + 1, span?.end ?? word?.end ?? 0));
	}
}

const minRead = 16_384;

/** A word of letters, digits, `_`, `-` and `.` that could be a name, or its last {@link maxNameLength} characters; `undefined`: it is too long. */
function wordAt(text: string, at: number): Stretch | undefined {
	let start = at;
	while (start > 0 && at - start <= maxNameLength && isNameCharacter(text.charCodeAt(start - 1))) start--;
	let end = at;
	while (end < text.length && end - at <= maxNameLength && isNameCharacter(text.charCodeAt(end))) end++;
	return end - at > maxNameLength ? undefined : { start: Math.max(start, end - maxNameLength), end };
}

function isNameCharacter(code: number): boolean {
	return (
		(code >= 0x61 && code <= 0x7a) ||
		(code >= 0x41 && code <= 0x5a) ||
		(code >= 0x30 && code <= 0x39) ||
		code === 0x5f ||
		code === 0x2d ||
		code === 0x2e
	);
}

interface FoundValue extends Stretch {
	/** What separates the name from the value; after a scheme (`Bearer …`) only a space. */
	readonly separator: '=' | ':' | 'option' | 'scheme';
	/** It could also be a word in a sentence. */
	readonly isLoose: boolean;
}

/** Separators between a name and a value: `=`, `:`, `":`, ` = `, `=>`, `:=`; and in program output `</…>`, `', '` and `%3D`. */
const joint = /\\{0,3}["'`]?[ \t]{0,16}(=>|:=|=|:(?!\/\/))/y;
const pair = /(["']),[ \t]{0,4}(?=["'])/y;
const encodedJoint = /(?:%5c)?(?:%22)?(?:%20|\+)?(?:%3d|%3a)(?:%20|\+)?(?:%5c)?(?:%22)?/iy;

/** `TOKEN=abc`, `{"token": "abc"}`, `token: abc`, `Password=abc;Port=1`, `?token=abc`, `--token abc`, `Bearer abc`. */
function valueBeside(text: string, word: Stretch, reading: TextKind): FoundValue | undefined {
	const lead = matchAt(joint, text, word.end);
	if (lead !== undefined) {
		const from = word.end + lead.length;
		const separator = lead.endsWith(':') ? ':' : '=';
		const isSpaced = / .$/.test(lead) || text[from] === ' ';
		return { separator, ...valueFrom(text, from, word, isSpaced || separator === ':') };
	}
	return (reading === 'prose' ? valueInMarkup(text, word) : undefined) ?? valueBehindBlank(text, word);
}

/** `<token>abc</token>`, `('token', 'abc')`, `token%3Dabc`. */
function valueInMarkup(text: string, word: Stretch): FoundValue | undefined {
	const previous = text[word.start - 1];
	const next = text[word.end];
	if (previous === '<' && next === '>') {
		const start = word.end + 1;
		return { separator: '=', start, end: endAt(text, start, /[<\r\n]/), isLoose: false };
	}
	if (next === '%') {
		const start = word.end + (matchAt(encodedJoint, text, word.end)?.length ?? 0);
		if (start > word.end)
			return { separator: '=', start, end: endAt(text, start, afterEncoded), isLoose: false };
	}
	const comma = previous === next ? matchAt(pair, text, word.end) : undefined;
	return comma === undefined
		? undefined
		: { separator: ':', ...valueFrom(text, word.end + comma.length, word, true), isLoose: true };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text)?.[0];
}

function valueBehindBlank(text: string, { start, end }: Stretch): FoundValue | undefined {
	if (!text.startsWith('--', start)) return behindScheme(text, { start, end });
	const lead = matchAt(blanks, text, end);
	if (lead === undefined) return undefined;
	const from = end + lead.length;
	const quote = /["']$/.exec(lead)?.[0];
	return quote === undefined
		? { separator: 'option', start: from, end: endAt(text, from, space), isLoose: true }
		: { separator: 'option', start: from, end: endOfQuoted(text, from, quote), isLoose: false };
}

function behindScheme(text: string, { start, end }: Stretch): FoundValue | undefined {
	// Most words are none; reject them quickly.
	if ((end - start !== 6 && end - start !== 5) || !scheme.test(text.slice(start, end))) return undefined;
	const lead = matchAt(blanks, text, end);
	if (lead === undefined) return undefined;
	const from = end + lead.length;
	return { separator: 'scheme', start: from, end: endAt(text, from, notInToken), isLoose: true };
}

const blanks = /[ \t]{1,16}["']?/y;
const scheme = /^(bearer|basic)$/i;
const notInToken = /[^\w.~+/=-]/;
const space = /[\s"']/;
const lineEnd = /["'\r\n]/;
const afterParameter = /[\s"'`&#<>\\]/;
const afterValue = /[\s"'`&;,|<>)\]}\\]/;
/** In a connection string, only the semicolon ends a value. */
const afterPair = /[\s"'`;]/;
const afterEncoded = /%2[26c]|%7d|%5c|[\s"'`&<>]/i;
const opening = /\\{0,3}["'`]/y;

function valueFrom(
	text: string,
	from: number,
	word: Stretch,
	isLoose: boolean,
): Stretch & { isLoose: boolean } {
	let start = from;
	while (text[start] === ' ' || text[start] === '\t') start++;
	const quote = matchAt(opening, text, start);
	if (quote !== undefined) {
		const end = endOfQuoted(text, start + quote.length, quote);
		return { start: afterScheme(text, start + quote.length, end), end, isLoose: false };
	}
	const previous = text[word.start - 1];
	const isCookie = /cookie$/i.test(text.slice(word.start, word.end));
	const isParameter = previous === '?' || previous === '&';
	const stop = isCookie ? lineEnd : previous === ';' ? afterPair : isParameter ? afterParameter : afterValue;
	const bare = afterScheme(text, start, text.length);
	return { start: bare, end: endAt(text, bare, stop), isLoose: isLoose && bare === start };
}

function spanOfWord(
	owner: string,
	text: string,
	word: Stretch,
	{ separator, start, end, isLoose }: FoundValue,
	reading: TextKind,
): SecretSpan | undefined {
	const value = { start, end };
	const couldBeWord = isLoose && (separator !== 'option' || reading === 'prose');
	if (separator === 'scheme') {
		// "Basic authentication failed" contains no secret.
		const valueText = text.slice(start, end);
		// In `"Basic " + encoded`, a program goes on.
		const isNone =
			valueText.length < 8 ||
			/^[+.]/.test(valueText) ||
			(valueText.length < minKeyInPathLength && isWord(valueText));
		return isNone
			? undefined
			: secretSpanOf(
					text,
					value,
					unnamed('scheme', () => wishFor(owner, 'token')),
				);
	}
	// `token = parse(stream)`
	if (reading === 'prose' && separator === '=' && call.test(text.slice(start, start + maxNameLength)))
		return undefined;
	const written = text.slice(word.start, word.end);
	const name = written.replace(/^[-.]+/, '');
	const isParameter = reading === 'prose' && separator === '=' && /[?&#]/.test(text.charAt(word.start - 1));
	const byName = isParameter ? parameterVerdict(name, text.slice(start, end)) : nameVerdict(name);
	if (byName === 'plain' || (couldBeWord && isWord(text.slice(start, end)))) return undefined;
	const wish = () => environmentName(ownerOf(owner, separator === '=' ? `${written}=` : ''), name);
	return secretSpanOf(text, value, { name, byName, wish, evidence: 'name' });
}

/** A call in a program. */
const call = /^[A-Za-z_$][\w$.]*\(/;

/** In a query, `key=` is usually a key, and `code=` signs in, unless it is a word or a small number. */
function parameterVerdict(name: string, value: string): NameVerdict {
	const byName = /^code$/i.test(name) ? 'perhaps' : nameVerdict(name);
	return byName === 'perhaps' && value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value)
		? 'secret'
		: byName;
}

/** Words in sentences and programs: `expired`, `process.env.TOKEN`, `prod/db`. */
function isWord(text: string): boolean {
	return /^[A-Za-z]*(?:[._/-][A-Za-z]+)*[^A-Za-z0-9]*$/.test(text);
}

function* keySpans(owner: string, text: string, keys: readonly Stretch[]): Generator<SecretSpan> {
	for (const stretch of keys) {
		const span = secretSpanOf(
			text,
			stretch,
			unnamed('issuer', () => wishFor(owner, 'key')),
		);
		if (span) yield span;
	}
}

/** The owner's own name, if it is that of a secret. */
function wishFor(owner: string, what: string): string {
	return environmentName(owner, nameVerdict(owner) === 'secret' ? '' : what);
}
