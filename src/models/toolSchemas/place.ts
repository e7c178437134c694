import type { JsonSchema } from '../../discovery/tool.ts';
import type { Budget } from './budget.ts';
import type { Definitions } from './definitions.ts';
import type { Dialect } from './dialects.ts';

/** Where in a schema one is, and by which rules it is read. */
export interface Place {
	readonly dialect: Dialect;
	readonly budget: Budget;
	readonly definitions: Definitions;
	/** How deep references may lead into one another. */
	readonly referenceDepth: number;
	/** References that led here, the first one first. */
	readonly references: readonly string[];
	/** 1 for the outermost schema. */
	readonly depth: number;
}

/** Takes what a schema says and its provider would not take, for its description: `minimum: 1`. */
export type Say = (words: string) => void;

/** One rule of reading; the same object where there is nothing to change. */
export type Rule = (schema: JsonSchema, place: Place, say: Say) => JsonSchema;
