import type { CallProgress } from '../mcp/connection.ts';

/** `3 of 10: copying`, as far as the server says so. */
export function progressText({ progress, total, message }: CallProgress): string {
	const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
	return message ? `${count}: ${message}` : count;
}
