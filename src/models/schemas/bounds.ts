import { cut, folded } from '../../common/text.ts';

/**
 * Bounds of one tool's schema. Reading stops at them, so that a bomb (definitions that refer to one another, endless nesting) costs
 * as little as a large schema. The largest of 1,786 real tools has 45,000 characters.
 */

/** Schemas and values read in one pass. */
const nodesRead = 10_000;
/** Characters of names and texts read in one pass. */
const charactersRead = 300_000;
/** Characters of a schema as it is sent. */
export const charactersSent = 100_000;
/** Nesting of a value inside `enum`, `const`, `default` or `examples`. */
const valueDepth = 16;
/** The same, where definitions that it refers to have made it so large; of real tools, four would have over 60,000. */
export const charactersWithReferences = 24_000;
/**
 * How deep references inside of referred definitions are written out; where the result is too large, the next of these is tried. What is
 * deeper becomes its type and description.
 */
export const referenceDepths = [8, 4, 3, 2, 1, 0] as const;
/** Schemas looked at in search of a definition that stands in an odd place. */
export const nodesSearched = 5_000;
/** Parts of one `allOf` that are merged, and alternatives that come of merging two unions. */
export const mergedParts = 64;

/** Characters of one keyword's value, put into words. */
const wordedValueCharacters = 200;
/** Characters that one schema's description gains by that. */
export const wordsCharacters = 600;
/** Characters of a tool's description. OpenAI had a limit of 1,024 until May 2025, and no provider has one that is known now. */
export const descriptionCharacters = 32_768;

/** Thrown where a schema has more than is read. */
export class OverBudget extends Error {
	override readonly name = 'OverBudget';
}

/** What may be read of one schema, in all its parts together. */
export class Budget {
	#nodes = nodesRead;
	#characters = charactersRead;
	#enumValues: number;

	constructor(enumValues: number) {
		this.#enumValues = enumValues;
	}

	/** Takes one schema or value with so many characters off the budget. */
	spend(characters: number): void {
		this.#nodes -= 1;
		this.#characters -= characters;
		if (this.#nodes < 0 || this.#characters < 0) throw new OverBudget();
	}

	/** Whether there is room for so many values of an enumeration; then they are taken off. */
	takesEnum(values: number): boolean {
		if (values > this.#enumValues) return false;
		this.#enumValues -= values;
		return true;
	}
}

/** Whether JSON can say a value as it is: no `NaN`, no `undefined`, no half of a surrogate pair, not too deep. */
export function isJson(value: unknown, budget: Budget, depth = 0): boolean {
	if (typeof value === 'string') {
		budget.spend(value.length);
		return value.isWellFormed();
	}
	budget.spend(1);
	if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return true;
	if (typeof value !== 'object' || depth > valueDepth) return false;
	if (Array.isArray(value)) return value.every((item) => isJson(item, budget, depth + 1));
	return Object.entries(value).every(([name, item]) => {
		budget.spend(name.length);
		return name.isWellFormed() && isJson(item, budget, depth + 1);
	});
}

/** A value of JSON as people read it, on one line, cut. */
export function worded(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return cut(folded(text), wordedValueCharacters);
}
