import { type Ranking, ToolIndex } from '../../src/discovery/index.ts';
import type { Contender } from './contender.ts';

/** A ranking of the engine, its index built in slices as the extension builds it. */
export function ours(ranking: Ranking): Contender {
	return {
		name: ranking,
		async index(tools, pause) {
			const index = await ToolIndex.build(tools, { ranking, pause });
			return (query, limit) => index.search(query, { limit }).map(({ tool }) => tool);
		},
	};
}
