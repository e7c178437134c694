import { Document } from 'flexsearch';
import { documentsOf, type Peer, toolsAt } from './contender.ts';

/**
 * flexsearch as a `Document` with its own encoder, tokenizer and `suggest`. Without `suggest`, a tool must contain every word of
 * the query, and only two queries in a hundred find their tool. It ranks each field separately. We interleave the two lists,
 * which finds more than its own `merge`, where all hits by name come first.
 */
export const flexSearch: Peer = {
	name: 'flexsearch',
	index(tools) {
		const index = new Document({ document: { id: 'id', index: ['name', 'description'] } });
		for (const document of documentsOf(tools)) index.add({ ...document });
		return (query, limit) => {
			const fields = index.search(query, { limit, suggest: true });
			const places = inTurns(fields.map(({ result }) => result.map(Number)));
			return toolsAt(tools, places.slice(0, limit));
		};
	},
};

/** Interleaves the lists, without duplicates. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
	const longest = Math.max(0, ...lists.map(({ length }) => length));
	const turns = Array.from({ length: longest }, (_, turn) =>
		lists.flatMap((list) => list.slice(turn, turn + 1)),
	);
	return [...new Set(turns.flat())];
}
