import lunr from 'lunr';
import { documentsOf, type Peer, toolsAt } from './contender.ts';

/**
 * lunr with its defaults: its own tokenizer, stop words, stemmer and ranking (BM25); any word of the query is enough. Its query
 * language would read `title:` as a field and fail on unknown ones. We therefore pass the words of a query as terms, split and
 * trimmed as lunr does with documents. As a term, `*` still matches any letters.
 */
export const lunrSearch: Peer = {
	name: 'lunr',
	index(tools) {
		const index = lunr((builder) => {
			builder.ref('id');
			builder.field('name');
			builder.field('description');
			for (const document of documentsOf(tools)) builder.add(document);
		});
		return (query, limit) => {
			const terms = termsOf(query);
			const hits = index.query((wanted) => {
				for (const term of terms) wanted.term(term, {});
			});
			return toolsAt(
				tools,
				hits.slice(0, limit).map(({ ref }) => Number(ref)),
			);
		};
	},
};

function termsOf(query: string): string[] {
	return lunr
		.tokenizer(query.replaceAll('*', ' '))
		.map((token) => token.toString().replace(/^\W+|\W+$/g, ''))
		.filter((term) => term !== '');
}
