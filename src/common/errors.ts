/** The code of an error of Node or VS Code, such as `ENOENT`; empty if it has none. */
export function errorCode(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What an error says. Anything can be thrown. */
export function errorMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
