import { type ToolResult, withText } from '../../discovery/catalog/tool.ts';

interface Group {
	times: number;
	readonly result: Promise<ToolResult>;
}

/**
 * Equal calls in one answer are asked about once and run once. A model that repeats itself does not mean fifty mails, and nobody reads fifty
 * questions. Equal calls in later answers are separate.
 */
export class EqualCalls {
	readonly #groups = new Map<string, Group>();

	/** `make` gets the number of equal calls, and runs one. */
	async run(key: string, make: (times: number) => Promise<ToolResult>): Promise<ToolResult> {
		const existing = this.#groups.get(key);
		if (existing) {
			existing.times++;
			return repeated(await existing.result);
		}
		// The calls of one answer start together, so after a moment all are known.
		const result = new Promise((resolve) => setImmediate(resolve)).then(() => make(group.times));
		const group: Group = { times: 1, result };
		this.#groups.set(key, group);
		try {
			return await result;
		} finally {
			this.#groups.delete(key);
		}
	}
}

function repeated(result: ToolResult): ToolResult {
	if (result.isError || result.declined) return result;
	return withText(
		result,
		'This is the result of an identical call in the same answer, which ran once. Call again to run it again.',
	);
}
