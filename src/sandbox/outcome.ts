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
	/** `fault` is a clause without a full stop; `line` counts from 1 and is that of the tag at fault, where it is known. */
	| { readonly kind: 'failed'; readonly fault: string; readonly line?: number };
