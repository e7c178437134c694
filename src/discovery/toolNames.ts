import { distance } from 'fastest-levenshtein';
import type { CatalogTool } from './catalog.ts';

/** What a name given by a model or a person turned out to be. */
export type NameResolution =
	| { readonly kind: 'found'; readonly tool: CatalogTool }
	| { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogTool[] }
	| { readonly kind: 'unknown'; readonly closest: readonly CatalogTool[] };

/** Names of this many characters or more are not compared: a distance costs the product of both lengths. */
const longestCompared = 200;

/** Finds tools by name in every form: wire name, `server:tool`, and the bare name where only one tool has it. */
export class ToolNames {
	readonly #tools: readonly CatalogTool[];
	readonly #forms = new Map<string, CatalogTool[]>();

	constructor(tools: readonly CatalogTool[]) {
		this.#tools = tools;
		for (const tool of tools) {
			for (const form of new Set([tool.wireName, tool.id, tool.name])) this.#add(form, tool);
		}
	}

	/**
	 * A full name goes before a bare one; upper and lower case are told apart only where both exist. `server` chooses its tools
	 * where it has any of that name.
	 */
	resolve(name: string, server?: string): NameResolution {
		const wanted = name.trim();
		const all = this.#forms.get(wanted) ?? this.#forms.get(caseless(wanted)) ?? [];
		const its = all.filter((tool) => tool.server === server);
		const found = mostExact(wanted, its.length > 0 ? its : all);
		const [tool] = found;
		if (!tool) return { kind: 'unknown', closest: this.closest(wanted) };
		return found.length === 1 ? { kind: 'found', tool } : { kind: 'ambiguous', candidates: found };
	}

	/** The tools whose names look most like a name, best first. */
	closest(name: string, limit = 3): CatalogTool[] {
		const wanted = caseless(name).slice(0, longestCompared);
		const scored = this.#tools.map((tool) => ({ tool, far: farness(wanted, tool) }));
		return scored
			.filter(({ far }) => far <= 0.5)
			.sort((a, b) => a.far - b.far || (a.tool.id < b.tool.id ? -1 : 1))
			.slice(0, limit)
			.map(({ tool }) => tool);
	}

	#add(form: string, tool: CatalogTool): void {
		for (const key of new Set([form, caseless(form)])) {
			const tools = this.#forms.get(key);
			if (!tools) this.#forms.set(key, [tool]);
			else if (!tools.includes(tool)) tools.push(tool);
		}
	}
}

/** Those that go by the very name in full, else those whose bare name it is, else all. */
function mostExact(wanted: string, tools: readonly CatalogTool[]): readonly CatalogTool[] {
	const full = tools.filter((tool) => tool.wireName === wanted || tool.id === wanted);
	const bare = tools.filter((tool) => tool.name === wanted);
	return [full, bare].find((some) => some.length > 0) ?? tools;
}

/** The value closest to a word, where one is close enough to be what was meant. */
export function closestName(word: string, names: readonly string[]): string | undefined {
	const wanted = caseless(word).slice(0, longestCompared);
	const [best] = names
		.map((name) => ({ name, far: relativeDistance(wanted, caseless(name)) }))
		.sort((a, b) => a.far - b.far);
	return best && best.far <= 0.5 ? best.name : undefined;
}

/** Edits from one name to another as a share of the longer one, 0 to 1; 0.1 where one contains the other. */
function farness(wanted: string, tool: CatalogTool): number {
	const name = caseless(tool.name);
	const shorter = Math.min(wanted.length, name.length);
	if (shorter > 2 && (name.includes(wanted) || wanted.includes(name))) return 0.1;
	return Math.min(relativeDistance(wanted, name), relativeDistance(wanted, caseless(tool.wireName)));
}

function relativeDistance(a: string, b: string): number {
	const other = b.slice(0, longestCompared);
	return distance(a, other) / Math.max(1, a.length, other.length);
}

function caseless(text: string): string {
	return text.toLowerCase();
}
