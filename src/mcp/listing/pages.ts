import { defined } from '../../common/json.ts';

/** One page of a list, as the server sent it. */
export interface ListPage {
	readonly nextCursor?: unknown;
	/** The server's time to live for the list, in milliseconds. */
	readonly ttlMs?: unknown;
	/** No further page is needed. */
	readonly isFull: boolean;
}

/** Follows the cursors of a list. `cutShort`: why it may be incomplete; `ttlMs`: the shortest of all pages. */
export async function followPages(
	mostPages: number,
	fetch: (cursor: string | undefined) => Promise<ListPage>,
): Promise<{ readonly cutShort?: string; readonly ttlMs?: number }> {
	const seen = new Set<string>();
	let cursor: string | undefined;
	let shortest = Number.POSITIVE_INFINITY;
	const ended = (cutShort?: string) =>
		defined({ cutShort, ttlMs: Number.isFinite(shortest) ? shortest : undefined });
	for (let pages = 0; pages < mostPages; pages += 1) {
		const { nextCursor, ttlMs, isFull } = await fetch(cursor);
		if (typeof ttlMs === 'number') shortest = Math.min(shortest, ttlMs);
		// An empty cursor leads on, too.
		if (isFull || typeof nextCursor !== 'string') return ended();
		if (seen.has(nextCursor)) return ended('the server gave the same cursor twice');
		seen.add(nextCursor);
		cursor = nextCursor;
	}
	return ended(`the list was cut off after ${mostPages} pages`);
}
