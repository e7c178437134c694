const kilo = 1024;
const mega = 1024 * kilo;

/** Bounds of what is kept of accepted tools: sizes in characters of JSON, times in milliseconds. */
export const defaultAcceptanceLimits = {
	/** Launches whose approval does not stand any more; those that were written longest ago go first. */
	servers: 256,
	/** Tools of one launch, those that it does not list any more among them. New ones over it wait to be accepted. */
	toolsPerServer: 10_000,
	/** One tool's definition; of a larger one only the hash is kept, and there is no difference to see. */
	definition: 64 * kilo,
	/** All definitions of one launch. */
	definitionsPerServer: 4 * mega,
	/** A file; a larger one is not read. */
	file: 16 * mega,
	/** Quiet time before files are written. */
	writeDelayMs: 500,
};

/** {@link defaultAcceptanceLimits}, or others in their place. */
export type AcceptanceLimits = Readonly<typeof defaultAcceptanceLimits>;
