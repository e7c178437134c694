import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { errorMessage } from '../common/errors.ts';
import { type RenderOutcome, rangeNumbers, renderedCharacters } from './job.ts';

/**
 * Renders a Jinja template. The library interprets it with its own values, so a template cannot reach JavaScript objects, files or other
 * templates. White space is kept, as is Jinja2's default. It may never end: the sandbox has a deadline.
 */
export function renderTemplate(
	template: string,
	variables: Readonly<Record<string, unknown>>,
): RenderOutcome {
	try {
		const program = parsed(template);
		const text = String(new Interpreter(environmentOf(variables)).run(program).value);
		if (text.length <= renderedCharacters) return { kind: 'rendered', text };
		return failed(`the text has ${text.length} characters; at most ${renderedCharacters} are allowed`);
	} catch (error) {
		return failed(error);
	}
}

function parsed(template: string): ReturnType<typeof parse> {
	try {
		return parse(tokenize(template));
	} catch (error) {
		// The library reads past the end of a template without checking.
		throw error instanceof TypeError
			? new Error('the template ends inside a tag or block', { cause: error })
			: error;
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

function failed(error: unknown): RenderOutcome {
	// The library's exception for a `break` outside a loop has no message.
	const message = errorMessage(error) || 'a tag has no place here';
	const fault = message
		.replace(/^Parser Error: /, '')
		.replace(/\s+/g, ' ')
		.replace(/\.$/, '')
		.slice(0, 300);
	return { kind: 'failed', fault };
}
