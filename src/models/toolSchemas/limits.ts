/**
 * Bounds of one tool's schema. Reading stops at them, so that a bomb (definitions that refer to one another, endless nesting) costs
 * as little as a large schema. The largest of 1,786 real tools has 45,000 characters.
 */

/** Schemas and values read in one pass. */
export const nodesRead = 10_000;
/** Characters of names and texts read in one pass. */
export const charactersRead = 300_000;
/** Characters of a schema as it is sent. */
export const charactersSent = 100_000;
/** Nesting of a value inside `enum`, `const`, `default` or `examples`. */
export const valueDepth = 16;
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
export const wordedValueCharacters = 200;
/** Characters that one schema's description gains by that. */
export const wordsCharacters = 600;
/** Characters of a tool's description. OpenAI had a limit of 1,024 until May 2025, and no provider has one that is known now. */
export const descriptionCharacters = 32_768;
