import type { CatalogTool } from './catalog.ts';
import { compareStrings } from './compareStrings.ts';
import { manifestName } from './manifest.ts';
import { farness, longestCompared } from './nearestName.ts';

/** What a name given by a model or a person turned out to be. */
export type NameResolution =
	| { readonly kind: 'found'; readonly tool: CatalogTool }
	| { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogTool[] }
	| { readonly kind: 'unknown'; readonly closest: readonly CatalogTool[] };

/** Finds tools by name in every form: wire name, `server:tool`, and the bare name, whole or as the manifest has it, where only one tool has it. */
export class ToolNames {
	readonly #tools: readonly CatalogTool[];
	readonly #forms = new Map<string, CatalogTool[]>();

	constructor(tools: readonly CatalogTool[]) {
		this.#tools = tools;
		for (const tool of tools) {
			// A model asks for a name as it reads it in the manifest.
			for (const form of new Set([tool.wireName, tool.id, tool.name, manifestName(tool)]))
				this.#add(form, tool);
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
		const scored = this.#tools.map((tool) => ({ tool, far: farnessOf(tool, wanted) }));
		return scored
			.filter(({ far }) => far <= 1)
			.sort((a, b) => a.far - b.far || compareStrings(a.tool.id, b.tool.id))
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

/** {@link farness} of a tool's names from a name in lower case; 0.2 where one contains the other. */
function farnessOf(tool: CatalogTool, wanted: string): number {
	const name = caseless(tool.name);
	const shorter = Math.min(wanted.length, name.length);
	if (shorter > 2 && (name.includes(wanted) || wanted.includes(name))) return 0.2;
	return Math.min(farness(wanted, name), farness(wanted, caseless(tool.wireName)));
}

function caseless(text: string): string {
	return text.toLowerCase();
}
