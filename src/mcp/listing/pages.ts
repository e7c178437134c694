import { defined } from '../../common/json.ts';
import { concernsOneRequest, ServerError } from '../serverError.ts';

/** One page of a list, as the server sent it. */
export interface ListPage {
	readonly nextCursor?: unknown;
	/** The server's time to live for the list, in milliseconds. */
	readonly ttlMs?: unknown;
	/** No further page is needed. */
	readonly isFull: boolean;
}

/** What was fetched of a list. */
interface FollowedPages {
	/** Why the list may be incomplete. */
	readonly cutShort?: string;
	/** A page and all after it could not be fetched. */
	readonly lacksPages?: true;
	/** The shortest of all pages. */
	readonly ttlMs?: number;
}

/** Follows the cursors of a list. If a later page fails, the earlier ones count, and the list says what is missing. */
export async function followPages(
	maxPages: number,
	fetch: (cursor: string | undefined) => Promise<ListPage>,
): Promise<FollowedPages> {
	const seenCursors = new Set<string>();
	let cursor: string | undefined;
	let shortest = Number.POSITIVE_INFINITY;
	const ended = (cutShort?: string, lacksPages?: true) =>
		defined({ cutShort, lacksPages, ttlMs: Number.isFinite(shortest) ? shortest : undefined });
	for (let pages = 0; pages < maxPages; pages += 1) {
		const page = await fetch(cursor).catch((error: unknown) => {
			if (pages > 0 && error instanceof ServerError && concernsOneRequest(error)) return error;
			throw error;
		});
		if (page instanceof ServerError)
			return ended(`page ${pages + 1} and what follows it are missing: ${page.message}`, true);
		const { nextCursor, ttlMs, isFull } = page;
		if (typeof ttlMs === 'number') shortest = Math.min(shortest, ttlMs);
		if (isFull || nextCursor === undefined || nextCursor === null) return ended();
		if (typeof nextCursor !== 'string') return ended('its next page has a cursor that is not a text');
		if (seenCursors.has(nextCursor)) return ended('the server gave the same cursor twice');
		seenCursors.add(nextCursor);
		cursor = nextCursor;
	}
	return ended(`the list was cut off after ${maxPages} pages`);
}
