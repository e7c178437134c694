/** Ends a switch over a tagged union: the compiler complains when a case is missing. */
export function assertNever(value: never): never {
	throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
