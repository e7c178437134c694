import type { Stretch } from '../text.ts';
import { afterScheme, endOfQuoted, type SecretSpan } from './secretSpan.ts';
import { environmentName, looksLikeKey, looksRandom, nameVerdict, valueVerdict } from './secretVerdict.ts';

/** A literal that belongs to a name in a program or a settings file. */
interface LiteralValue extends Stretch {
	/** Of a concatenation: the text of all parts. */
	readonly text: string;
	/**
	 * `assigned`: the name is that of the literal, `token: string = "…"`. `near`: it stands behind the name in the same statement, `sign(token, "…")`.
	 * `bare`: near, and without quotation marks.
	 */
	readonly by: 'assigned' | 'near' | 'bare';
}

/** Shortest key without quotation marks that could also be an identifier, and digits in it. */
const minBareKey = 16;
const minBareDigits = 4;

/** The literal behind a name that is a key by its name and its look: code is full of words beside such names. `spend`: counts what was read. */
export function spanOfLiteral(
	owner: string,
	text: string,
	word: Stretch,
	spend: (read: Stretch) => void,
): SecretSpan | undefined {
	const name = text.slice(word.start, word.end).replace(/^[-.]+/, '');
	const byName = nameVerdict(name);
	if (byName === 'plain') return undefined;
	for (const literal of literalsAfter(text, word)) {
		spend(literal);
		const start = afterScheme(text, literal.start, literal.end);
		// A key may be written in lines.
		const value = literal.text.slice(start - literal.start).replace(/\s*(?:\n|\\n)\s*/g, '');
		const isKey = byName === 'secret' && literal.by === 'assigned' ? looksLikeKey(value) : looksRandom(value);
		const isName = literal.by === 'bare' && isIdentifier(value);
		if (isKey && !isName && valueVerdict(name, value, byName) === 'secret')
			return {
				kind: 'secret',
				evidence: 'name',
				start,
				end: literal.end,
				wish: environmentName(owner, name),
			};
	}
	return undefined;
}

/** Without quotation marks it is more likely the name of something. */
function isIdentifier(text: string): boolean {
	const isShort = text.length < minBareKey || (text.match(/\d/g)?.length ?? 0) < minBareDigits;
	return isShort && /^[A-Za-z_$][\w$.]*$/.test(text);
}

/** A text that is nothing but letters and digits, from 24 on. Digests of packages say what they are. */
const lone = /(["'`])(?!sha\d+-)([\w+/=-]{24,200})\1/g;

/** Literals that are keys by their look alone: capitals, small letters and digits alternate all the time. 240 in 60 MB of published code. */
export function* loneKeysIn(text: string): Generator<Stretch> {
	for (const { 2: value = '', index } of text.matchAll(lone)) {
		const changes = value.match(/[a-z][A-Z\d]|[A-Z](?:\d|[a-z](?![a-z]))|\d[A-Za-z]/g)?.length ?? 0;
		const isMixed = [/\d.*\d.*\d/, /(?:[A-Z].*){5}/, /(?:[a-z].*){5}/].every((some) => some.test(value));
		if (isMixed && changes >= value.length / 4) yield { start: index + 1, end: index + 1 + value.length };
	}
}

/** Characters between a name and its value that are read. */
const reach = 240;
/** What closes a quoted name, an index or an array. */
const closing = /^\\{0,3}["'`]?(?:\[\d*\]|[\])]){0,2}/;
/** A Rust lifetime is no quotation mark. */
const lifetime = /&'\w+/g;
/** Everything up to a text in quotation marks, at most four lines. */
const upToText = /^([^"'`\n]*(?:\n[^"'`\n]*){0,3}?)(\\{0,3}(?:"""|'''|["'`]|\[\[))/;
/** A sign, perhaps with a type or accessors before it, and letters behind it that say what kind of text follows. */
const assignment =
	/^[ \t]*(?:[:?!]{0,2}[ \t]*[\w.&<>[\]*?|: ]{0,80}?|\{[^{}\n]{0,40}\})[ \t]*(?::=|\?=|<-|=>|:|(?<![=!<>])=(?![=>]))\s*(?:@|\$|r#*|[bfuLR])?$/;
/** The end of a statement, an entry or a block. */
const boundary = /[;{}\n]|,(?!\s*$)/;
/** A bracket that is opened for the value. */
const opened = /[({[][({[\s]*$/;
/** What holds the value of a thing whose name stands before: `{ "name": "TOKEN", "value": "…" }`, `variable "token" { default = "…" }`. */
const holder =
	'["\'`\\\\]{0,4}(?:value|default|content|data|plain(?:text)?|string)["\'`\\\\]{0,4}\\s*(?:[:=]|=>)\\s*';
const endsWithHolder = new RegExp(`(?:^|[\\s,;{(-])${holder}$`, 'i');
const startsWithHolder = new RegExp(`^${holder}`, 'i');
/** What joins the parts of a text. */
const joint = /^(?:\s*(?:\+|\.{1,2}|&|\\)\s*|\s+)[bfr]?(\\{0,3}["'`])/;
const unquotedValue = '([^\\s"\'`&;,|<>()[\\]{}\\\\]+)(?![\\w([])';
/** A value without quotation marks behind a sign, a tag or a blank, or in the next line. */
const unquoted = new RegExp(
	`^(?:[ \\t]*(?:(?::[ \\t]*[\\w.&<>[\\]*?| ]{1,40})?[ \\t]*(?::=|\\?=|<-|=>|:-|=|:)[ \\t]*(?:[|>][-+]?\\n\\s+)?|>)|[ \\t]+|,?\\s{1,40}(?:- )?${holder})${unquotedValue}`,
	'i',
);

/** The literals behind a name that may belong to it, the likeliest first. */
function* literalsAfter(text: string, { start, end }: Stretch): Generator<LiteralValue> {
	const ahead = text.slice(end, end + reach).replace(lifetime, (match) => ' '.repeat(match.length));
	const from = end + (closing.exec(ahead)?.[0].length ?? 0);
	const rest = ahead.slice(from - end);
	yield* quotedAfter(text, { from, rest, isOption: text[start] === '-', most: maxTexts });
	const bare = unquotedAfter(from, rest);
	if (bare) yield bare;
}

/** Texts in one statement that may be the value. */
const maxTexts = 4;

interface Search {
	/** Where `rest` begins. */
	readonly from: number;
	readonly rest: string;
	/** The name is that of an option: `"--token", "…"`. */
	readonly isOption: boolean;
	readonly most: number;
}

function* quotedAfter(text: string, { from, rest, isOption, most }: Search): Generator<LiteralValue> {
	const [, between = '', quote] = upToText.exec(rest) ?? [];
	if (quote === undefined) return;
	const opening = from + between.length;
	const [lead] = startsWithHolder.exec(rest.slice(between.length)) ?? [];
	if (lead !== undefined) {
		const [inner] = /^\\{0,3}["'`]/.exec(rest.slice(between.length + lead.length)) ?? [];
		if (inner !== undefined) yield textAt(text, opening + lead.length, inner, 'near');
		return;
	}
	const isAssigned = assignment.test(between) || (isOption && /^\s*,\s*$/.test(between));
	const isNear = !boundary.test(between.replace(opened, '')) || endsWithHolder.test(between);
	if (!isAssigned && !isNear) return;
	const literal = textAt(text, opening, quote, isAssigned ? 'assigned' : 'near');
	yield literal;
	// The next one in the statement: the other branch of a condition, the next argument.
	const next = literal.end + quote.length - from;
	if (most > 1 && next < rest.length)
		yield* quotedAfter(text, { from: from + next, rest: rest.slice(next), isOption: false, most: most - 1 });
}

/** A literal with the literals that are joined to it. */
function textAt(text: string, opening: number, quote: string, by: LiteralValue['by']): LiteralValue {
	const start = opening + quote.length;
	let end = endOfQuoted(text, start, quote);
	let literal = text.slice(start, end);
	let close = end + quote.length;
	for (let more = joint.exec(text.slice(close, close + reach)); more; ) {
		const [lead, mark = ''] = more;
		const next = close + lead.length;
		end = endOfQuoted(text, next, mark);
		literal += text.slice(next, end);
		close = end + mark.length;
		more = joint.exec(text.slice(close, close + reach));
	}
	return { start, end, text: literal, by };
}

function unquotedAfter(from: number, rest: string): LiteralValue | undefined {
	const [lead, value] = unquoted.exec(rest) ?? [];
	if (lead === undefined || value === undefined) return undefined;
	const end = from + lead.length;
	return { start: end - value.length, end, text: value, by: 'bare' };
}
