import MiniSearch from 'minisearch';
import { documentsOf, type Peer, type PeerDocument, toolsAt } from './contender.ts';

/** MiniSearch with its defaults: its own tokenizer and ranking (BM25+); any word of the query is enough. */
export const miniSearch: Peer = {
	name: 'minisearch',
	index(tools) {
		const index = new MiniSearch<PeerDocument>({ fields: ['name', 'description'] });
		index.addAll(documentsOf(tools));
		return (query, limit) => {
			const places = index.search(query).map(({ id }): number => id);
			return toolsAt(tools, places.slice(0, limit));
		};
	},
};
