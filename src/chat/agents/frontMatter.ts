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

/** A fault in a file. Its message is a sentence. */
export class FileFault extends Error {
	readonly position: Position;
	constructor(message: string, { line, column }: Position = { line: 1, column: 1 }) {
		super(message);
		this.position = { line, column };
	}
}

/** Splits a file into its front matter, `undefined` if there is none, and its trimmed body. Rejects with a {@link FileFault}. */
export async function readFrontMatter(
	text: string,
): Promise<{ readonly entries: Entries | undefined; readonly body: string }> {
	const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
	const bodyFrom = (line: number) => lines.slice(line).join('\n').trim();
	if (!isFence(lines[0])) return { entries: undefined, body: bodyFrom(0) };
	const end = lines.findIndex((line, i) => i > 0 && isFence(line));
	if (end < 0) throw new FileFault('The front matter does not end. Add a line --- below it.');
	const header = lines.slice(1, end).join('\n');
	if (header.length > headerLimit) {
		throw new FileFault(
			`The front matter has ${header.length} characters; at most ${headerLimit} are read. Shorten it.`,
		);
	}
	// In quotes nothing is at fault, so the position of a fault is that in the file.
	const entries = await entriesOf(header).catch(() => entriesOf(withQuotes(header)));
	return { entries, body: bodyFrom(end + 1) };
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
async function entriesOf(header: string): Promise<Entries> {
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
			throw new FileFault(message, position(error.pos[0]));
		}
		if (contents === null) return new Map();
		if (!isMap(contents)) throw new FileFault('The front matter must be lines of "key: value".', position(0));
		const entries = contents.items.map(({ key, value }) => {
			return [textOf(key), { value: contentOf(value), ...position(key.range?.[0] ?? 0) }] as const;
		});
		return new Map(entries.flatMap(([name, entry]) => (name === undefined ? [] : [[name, entry] as const])));
	} catch (error) {
		if (error instanceof FileFault) throw error;
		// For example, nesting deeper than the stack.
		const reason = error instanceof Error ? error.message : String(error);
		throw new FileFault(`The front matter cannot be read: ${cut(reason, messageLimit)}.`);
	}
}

function isFence(line: string | undefined): boolean {
	return line?.trimEnd() === '---';
}
