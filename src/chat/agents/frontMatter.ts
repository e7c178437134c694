import type { ParsedNode } from 'yaml';
import { cut } from '../../common/text.ts';

/** Characters of a front matter: its keys are compared with each other, and a few dozen lines are a long one. */
const headerLimit = 16_000;

/** Characters of the parser's message that are shown. */
const messageLimit = 200;

/** Where something stands in a file; both begin with 1. */
export interface Place {
	readonly line: number;
	readonly column: number;
}

/** A value of the front matter: a text, a list of texts, or `undefined` for anything else. Numbers and such are texts here. */
export interface FrontMatterEntry extends Place {
	readonly value: string | readonly string[] | undefined;
}

/** A Markdown file in its two parts. */
export type FrontMatter =
	| {
			readonly ok: true;
			/** `undefined` where the file begins with its body. */
			readonly entries: ReadonlyMap<string, FrontMatterEntry> | undefined;
			/** Without white space around it. */
			readonly body: string;
	  }
	| FrontMatterFault;

/** Why a front matter cannot be read; `message` is a sentence. */
export interface FrontMatterFault extends Place {
	readonly ok: false;
	readonly message: string;
}

/** Splits a file into its front matter and its body. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
	const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
	if (!isFence(lines[0])) return { ok: true, entries: undefined, body: lines.join('\n').trim() };
	const end = lines.findIndex((line, i) => i > 0 && isFence(line));
	if (end < 0) return fault('The front matter has no end: put a line --- below it.');
	const header = lines.slice(1, end).join('\n');
	if (header.length > headerLimit) {
		return fault(
			`The front matter has ${header.length} characters; at most ${headerLimit} are read. Shorten it.`,
		);
	}
	const strict = await entriesOf(header);
	const lenient = strict instanceof Map ? strict : await entriesOf(withQuotes(header));
	// A fault is reported with its place in the file as it is, without the quotes.
	const entries = lenient instanceof Map ? lenient : strict;
	if (!(entries instanceof Map)) return entries;
	return {
		ok: true,
		entries,
		body: lines
			.slice(end + 1)
			.join('\n')
			.trim(),
	};
}

/**
 * Values of one line with what means something to YAML put in quotes: descriptions such as `Use this when: …` are everywhere, and the
 * programs that these files are written for take them.
 */
function withQuotes(header: string): string {
	return header.replace(/^([\w-]+):[ \t]+([^\s"'[{|>&*!].*)$/gm, (_line, key: string, value: string) => {
		return `${key}: ${JSON.stringify(value.trim())}`;
	});
}

function isFence(line: string | undefined): boolean {
	return line?.trimEnd() === '---';
}

/**
 * Keys of the top level with their values. Nodes are read as they stand and aliases are not followed, so that nothing grows; every scalar
 * is a text, so that `name: on` is one.
 */
async function entriesOf(header: string): Promise<Map<string, FrontMatterEntry> | FrontMatterFault> {
	// On demand: a workspace without agents never pays for the parser.
	const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
	const lineCounter = new LineCounter();
	const place = (offset: number): Place => {
		const { line, col } = lineCounter.linePos(offset);
		// Lines count from the fence, which stands above the header.
		return { line: Math.max(1, line) + 1, column: Math.max(1, col) };
	};
	const options = { lineCounter, schema: 'failsafe', prettyErrors: false, logLevel: 'silent' } as const;
	try {
		const { contents, errors } = parseDocument(header, options);
		const [error] = errors;
		if (error) {
			return fault(`The front matter is not YAML: ${cut(error.message, messageLimit)}.`, place(error.pos[0]));
		}
		if (contents === null) return new Map();
		if (!isMap(contents)) return fault('The front matter must be lines of "key: value".', place(0));
		const textOf = (node: unknown) =>
			isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
		const entryOf = (node: ParsedNode | null) => {
			if (!isSeq(node)) return node === null ? '' : textOf(node);
			const texts = node.items.map(textOf).filter((item) => item !== undefined);
			return texts.length === node.items.length ? texts : undefined;
		};
		return new Map(
			contents.items.flatMap(({ key, value }) => {
				const name = textOf(key);
				return name === undefined
					? []
					: [[name, { value: entryOf(value), ...place(key.range?.[0] ?? 0) }] as const];
			}),
		);
	} catch (error) {
		// For example, nesting deeper than the stack.
		const reason = error instanceof Error ? error.message : String(error);
		return fault(`The front matter cannot be read: ${cut(reason, messageLimit)}.`);
	}
}

const beginning: Place = { line: 1, column: 1 };

function fault(message: string, { line, column }: Place = beginning): FrontMatterFault {
	return { ok: false, message, line, column };
}
