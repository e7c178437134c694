/** An object of JSON of which nothing more is known. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and not an array or `null`. */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
