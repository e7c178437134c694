import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { type RenderOutcome, rangeNumbers, renderedCharacters } from './job.ts';

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

/**
 * Renders a Jinja template. The library interprets it over values of its own, so a template reaches no object of JavaScript, no file and no
 * other template. White space is kept as Jinja2 keeps it by default. May take for ever: the sandbox's deadline ends it.
 */
export function renderTemplate(
	template: string,
	variables: Readonly<Record<string, unknown>>,
): RenderOutcome {
	const tags = tagsOf(template);
	let tokens: Token[];
	try {
		tokens = withLines(tokenize(template), tags);
	} catch (error) {
		return failed(error, tags.find(isUnreadable)?.line);
	}
	return interpret(tokens, variables);
}

function interpret(tokens: Token[], variables: Readonly<Record<string, unknown>>): RenderOutcome {
	const reading = readingOf(tokens);
	let program: ReturnType<typeof parse>;
	try {
		program = parse(reading.tokens);
	} catch (error) {
		const unclosed = reading.furthest() >= tokens.length ? unclosedBlock(tokens) : undefined;
		if (unclosed) return failed(`{% ${unclosed.name} %} without {% end${unclosed.name} %}`, unclosed.line);
		const before = tokens.slice(0, reading.furthest() + 1).findLast((token) => token.type === 'Comment');
		return failed(error, before && lineOf(before.value));
	}
	const interpreter = new LineKeepingInterpreter(environmentOf(variables));
	try {
		const text = String(interpreter.run(program).value);
		if (text.length <= renderedCharacters) return { kind: 'rendered', text };
		return failed(`the text has ${text.length} characters; at most ${renderedCharacters} are allowed`);
	} catch (error) {
		return failed(error, interpreter.line);
	}
}

/** Whether the lexer stumbles over a tag. */
function isUnreadable({ text }: Tag): boolean {
	try {
		tokenize(text);
		return false;
	} catch {
		return true;
	}
}

/** Tokens that tell how far they have been read, which is where a parser without lines of its own has stopped. */
function readingOf(tokens: Token[]): { readonly tokens: Token[]; readonly furthest: () => number } {
	let furthest = 0;
	const watched = new Proxy(tokens, {
		get(target, key, receiver) {
			if (typeof key === 'string' && /^\d+$/.test(key)) furthest = Math.max(furthest, Number(key));
			return Reflect.get(target, key, receiver);
		},
	});
	return { tokens: watched, furthest: () => furthest };
}

/** Knows the line of the tag that it has come to last. */
class LineKeepingInterpreter extends Interpreter {
	line: number | undefined;

	override evaluate(...[statement, environment]: Parameters<Interpreter['evaluate']>) {
		if (statement?.type === 'Comment' && 'value' in statement) this.line = lineOf(String(statement.value));
		return super.evaluate(statement, environment);
	}
}

function environmentOf(variables: Readonly<Record<string, unknown>>): Environment {
	const environment = new Environment();
	const globals = { true: true, True: true, false: false, False: false, none: null, None: null };
	for (const [name, value] of Object.entries({ ...globals, range, raise_exception: raise, ...variables })) {
		environment.set(name, value);
	}
	return environment;
}

function raise(message: unknown): never {
	throw new Error(String(message));
}

function range(first: number, second?: number, step = 1): number[] {
	const [start, stop] = second === undefined ? [0, first] : [first, second];
	const length = Math.max(0, Math.ceil((stop - start) / step));
	if (!(length <= rangeNumbers)) throw new Error(`range() gives at most ${rangeNumbers} numbers`);
	return Array.from({ length }, (_, index) => start + index * step);
}

function failed(error: unknown, line?: number): RenderOutcome {
	// The library's signal for a `break` outside any loop has no message.
	const message = (error instanceof Error ? error.message : String(error)) || 'this tag has no place here';
	const fault = message
		.replace(/^Parser Error: /, '')
		.replace(/\s+/g, ' ')
		.replace(/\.$/, '')
		.slice(0, 300);
	return { kind: 'failed', fault, ...(line !== undefined && { line }) };
}
