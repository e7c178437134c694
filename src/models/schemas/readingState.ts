import type { JsonSchema } from '../../common/jsonSchema.ts';
import type { Budget } from './bounds.ts';
import type { Dialect } from './dialects.ts';

/** The place in a schema that is being read, and the rules for reading it. */
export interface ReadingState {
	readonly dialect: Dialect;
	readonly budget: Budget;
	/** The whole schema, in which references are looked up. Nothing is ever fetched. */
	readonly root: JsonSchema;
	/** How many references may be nested. */
	readonly referenceDepth: number;
	/** References that led here, the first one first. */
	readonly references: readonly string[];
	/** 1 for the outermost schema. */
	readonly depth: number;
}

/** Adds to the description what the schema says and the provider does not accept: `minimum: 1`. */
export type Say = (words: string) => void;

/** Rewrites a schema for its provider; returns the same object if nothing changes. */
export type Rule = (schema: JsonSchema, place: ReadingState, say: Say) => JsonSchema;
