/** Below this confidence of the best tool, nothing fits: fewer than one in a hundred that have an answer are refused so. */
export const confidenceFloor = 0.15;
/** From this confidence on a tool is not marked as uncertain. */
export const certainty = 0.5;

/** Whether a tool is likely enough to be loaded; a ranking that cannot tell always finds likely what it finds. */
export function isLikely({ confidence = 1 }: { readonly confidence?: number }): boolean {
	return confidence >= confidenceFloor;
}
