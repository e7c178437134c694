/** An object of JSON of which nothing more is known. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and not an array or `null`. */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value of JSON is nested deeper than so many levels. Walks with a list of its own, not the stack, which is what a nested bomb aims at. */
export function isDeeperThan(root: object, limit: number): boolean {
	let level: object[] = [root];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > limit) return true;
		level = level.flatMap((node) =>
			Object.values(node).filter((child): child is object => typeof child === 'object' && child !== null),
		);
	}
	return false;
}
