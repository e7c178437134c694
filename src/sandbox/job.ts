/** Deadline of a validation, in milliseconds. A slower schema leaves the value unchecked. */
export const validateMs = 250;
/** Deadline of a template, in milliseconds. */
export const renderMs = 1000;
/** Time for the process to start, in milliseconds. On an idle machine it takes less than 100. */
export const startMs = 10_000;

/** Memory of the worker thread, in megabytes. */
export const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** Limits of a schema and a value to be checked. Characters: of all keys and strings together. */
const valueBounds = { depth: 64, nodes: 20_000, characters: 512 * 1024 };

/** Characters of a rendered text. */
export const renderedCharacters = 256 * 1024;
/** Numbers of one `range()`, as in Jinja2's own sandbox: a long list costs memory faster than time. */
export const rangeNumbers = 100_000;

/** Whether a JSON value is within {@link valueBounds}. Stops at the first excess, without recursion. */
export function isWithinBounds(value: unknown): boolean {
	let nodes = 1;
	let characters = 0;
	const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (typeof next.value === 'string') characters += next.value.length;
		const children = childrenOf(next.value);
		nodes += children.length;
		if (nodes > valueBounds.nodes || (children.length > 0 && next.depth >= valueBounds.depth)) return false;
		for (const [key, child] of children) {
			characters += key.length;
			open.push({ value: child, depth: next.depth + 1 });
		}
		if (characters > valueBounds.characters) return false;
	}
	return true;
}

function childrenOf(value: unknown): readonly (readonly [key: string, child: unknown])[] {
	return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** The outcome of validating a value against a JSON Schema. */
export type ValidationOutcome =
	| { readonly kind: 'valid' }
	/** At most five short sentences with paths, such as `/a/b: expected number, not string`. */
	| { readonly kind: 'invalid'; readonly faults: readonly string[] }
	/**
	 * Says nothing about the value: the schema is too large, too slow or broken. `reason`: a clause, such as `the schema is too large to
	 * check`.
	 */
	| { readonly kind: 'unchecked'; readonly reason: string };

/** The outcome of rendering a template. */
export type RenderOutcome =
	| { readonly kind: 'rendered'; readonly text: string }
	/** `fault`: a clause without a full stop. */
	| { readonly kind: 'failed'; readonly fault: string };

/** A job for the sandbox's process, one at a time, as JSON. */
export type Job =
	| { readonly kind: 'validate'; readonly schema: unknown; readonly value: unknown }
	| {
			readonly kind: 'render';
			readonly template: string;
			readonly variables: Readonly<Record<string, unknown>>;
	  };
