import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { type RenderOutcome, rangeNumbers, renderedCharacters } from './job.ts';

/**
 * Renders a Jinja template. The library interprets it over values of its own, so a template reaches no object of JavaScript, no file and no
 * other template. White space is kept as Jinja2 keeps it by default. May take for ever: the sandbox's deadline ends it.
 */
export function renderTemplate(
	template: string,
	variables: Readonly<Record<string, unknown>>,
): RenderOutcome {
	let program: ReturnType<typeof parse>;
	try {
		program = parse(tokenize(template));
	} catch (error) {
		return unreadable(template, error);
	}
	try {
		const text = String(new Interpreter(environmentOf(variables)).run(program).value);
		if (text.length <= renderedCharacters) return { kind: 'rendered', text };
		return failed(`the text has ${text.length} characters; at most ${renderedCharacters} are allowed`);
	} catch (error) {
		return failed(error, lineReached(template, variables));
	}
}

/** A tag (`{{ … }}`, `{% … %}`, `{# … #}`) of a template, and the line, from 1, on which it begins. */
interface Tag {
	readonly text: string;
	readonly line: number;
}

/** A tag from its opening to its end, or to the end of the template where it has none. Texts in quotes may hold what looks like an end. */
const tagPattern =
	/\{#[\s\S]*?(?:#\}|$)|\{%(?:'(?:\\[\s\S]|[^'\\])*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|(?!%\})[^'"])*(?:%\}|$)|\{\{(?:'(?:\\[\s\S]|[^'\\])*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|(?!\}\})[^'"])*(?:\}\}|$)/g;

function tagsOf(template: string): Tag[] {
	let line = 1;
	let end = 0;
	return [...template.matchAll(tagPattern)].map((match) => {
		line += template.slice(end, match.index).split('\n').length - 1;
		end = match.index;
		return { text: match[0], line };
	});
}

/**
 * What the library says of a template that it cannot read tells no line. So the tags are read one by one: the line is that of the first which is at
 * fault by itself, or of one that begins or ends a block without the other.
 */
function unreadable(template: string, error: unknown): RenderOutcome {
	/** Blocks that have begun, with their tags so far. */
	const open: { readonly name: string; readonly line: number; tags: string }[] = [];
	for (const { text, line } of tagsOf(template)) {
		const name = /^\{%[-+]?\s*(\w+)/.exec(text)?.[1] ?? '';
		const block = open.at(-1);
		if (name === 'else' || name === 'elif') {
			if (!block || !isReadable(`${block.tags}${text}{% end${block.name} %}`)) return failed(error, line);
			block.tags += text;
		} else if (name.startsWith('end')) {
			if (block?.name !== name.slice('end'.length)) return failed(error, line);
			open.pop();
		} else if (!isReadable(text)) {
			if (!isReadable(`${text}{% end${name} %}`)) return failed(error, line);
			open.push({ name, line, tags: text });
		}
	}
	const unclosed = open.at(-1);
	return unclosed
		? failed(`{% ${unclosed.name} %} without {% end${unclosed.name} %}`, unclosed.line)
		: failed(error);
}

function isReadable(template: string): boolean {
	try {
		parse(tokenize(template));
		return true;
	} catch {
		return false;
	}
}

/**
 * The line of the tag at which rendering fails. The library knows no lines, but it evaluates comments: so the template is rendered again with
 * the line of each tag in a comment before it, or in its place where it is a comment. That changes white space, so it is done only once there is a fault.
 */
function lineReached(template: string, variables: Readonly<Record<string, unknown>>): number | undefined {
	const tags = tagsOf(template).values();
	const marked = template.replace(tagPattern, (tag) => {
		const line = `{#${tags.next().value?.line}#}`;
		return tag.startsWith('{#') ? line : line + tag;
	});
	const interpreter = new LineKeepingInterpreter(environmentOf(variables));
	try {
		interpreter.run(parse(tokenize(marked)));
	} catch {
		return interpreter.line;
	}
	return undefined;
}

/** Knows the line that the comments of {@link lineReached} have told last. */
class LineKeepingInterpreter extends Interpreter {
	line: number | undefined;

	override evaluate(...[statement, environment]: Parameters<Interpreter['evaluate']>) {
		if (statement?.type === 'Comment' && 'value' in statement) this.line = Number(statement.value);
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
