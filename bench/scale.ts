import type { CatalogServer, Tool, ToolExpansion } from '../src/discovery/index.ts';
import { toolsOf } from './corpus.ts';
import { SeededRandom } from './random.ts';

const SEED = 20_251_121;
/** The share of words that a copy takes from other tools: similar, but not the same document. */
const REPLACED_WORDS = 0.25;

/**
 * Exactly `size` tools: the servers in a fixed random order, then numbered copies of them. A copy has one part of each tool's
 * name and a quarter of its words from elsewhere in the corpus, so that the vocabulary's distribution stays realistic. Schemas do
 * not change. The same servers give the same result.
 */
export function scaleTo(servers: readonly CatalogServer[], size: number): CatalogServer[] {
	const tools = toolsOf(servers);
	if (tools.length === 0) throw new RangeError('Nothing to copy');
	const random = new SeededRandom(SEED);
	const scaled: CatalogServer[] = [];
	let missing = size;
	for (let round = 1; missing > 0; round++) {
		for (const server of random.shuffle(servers)) {
			if (missing === 0) break;
			const taken = { ...server, tools: server.tools.slice(0, missing) };
			scaled.push(round === 1 ? taken : mutatedCopy(taken, round, tools, random));
			missing -= taken.tools.length;
		}
	}
	return scaled;
}

function mutatedCopy(
	server: CatalogServer,
	round: number,
	donors: readonly Tool[],
	random: SeededRandom,
): CatalogServer {
	const name = `${server.name}-${round}`;
	const taken = new Set<string>();
	const tools = server.tools.map((tool) => {
		const mutated = mutatedName(tool.name, random.pick(donors).name, random);
		let unique = mutated;
		for (let n = 2; taken.has(unique); n++) unique = `${mutated}_${n}`;
		taken.add(unique);
		const description = mutatedText(tool.description ?? '', donors, random);
		const expansion = tool.expansion && mutatedExpansion(tool.expansion, donors, random);
		return { ...tool, server: name, name: unique, description, ...(expansion && { expansion }) };
	});
	return { ...server, name, tools };
}

function mutatedName(name: string, donor: string, random: SeededRandom): string {
	const parts = name.split('_');
	const replaced = Math.floor(random.next() * parts.length);
	return parts.with(replaced, random.pick(donor.split('_'))).join('_');
}

function mutatedExpansion(
	{ when = '', queries = [] }: ToolExpansion,
	donors: readonly Tool[],
	random: SeededRandom,
): ToolExpansion {
	const others = donors.map(({ expansion }) => ({ description: expansion?.queries?.join(' ') ?? '' }));
	return {
		when: mutatedText(when, others, random),
		queries: queries.map((query) => mutatedText(query, others, random)),
	};
}

function mutatedText(
	text: string,
	donors: readonly Pick<Tool, 'description'>[],
	random: SeededRandom,
): string {
	return text
		.split(' ')
		.map((word) => {
			if (random.next() >= REPLACED_WORDS) return word;
			return random.pick((random.pick(donors).description ?? '').split(' '));
		})
		.join(' ');
}
