import { farness, longestCompared, nearestName } from '../../common/nearestName.ts';
import { compareStrings, listed, oneLine } from '../../common/text.ts';
import type { CatalogTool } from './catalog.ts';
import { manifestName } from './manifest.ts';
import { namesBeginnings } from './wireNames.ts';

/** Tools whose names are compared letter by letter with one that is not known. */
const mostCompared = 100;

/** What a name given by a model or a person turned out to be. */
export type NameResolution =
	| { readonly kind: 'found'; readonly tool: CatalogTool }
	| { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogTool[] }
	| { readonly kind: 'unknown'; readonly closest: readonly CatalogTool[] };

/**
 * Finds tools by name in every form: wire name, `server:tool`, and the bare name, whole or as the manifest has it, where only one tool has
 * it. A name that can be read as a full name of some server's tool leads to a tool of that server or to none: a server must not get calls
 * that are meant for another by naming its own tool `other__tool`.
 */
export class ToolNames {
	readonly #tools: readonly CatalogTool[];
	readonly #servers: ReadonlySet<string>;
	readonly #forms = new Map<string, CatalogTool[]>();
	#pairs: LetterPairs | undefined;

	/** `servers`: those that are known, also without any of these tools. */
	constructor(tools: readonly CatalogTool[], servers: Iterable<string> = []) {
		this.#tools = tools;
		this.#servers = new Set([...servers, ...tools.map(({ server }) => server)]);
		for (const tool of tools) {
			// A model asks for a name as it reads it in the manifest.
			for (const form of new Set([tool.wireName, tool.id, tool.name, manifestName(tool)]))
				this.#add(form, tool);
		}
	}

	/**
	 * A full name goes before a bare one; upper and lower case are told apart only where both exist. `server` chooses its tools
	 * where it has any of that name. `earlier`: servers that are not there any more, whose names still mean nothing else.
	 */
	resolve(name: string, server?: string, earlier: Iterable<string> = []): NameResolution {
		const wanted = name.trim();
		const byForm = [wanted, caseless(wanted)].map((form) => this.#forms.get(form) ?? []);
		const its = byForm.map((tools) => tools.filter((tool) => tool.server === server));
		const meant = serversIn(wanted, [...this.#servers, ...earlier]);
		const theirs = byForm.map((tools) => tools.filter((tool) => meant.size === 0 || meant.has(tool.server)));
		const found = mostExact(wanted, [...its, ...theirs].find((tools) => tools.length > 0) ?? []);
		const [tool] = found;
		if (!tool) return this.unknown(wanted);
		return found.length === 1 ? { kind: 'found', tool } : { kind: 'ambiguous', candidates: found };
	}

	/** The resolution of a name that leads to no tool. The closest names are looked for only when somebody reads them. */
	unknown(name: string): NameResolution {
		const closest = () => this.closest(name);
		return {
			kind: 'unknown',
			get closest() {
				return closest();
			},
		};
	}

	/** Whether a name can be read as the full name of some server's tool. */
	namesServer(name: string): boolean {
		return serversIn(name.trim(), [...this.#servers]).size > 0;
	}

	/** The tools whose names look most like a name, best first. */
	closest(name: string, limit = 3): CatalogTool[] {
		const wanted = caseless(name.slice(0, longestCompared));
		this.#pairs ??= new LetterPairs(this.#tools.map((tool) => caseless(`${tool.name} ${tool.wireName}`)));
		const likely = this.#pairs.mostAlike(wanted, mostCompared).map((at) => this.#tools[at] as CatalogTool);
		const scored = likely.map((tool) => ({ tool, far: farnessOf(tool, wanted) }));
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

/** Which of many texts share the most pairs of letters with one: a distance from each would cost too much. */
class LetterPairs {
	readonly #lengths: readonly number[];
	/** For each pair of letters, the places of the texts that have it. */
	readonly #places = new Map<string, number[]>();

	constructor(texts: readonly string[]) {
		this.#lengths = texts.map(({ length }) => length);
		for (const [place, text] of texts.entries()) {
			for (const pair of pairsOf(text.slice(0, 2 * longestCompared))) {
				const places = this.#places.get(pair);
				if (places) places.push(place);
				else this.#places.set(pair, [place]);
			}
		}
	}

	/** Places of the texts that share the most pairs with this one, at most `most` of them. */
	mostAlike(text: string, most: number): number[] {
		const shared = new Uint16Array(this.#lengths.length);
		const pairs = pairsOf(text);
		for (const pair of pairs) {
			for (const place of this.#places.get(pair) ?? []) shared[place] = (shared[place] ?? 0) + 1;
		}
		const byShare = Array.from({ length: pairs.size + 1 }, (): number[] => []);
		for (const [place, share] of shared.entries()) if (share > 0) byShare[share]?.push(place);
		// Of texts that share equally many pairs, the shortest is the most alike.
		const length = (place: number) => this.#lengths[place] ?? 0;
		const alike: number[] = [];
		for (let share = byShare.length - 1; share > 0 && alike.length < most; share--) {
			alike.push(...(byShare[share] ?? []).sort((a, b) => length(a) - length(b) || a - b).slice(0, most));
		}
		return alike.slice(0, most);
	}
}

function pairsOf(text: string): Set<string> {
	return new Set(Array.from({ length: Math.max(1, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** The servers of whose tools a name can be a full name; where there are none in just these letters, whatever the case. */
function serversIn(name: string, servers: readonly string[]): ReadonlySet<string> {
	const begins = (text: string, read: (text: string) => string) =>
		new Set(
			servers.filter((server) => namesBeginnings(server).some((start) => text.startsWith(read(start)))),
		);
	const exact = begins(name, (start) => start);
	return exact.size > 0 ? exact : begins(caseless(name), caseless);
}

/** Whether a name is a tool's full name, and no bare one; upper and lower case are not told apart. */
export function isFullName(name: string, { id, wireName }: CatalogTool): boolean {
	return [id, wireName].some((full) => caseless(full) === caseless(name.trim()));
}

/** The tools of which this is the full name; if there are none, those of which it is the bare name; else all of them. */
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

/** Most names that an error lists, and characters of each. */
const listedNames = 100;
const nameLimit = 100;

/** What servers a model can name: those of a `ToolSurface`. */
interface NamedServers {
	readonly servers: readonly { readonly name: string }[];
}

/** The server that a model means, whatever the case of its letters. */
export function namedServer({ servers }: NamedServers, name: string): string | undefined {
	const names = servers.map((server) => server.name);
	return (
		names.find((known) => known === name) ?? names.find((known) => known.toLowerCase() === name.toLowerCase())
	);
}

/** What a model is told that names a server which no permitted tool is on. */
export function unknownServer({ servers }: NamedServers, name: string): string {
	const names = servers.map((server) => oneLine(server.name, nameLimit));
	const closest = nearestName(name, names);
	const hint = closest ? ` Did you mean '${closest}'?` : '';
	return `Unknown server '${oneLine(name, nameLimit)}'.${hint} Available servers: ${listed(names, listedNames)}`;
}
