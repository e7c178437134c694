/** Bounds of what is kept of accepted tools: sizes in characters of JSON, times in milliseconds. */
export interface PinLimits {
	/** Launches whose approval does not stand any more; the longest unused go first. */
	readonly servers: number;
	/** Tools of one launch, those that it does not list any more among them. New ones over it wait to be accepted. */
	readonly toolsPerServer: number;
	/** One tool's definition; of a larger one only the hash is kept, and there is no difference to see. */
	readonly definition: number;
	/** All definitions of one launch. */
	readonly definitionsPerServer: number;
	/** The file; what does not fit goes without definitions, then goes. */
	readonly file: number;
	/** Quiet time before the file is written. */
	readonly writeDelayMs: number;
}

const kilo = 1024;
const mega = 1024 * kilo;

export const defaultPinLimits: PinLimits = {
	servers: 256,
	toolsPerServer: 10_000,
	definition: 64 * kilo,
	definitionsPerServer: 4 * mega,
	file: 32 * mega,
	writeDelayMs: 500,
};
