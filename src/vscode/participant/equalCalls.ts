import { type ToolResult, withText } from '../../discovery/catalog/tool.ts';
import type { CallPermission } from './askToCall.ts';

interface Group {
	times: number;
	readonly permission: Promise<CallPermission>;
	readonly result: Promise<ToolResult>;
}

/**
 * Equal calls in one answer are asked about once and run once, unless the user wants each. A model that repeats itself does not mean fifty
 * mails, and nobody reads fifty questions. Equal calls in later answers are separate.
 */
export class EqualCalls {
	readonly #groups = new Map<string, Group>();

	/** `ask` gets the number of equal calls. `make` runs a call, or returns why it does not run. */
	async run(
		key: string,
		ask: (times: number) => Promise<CallPermission>,
		make: (permission: CallPermission) => Promise<ToolResult>,
	): Promise<ToolResult> {
		const known = this.#groups.get(key);
		if (known) {
			known.times++;
			const permission = await known.permission;
			return permission.kind === 'allowed' && permission.every
				? make(permission)
				: repeated(await known.result);
		}
		// The calls of one answer start together, so after a moment all are known.
		const permission = new Promise((resolve) => setImmediate(resolve)).then(() => ask(group.times));
		const result = permission.then(make);
		const group: Group = { times: 1, permission, result };
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
