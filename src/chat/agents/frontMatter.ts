import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { errorMessage } from '../../common/errors.ts';
import { cut } from '../../common/text.ts';
import { FileFault, type LineColumn } from './fileFault.ts';

/** Longest front matter in characters: its keys are compared with each other, and a few dozen lines are already a long one. */
const headerLimit = 16_000;
/** Characters of the YAML parser's message that are shown. */
const messageLimit = 200;

/** A key of the front matter with its value: a text, a list of texts, or `undefined` for anything else. Numbers count as texts. */
export interface FrontMatterEntry extends LineColumn {
	readonly key: string;
	/** The keys that contain this one, outermost first. */
	readonly path: readonly string[];
	readonly value: string | readonly string[] | undefined;
}

export interface FrontMatter {
	/** All keys, also those inside values; `undefined` if there is no front matter. */
	readonly entries: readonly FrontMatterEntry[] | undefined;
	/** The trimmed text below. */
	readonly body: string;
}

/** Splits a file into its front matter and its body. Throws a {@link FileFault}. */
export function readFrontMatter(text: string): FrontMatter {
	const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
	const bodyFrom = (line: number) => lines.slice(line).join('\n').trim();
	if (!isFence(lines[0])) {
		const first = lines.findIndex((line) => !blank.test(line));
		if (anyFence.test(lines[first] ?? ''))
			throw new FileFault('The front matter must begin with a line --- that is the first line of the file.', {
				line: first + 1,
				column: 1,
			});
		return { entries: undefined, body: bodyFrom(0) };
	}
	const end = lines.findIndex((line, i) => i > 0 && isFence(line));
	if (end < 0) throw new FileFault('The front matter does not end. Add a line --- below it.');
	const header = lines.slice(1, end).join('\n');
	if (header.length > headerLimit) {
		throw new FileFault(
			`The front matter has ${header.length} characters; at most ${headerLimit} are read. Shorten it.`,
		);
	}
	// A value in quotes has no faults, so added quotes shift no fault's position.
	const read = () => {
		try {
			return entriesOf(header);
		} catch {
			return entriesOf(withQuotes(header));
		}
	};
	return { entries: read(), body: bodyFrom(end + 1) };
}

/** What may stand above a front matter that was meant as one, and fences of other programs. */
const blank = /^\s*(?:<!--.*-->\s*)?$/;
const anyFence = /^\s*(?:-{3,}|\+{3,})\s*$/;

/**
 * Puts one-line values that contain YAML syntax in quotes: descriptions such as `Use this when: …` are everywhere, and the programs that these
 * files are written for accept them.
 */
function withQuotes(header: string): string {
	return header.replace(/^([\w-]+):[ \t]+([^\s"'[{|>&*!].*)$/gm, (_line, key: string, value: string) => {
		return `${key}: ${JSON.stringify(value.trim())}`;
	});
}

/** The keys with their values. Aliases are not followed, so nothing grows; every scalar is a text, even `name: on`. */
function entriesOf(header: string): FrontMatterEntry[] {
	const lineCounter = new LineCounter();
	const position = (offset: number): LineColumn => {
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
	const entriesIn = (node: ParsedNode | null, path: readonly string[]): FrontMatterEntry[] => {
		if (isSeq(node)) return node.items.flatMap((item) => entriesIn(item as ParsedNode, path));
		if (!isMap(node)) return [];
		return node.items.flatMap(({ key: written, value }): FrontMatterEntry[] => {
			const key = textOf(written);
			const place = position((written as ParsedNode).range[0]);
			if (key === undefined) throw new FileFault('Each key must be a word.', place);
			const inner = value as ParsedNode | null;
			return [{ key, path, value: contentOf(inner), ...place }, ...entriesIn(inner, [...path, key])];
		});
	};
	const options = { lineCounter, schema: 'failsafe', prettyErrors: false, logLevel: 'silent' } as const;
	try {
		const { contents, errors } = parseDocument(header, options);
		const [error] = errors;
		if (error) {
			const message = `The front matter is not YAML: ${cut(error.message, messageLimit)}.`;
			throw new FileFault(message, position(error.pos[0]));
		}
		if (contents === null) return [];
		if (!isMap(contents)) throw new FileFault('The front matter must be lines of "key: value".', position(0));
		return entriesIn(contents, []);
	} catch (error) {
		if (error instanceof FileFault) throw error;
		// For example, nesting deeper than the stack.
		const reason = errorMessage(error);
		throw new FileFault(`The front matter cannot be read: ${cut(reason, messageLimit)}.`);
	}
}

function isFence(line: string | undefined): boolean {
	return line?.trimEnd() === '---';
}
