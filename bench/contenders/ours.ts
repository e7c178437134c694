import { type Ranking, ToolIndex } from '../../src/discovery/index.ts';
import type { Contender } from './contender.ts';

/** One of the engine's rankings. Its index is built in slices, as in the extension. */
export function ours(ranking: Ranking): Contender {
	return {
		name: ranking,
		async index(tools, pause) {
			const index = await ToolIndex.build(tools, { ranking, pause });
			return (query, limit) => index.search(query, { limit }).map(({ tool }) => tool);
		},
	};
}
