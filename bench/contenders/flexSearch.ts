import { Document } from 'flexsearch';
import { documentsOf, type Peer, toolsAt } from './contender.ts';

/**
 * flexsearch as a `Document` with its own encoder and tokenizer, and `suggest`: without it a tool must have every word of the
 * query, and two queries in a hundred find theirs. It ranks each field on its own; the two lists are taken in turns, which
 * finds more than its own `merge`, where all hits by name come before all others.
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

/** The first of each list, then the second of each, and so on; each item once. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
	const longest = Math.max(0, ...lists.map(({ length }) => length));
	const turns = Array.from({ length: longest }, (_, turn) =>
		lists.flatMap((list) => list.slice(turn, turn + 1)),
	);
	return [...new Set(turns.flat())];
}
