// The YAML parser is imported here alone, and this file on demand: a workspace without agents never pays for it.
import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { cut } from '../../common/text.ts';
import type { FrontMatterEntry, FrontMatterFault, Place } from './frontMatter.ts';

/** Characters of the parser's message that are shown. */
const messageLimit = 200;

/**
 * Keys of the top level with their values. Nodes are read as they stand and aliases are not followed, so that nothing grows; every scalar
 * is a text, so that `name: on` is one.
 */
export function entriesOf(header: string): Map<string, FrontMatterEntry> | FrontMatterFault {
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
		return fault(`The front matter cannot be read: ${cut(reason, messageLimit)}.`, { line: 1, column: 1 });
	}
}

function fault(message: string, { line, column }: Place): FrontMatterFault {
	return { ok: false, message, line, column };
}
