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
