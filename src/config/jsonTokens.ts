import { createScanner } from 'jsonc-parser';

/** Numbers of jsonc-parser's `SyntaxKind`, a const enum: it cannot be read where types are only erased. */
export const tokenKind = {
	openBrace: 1,
	closeBrace: 2,
	openBracket: 3,
	closeBracket: 4,
	comma: 5,
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

/** The tokens from `start` to `stop`, spaces and comments too. */
export function* tokensOf(text: string, start = 0, stop = text.length): Generator<Token> {
	const scanner = createScanner(text);
	scanner.setPosition(start);
	for (let kind: number = scanner.scan(); kind !== endOfFile; kind = scanner.scan()) {
		const offset = scanner.getTokenOffset();
		if (offset >= stop) return;
		yield { kind, offset, end: offset + scanner.getTokenLength() };
	}
}
