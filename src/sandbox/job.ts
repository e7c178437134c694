/** Longest that a check may take, in milliseconds; a schema that takes longer is left unchecked. */
export const validateMs = 250;
/** Longest that a template may take, in milliseconds. */
export const renderMs = 1000;
/** Longest that the process may take to start, in milliseconds; on an idle machine it takes less than 100. */
export const startMs = 10_000;

/** Memory of the thread that does a job, in megabytes. */
export const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** Bounds of a schema, and of a value, beyond which nothing is checked. Characters: those of all keys and texts together. */
export const valueBounds = { depth: 64, nodes: 20_000, characters: 512 * 1024 };

/** Characters of a rendered text. */
export const renderedCharacters = 256 * 1024;
/** Numbers of one `range()`, as in Jinja2's own sandbox: a long list costs memory faster than time. */
export const rangeNumbers = 100_000;

/** Whether a value of JSON is within {@link valueBounds}. Stops at the first excess, and does not recurse. */
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

/** What checking a value against a JSON Schema came to. */
export type ValidationOutcome =
	| { readonly kind: 'valid' }
	/** At most five short sentences with their places, e.g. `/a/b: expected number, not string`. */
	| { readonly kind: 'invalid'; readonly faults: readonly string[] }
	/** Says nothing of the value: the schema is too large, too slow or broken. `reason`: a clause, e.g. `the schema is too large to check`. */
	| { readonly kind: 'unchecked'; readonly reason: string };

/** What rendering a template came to. */
export type RenderOutcome =
	| { readonly kind: 'rendered'; readonly text: string }
	/** `fault`: a clause without a full stop. */
	| { readonly kind: 'failed'; readonly fault: string };

/** What the sandbox's process is asked, one at a time; JSON all through. */
export type Job =
	| { readonly kind: 'validate'; readonly schema: unknown; readonly value: unknown }
	| {
			readonly kind: 'render';
			readonly template: string;
			readonly variables: Readonly<Record<string, unknown>>;
	  };

/** What answers a job. */
export interface OutcomeOf {
	readonly validate: ValidationOutcome;
	readonly render: RenderOutcome;
}
