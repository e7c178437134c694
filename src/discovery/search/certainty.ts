/**
 * A hit is called sure from this confidence on: of the hits that are, at least 85% are right, on labelled sets and on a person's
 * paraphrases alike. What is loaded is another question, which its relevance answers.
 */
export const certainty = 0.5;

/** From this relevance on, a tool is likely enough to be worth its tokens, whether or not it is sure to be the one that was meant. */
export const likely = 0.5;

/** Whether a hit is likely. Named tools, and tools of rankings without evidence, are. */
export function isLikely({ relevance }: { readonly relevance?: number | undefined }): boolean {
	return relevance === undefined || relevance >= likely;
}
