import * as l10n from '@vscode/l10n';
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { Memo } from '../../common/memo.ts';
import { nounOf } from '../problemText.ts';
import { type Path, pathText } from './jsonPath.ts';
import type { Fault } from './problemReport.ts';

/** The values of jsonc-parser's `SyntaxKind`, a const enum, which does not work when types are merely stripped. */
export const tokenKind = {
	openBrace: 1,
	closeBrace: 2,
	openBracket: 3,
	closeBracket: 4,
	comma: 5,
	string: 10,
	lineComment: 12,
	blockComment: 13,
	lineBreak: 14,
	space: 15,
} as const;

/** A token of JSON with comments. `end` is the offset after it. */
export interface Token {
	readonly kind: number;
	readonly offset: number;
	readonly end: number;
}

const endOfFile = 17;

/** The tokens from `start` to `stop`, including spaces and comments. */
export function* tokensOf(text: string, start = 0, stop = text.length): Generator<Token> {
	const scanner = createScanner(text);
	scanner.setPosition(start);
	for (let kind: number = scanner.scan(); kind !== endOfFile; kind = scanner.scan()) {
		const offset = scanner.getTokenOffset();
		if (offset >= stop) return;
		yield { kind, offset, end: offset + scanner.getTokenLength() };
	}
}

/** Largest file that is parsed, in UTF-8 bytes: jsonc-parser takes 0.6 s for 8.5 MB, on the extension's thread. */
const maxBytes = 1_000_000;
/** Deepest nesting that is parsed: jsonc-parser is recursive, and a valid configuration has at most 5 levels. */
const maxDepth = 64;
/** Syntax errors to show. Later ones are usually consequences of the first. */
const maxSyntaxFaults = 5;

/** Parsed texts that are kept: the files of a window, before and after a change. */
const keptTexts = 8;
const parsed = new Memo<string, ConfigText>(keptTexts);

/**
 * A text in JSON with comments and trailing commas, parsed once for everybody who asks: loading, edits, marks, lenses, completion and fixes.
 * Checks what jsonc-parser accepts silently or cannot handle: size, NUL, depth, and duplicate keys (the first one counts, as for edits).
 */
export class ConfigText {
	/** A byte order mark is a space, which keeps all offsets. */
	readonly text: string;
	/** `undefined`: it cannot be read, and `faults` says why. */
	readonly root: Node | undefined;
	/** As far as the text can be parsed; `undefined` if there is nothing, or the text is too large or too deep. */
	readonly unfinished: Node | undefined;
	readonly faults: readonly Fault[];
	#value: { readonly of: unknown } | undefined;

	private constructor(text: string) {
		this.text = text;
		const unreadable = wholeFileFault(text);
		const errors: ParseError[] = [];
		const options = { allowTrailingComma: true, allowEmptyContent: true };
		this.unfinished = unreadable ? undefined : parseTree(text, errors, options);
		this.faults = unreadable ? [unreadable] : faultsOf(text, this.unfinished, errors);
		this.root = this.faults.some(({ severity }) => severity === 'error') ? undefined : this.unfinished;
	}

	static of(text: string): ConfigText {
		const withoutMark = text.replace(/^\uFEFF/, ' ');
		return parsed.get(withoutMark, () => new ConfigText(withoutMark));
	}

	/** The file's content: {@link nodeValue} of its root. */
	get value(): unknown {
		this.#value ??= { of: this.root && nodeValue(this.root) };
		return this.#value.of;
	}
}

function faultsOf(text: string, root: Node | undefined, errors: readonly ParseError[]): readonly Fault[] {
	if (errors.length > 0) return syntaxFaults(text, errors);
	if (!root) return [fileError(l10n.t('The file is empty; it needs at least {}.'), 0, 0)];
	if (root.type !== 'object') {
		const message = l10n.t(
			'expected an object in braces at the top of the file, not {0}',
			nounOf(root.type) ?? root.type,
		);
		return [fileError(message, root.offset, root.length)];
	}
	return [...replacementFaults(text), ...doubledKeys(root, [])];
}

/**
 * The plain value of a node. Objects have no prototype and the first of duplicate keys counts, so `__proto__` is an ordinary key
 * (jsonc-parser's `getNodeValue` would set the prototype).
 */
export function nodeValue(node: Node, read: (node: Node) => unknown = ({ value }) => value): unknown {
	if (node.type === 'array') return (node.children ?? []).map((child) => nodeValue(child, read));
	if (node.type !== 'object') return read(node);
	const value: Record<string, unknown> = Object.create(null);
	for (const property of node.children ?? []) {
		const [key, child] = property.children ?? [];
		if (key && child && !Object.hasOwn(value, key.value)) value[key.value] = nodeValue(child, read);
	}
	return value;
}

function wholeFileFault(text: string): Fault | undefined {
	const bytes = Buffer.byteLength(text);
	if (bytes > maxBytes) {
		return fileError(l10n.t('The file has {0} bytes; at most {1} are read.', bytes, maxBytes), 0, 0);
	}
	const nul = text.indexOf('\0');
	if (nul >= 0) return fileError(l10n.t('The file contains a NUL character; save it as UTF-8 text.'), nul, 1);
	const deep = tooDeepAt(text);
	if (deep !== undefined) return fileError(l10n.t('nested deeper than {0} levels', maxDepth), deep, 1);
	return undefined;
}

function tooDeepAt(text: string): number | undefined {
	let depth = 0;
	for (const { kind, offset } of tokensOf(text)) {
		if (kind === tokenKind.openBrace || kind === tokenKind.openBracket) depth++;
		if (kind === tokenKind.closeBrace || kind === tokenKind.closeBracket) depth--;
		if (depth > maxDepth) return offset;
	}
	return undefined;
}

function syntaxFaults(text: string, errors: readonly ParseError[]): Fault[] {
	const end = text.trimEnd().length;
	return [...Map.groupBy(errors, ({ offset }) => offset).values()]
		.flatMap(([first]) => first ?? [])
		.toSorted((a, b) => a.offset - b.offset)
		.slice(0, maxSyntaxFaults)
		.map(({ error, offset, length }) => {
			const expectation = syntaxText(printParseErrorCode(error));
			const message = offset >= end ? l10n.t('The file ends too early: {0}.', expectation) : expectation;
			const marked = Math.max(length, offset < text.length ? 1 : 0);
			return { ...fileError(message, offset, marked), reason: { kind: 'syntax' } };
		});
}

function syntaxText(code: string): string {
	switch (code) {
		case 'PropertyNameExpected':
			return l10n.t('expected a name in double quotes');
		case 'ValueExpected':
			return l10n.t('expected a value');
		case 'ColonExpected':
			return l10n.t('expected a colon after the name');
		case 'CommaExpected':
			return l10n.t('expected a comma before the next entry');
		case 'CloseBraceExpected':
			return l10n.t('expected a closing brace }');
		case 'CloseBracketExpected':
			return l10n.t('expected a closing bracket ]');
		case 'EndOfFileExpected':
			return l10n.t('expected nothing more after the closing brace');
		case 'UnexpectedEndOfComment':
			return l10n.t('expected the end of the comment, */');
		case 'UnexpectedEndOfString':
			return l10n.t('expected a closing double quote on the same line');
		case 'InvalidNumberFormat':
		case 'UnexpectedEndOfNumber':
			return l10n.t('this is not a valid JSON number');
		case 'InvalidEscapeCharacter':
		case 'InvalidUnicode':
			return l10n.t('unknown escape in a string; write a backslash as \\\\');
		case 'InvalidCharacter':
			return l10n.t('a string cannot contain a tab or another control character; write \\t');
		default:
			return l10n.t('this is not JSON; strings and keys need double quotes');
	}
}

/** Invalid UTF-8 has become U+FFFD by now. Usually it is in a comment or a name, so the rest of the file is used. */
function replacementFaults(text: string): Fault[] {
	const offset = text.indexOf('\uFFFD');
	if (offset < 0) return [];
	const message = l10n.t('This character is not UTF-8; save the file as UTF-8 text.');
	return [{ severity: 'warning', path: [], message, offset, length: 1 }];
}

function doubledKeys(node: Node, path: Path): Fault[] {
	if (node.type === 'array') {
		return (node.children ?? []).flatMap((child, index) => doubledKeys(child, [...path, index]));
	}
	const seenKeys = new Set<string>();
	return (node.type === 'object' ? (node.children ?? []) : []).flatMap((property): Fault[] => {
		const [key, child] = property.children ?? [];
		if (!key || !child) return [];
		const place = [...path, String(key.value)];
		if (!seenKeys.has(key.value)) {
			seenKeys.add(key.value);
			return doubledKeys(child, place);
		}
		const text = l10n.t('duplicate name; the first one is used, this one is ignored');
		const message = `${pathText(place)}: ${text}`;
		const { offset, length } = key;
		return [{ severity: 'warning', path: place, message, reason: { kind: 'doubled-key' }, offset, length }];
	});
}

function fileError(message: string, offset: number, length: number): Fault {
	return { severity: 'error', path: [], message, offset, length };
}

/** The object that a text is in JSON; `undefined`: it is none. */
export function jsonOf(text: string): JsonRecord | undefined {
	const { value } = ConfigText.of(text);
	return isRecord(value) ? value : undefined;
}
