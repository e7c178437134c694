import * as z from 'zod';

/** Ranges of numeric settings; see `DiscoveryPolicy` for what they mean. */
export const ranges = {
	searchResults: { min: 1, max: 25 },
	manifestTokens: { min: 200, max: 20_000 },
	prefetch: { min: 0, max: 5 },
	contextTokens: { min: 1_000, max: 10_000_000 },
	outputTokens: { min: 1, max: 1_000_000 },
	/** Anthropic's minimum (reference of `thinking.budget_tokens`). */
	thinkingTokens: { min: 1_024, max: 1_000_000 },
	/** The widest range of any provider; the limit of each is checked with the model. */
	temperature: { min: 0, max: 2 },
	topP: { min: 0, max: 1 },
	usdPerMillion: { min: 0, max: 10_000 },
	port: { min: 1, max: 65_535 },
};

interface Range {
	readonly min: number;
	readonly max: number;
}

function within({ min, max }: Range, kind: (texts: { error: string }) => z.ZodNumber, name: string) {
	const error = `expected ${name} from ${min} to ${max}`;
	return kind({ error }).min(min, { error }).max(max, { error });
}

export const wholeNumber = (range: Range) => within(range, z.int, 'a whole number');
export const number = (range: Range) => within(range, z.number, 'a number');
export const dollars = (label: string) =>
	within(ranges.usdPerMillion, z.number, 'a number of US dollars').describe(label);

export const textList = () => z.array(z.string());
export const texts = () => z.record(z.string(), z.string());
