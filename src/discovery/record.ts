/** An object of JSON of which nothing more is known. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and not an array or `null`. */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Levels of arguments: more than any tool asks for, and fewer than what sends, checks and shows them has room for on the stack. */
export const deepestInput = 200;

/** Whether objects and lists stand within each other on more levels than so many. Without recursion: that is what it protects from. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
	const left = [{ value, level: 0 }];
	for (let next = left.pop(); next; next = left.pop()) {
		if (typeof next.value !== 'object' || next.value === null) continue;
		if (next.level >= levels) return true;
		for (const child of Object.values(next.value)) left.push({ value: child, level: next.level + 1 });
	}
	return false;
}
