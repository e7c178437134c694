import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { rangeNumbers, renderedCharacters } from '../limits.ts';
import type { RenderOutcome } from '../outcome.ts';
import { lineOf, type Tag, type Token, tagsOf, unclosedBlock, withLines } from './tagLines.ts';

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
