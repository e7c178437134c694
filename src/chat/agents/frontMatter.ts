import type { ParsedNode } from 'yaml';
import { cut } from '../../common/text.ts';

/** Longest front matter in characters: its keys are compared with each other, and a few dozen lines are already a long one. */
const headerLimit = 16_000;
/** Characters of the YAML parser's message that are shown. */
const messageLimit = 200;

/** A position in a file; both numbers start at 1. */
export interface Position {
	readonly line: number;
	readonly column: number;
}

/** A value of the front matter: a text, a list of texts, or `undefined` for anything else. Numbers count as texts. */
export interface FrontMatterEntry extends Position {
	readonly value: string | readonly string[] | undefined;
}

type Entries = ReadonlyMap<string, FrontMatterEntry>;

/** A Markdown file in its two parts. */
export type FrontMatter =
	| {
			readonly ok: true;
			/** `undefined` if the file has no front matter. */
			readonly entries: Entries | undefined;
			/** Without surrounding white space. */
			readonly body: string;
	  }
	| FrontMatterFault;

/** Why a front matter cannot be read; `message` is a sentence. */
export interface FrontMatterFault extends Position {
	readonly ok: false;
	readonly message: string;
}

/** Splits a file into its front matter and its body. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
	const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
	const bodyFrom = (line: number) => lines.slice(line).join('\n').trim();
	if (!isFence(lines[0])) return { ok: true, entries: undefined, body: bodyFrom(0) };
	const end = lines.findIndex((line, i) => i > 0 && isFence(line));
	if (end < 0) return fault('The front matter does not end. Add a line --- below it.');
	const header = lines.slice(1, end).join('\n');
	if (header.length > headerLimit) {
		return fault(
			`The front matter has ${header.length} characters; at most ${headerLimit} are read. Shorten it.`,
		);
	}
	const strict = await entriesOf(header);
	if (strict instanceof Map) return { ok: true, entries: strict, body: bodyFrom(end + 1) };
	const lenient = await entriesOf(withQuotes(header));
	// A fault is reported with its position in the file, which has no added quotes.
	return lenient instanceof Map ? { ok: true, entries: lenient, body: bodyFrom(end + 1) } : strict;
}

/**
 * Puts one-line values that contain YAML syntax in quotes: descriptions such as `Use this when: …` are everywhere, and the programs that these
 * files are written for accept them.
 */
function withQuotes(header: string): string {
	return header.replace(/^([\w-]+):[ \t]+([^\s"'[{|>&*!].*)$/gm, (_line, key: string, value: string) => {
		return `${key}: ${JSON.stringify(value.trim())}`;
	});
}

/** The top-level keys with their values. Aliases are not followed, so nothing grows; every scalar is a text, even `name: on`. */
async function entriesOf(header: string): Promise<Map<string, FrontMatterEntry> | FrontMatterFault> {
	// Imported on demand: a workspace without agents never loads the YAML parser.
	const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
	const lineCounter = new LineCounter();
	const position = (offset: number): Position => {
		const { line, col } = lineCounter.linePos(offset);
		// The fence above the header is the first line of the file.
		return { line: Math.max(1, line) + 1, column: Math.max(1, col) };
	};
	const textOf = (node: unknown) =>
		isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
	const contentOf = (node: ParsedNode | null) => {
		if (!isSeq(node)) return node === null ? '' : textOf(node);
		const texts = node.items.map(textOf).filter((item) => item !== undefined);
		return texts.length === node.items.length ? texts : undefined;
	};
	const options = { lineCounter, schema: 'failsafe', prettyErrors: false, logLevel: 'silent' } as const;
	try {
		const { contents, errors } = parseDocument(header, options);
		const [error] = errors;
		if (error) {
			const message = `The front matter is not YAML: ${cut(error.message, messageLimit)}.`;
			return fault(message, position(error.pos[0]));
		}
		if (contents === null) return new Map();
		if (!isMap(contents)) return fault('The front matter must be lines of "key: value".', position(0));
		const entries = contents.items.map(({ key, value }) => {
			return [textOf(key), { value: contentOf(value), ...position(key.range?.[0] ?? 0) }] as const;
		});
		return new Map(entries.flatMap(([name, entry]) => (name === undefined ? [] : [[name, entry] as const])));
	} catch (error) {
		// For example, nesting deeper than the stack.
		const reason = error instanceof Error ? error.message : String(error);
		return fault(`The front matter cannot be read: ${cut(reason, messageLimit)}.`);
	}
}

function isFence(line: string | undefined): boolean {
	return line?.trimEnd() === '---';
}

function fault(message: string, position: Position = { line: 1, column: 1 }): FrontMatterFault {
	return { ok: false, message, ...position };
}
