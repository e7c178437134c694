import type { tokenize } from '@huggingface/jinja';

/** A piece of a template as the library's lexer gives it. */
export type Token = ReturnType<typeof tokenize>[number];

/** A tag (`{{ … }}`, `{% … %}`, `{# … #}`) of a template, and the line, from 1, on which it begins. */
export interface Tag {
	readonly text: string;
	readonly line: number;
}

/** A tag from its opening to its end, or to the end of the template where it has none. Texts in quotes may hold what looks like an end. */
const tagPattern =
	/\{#[\s\S]*?(?:#\}|$)|\{%(?:'(?:\\[\s\S]|[^'\\])*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|(?!%\})[^'"])*(?:%\}|$)|\{\{(?:'(?:\\[\s\S]|[^'\\])*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|(?!\}\})[^'"])*(?:\}\}|$)/g;

/** All tags, in order. */
export function tagsOf(template: string): Tag[] {
	let line = 1;
	let end = 0;
	return [...template.matchAll(tagPattern)].map((match) => {
		line += lineEnds(template.slice(end, match.index));
		end = match.index;
		return { text: match[0], line };
	});
}

/**
 * The library's tokens know nothing of lines. So each tag gets a comment before it, which parser and interpreter pass over, with its
 * line as its text; {@link lineOf} reads it.
 */
export function withLines(tokens: readonly Token[], tags: readonly Tag[]): Token[] {
	let tag = 0;
	return tokens.flatMap((token, index) => {
		const before = tokens[index - 1]?.type;
		const isTag = tagBeginnings.has(token.type) && (before === undefined || tagSurroundings.has(before));
		if (!isTag) return [token];
		const mark: Token = { type: 'Comment', value: String(tags[tag++]?.line ?? '') };
		return token.type === 'Comment' ? [mark] : [mark, token];
	});
}

const tagBeginnings: ReadonlySet<string> = new Set(['Comment', 'OpenExpression', 'OpenStatement']);
/** What a tag can follow; within a tag, what looks like the beginning of another is a fault. */
const tagSurroundings: ReadonlySet<string> = new Set([
	'CloseExpression',
	'CloseStatement',
	'Comment',
	'Text',
]);

/** The line that a comment of {@link withLines} holds. */
export function lineOf(comment: string): number | undefined {
	return comment === '' ? undefined : Number(comment);
}

const blocks = new Set(['call', 'filter', 'for', 'if', 'macro', 'set']);

/** Line and name of the innermost block that has no end, e.g. `if` without `endif`. */
export function unclosedBlock(
	tokens: readonly Token[],
): { readonly name: string; readonly line: number | undefined } | undefined {
	const open: { name: string; line: number | undefined }[] = [];
	let line: number | undefined;
	tokens.forEach((token, index) => {
		if (token.type === 'Comment') line = lineOf(token.value);
		if (token.type !== 'OpenStatement') return;
		const name = tokens[index + 1]?.value ?? '';
		if (blocks.has(name) && !isAssignment(name, tokens, index)) open.push({ name, line });
		else if (name === `end${open.at(-1)?.name}`) open.pop();
	});
	return open.at(-1);
}

/** `{% set a = 1 %}` has no end, `{% set a %}` has one. */
function isAssignment(name: string, tokens: readonly Token[], index: number): boolean {
	const end = tokens.findIndex((token, at) => at > index && token.type === 'CloseStatement');
	return name === 'set' && tokens.slice(index, end).some((token) => token.type === 'Equals');
}

function lineEnds(text: string): number {
	return text.split('\n').length - 1;
}
