import type { Ranking } from '../src/discovery/index.ts';
import type { Contender, Peer } from './contenders/contender.ts';
import { flexSearch } from './contenders/flexSearch.ts';
import { lunrSearch } from './contenders/lunr.ts';
import { miniSearch } from './contenders/miniSearch.ts';
import { ours } from './contenders/ours.ts';
import { winkSearch } from './contenders/wink.ts';

/** Tables compare the others with this one. */
export const PEER = miniSearch.name;
/** The figures of this ranking carry no name. */
export const OURS = 'default' satisfies Ranking;

/** All contenders of every run. */
export const CONTENDERS: readonly Contender[] = [
	ours(OURS),
	ours('okapi'),
	ours('name-parts'),
	...[miniSearch, lunrSearch, winkSearch, flexSearch].map(atOnce),
];

function atOnce({ name, index }: Peer): Contender {
	return { name, index: async (tools) => index(tools) };
}
