import {
	maxComparedLength as maxComparedCharacters,
	nameDistance,
	nearestName,
} from '../../common/nearestName.ts';
import { compareStrings, listText, oneLine } from '../../common/text.ts';
import type { CatalogTool } from './catalog.ts';
import { manifestName, serverNameLimit } from './manifest.ts';
import { looseName, namesBeginnings, unmarkedName, unwrappedName, withoutOrigin } from './nameSpellings.ts';
import { toolId } from './tool.ts';

/** Tools whose names are compared letter by letter with an unknown name. */
const maxCompared = 100;

/** How a name given by a model or a person resolves. */
export type NameResolution =
	| { readonly kind: 'found'; readonly tool: CatalogTool }
	| { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogTool[] }
	| { readonly kind: 'unknown'; readonly closest: readonly CatalogTool[] };

/**
 * Finds tools by any form of their name: wire name, `server:tool`, the full names of other programs, or the bare name (complete or as in the
 * manifest) if it is unique. Nothing else knows how a name may be written. A name that could be a full name of some server's tool resolves to
 * a tool of that server or to nothing: a server must not receive calls meant for another by naming a tool `other__tool`.
 */
export class ToolNames {
	readonly #tools: readonly CatalogTool[];
	readonly #servers: ReadonlySet<string>;
	readonly #forms = new Map<string, CatalogTool[]>();
	#loose: readonly ReadonlyMap<string, readonly CatalogTool[]>[] | undefined;
	#pairs: LetterPairs | undefined;

	/** `servers`: known servers, including those without any of these tools. */
	constructor(tools: readonly CatalogTool[], servers: Iterable<string> = []) {
		this.#tools = tools;
		this.#servers = new Set([...servers, ...tools.map(({ server }) => server)]);
		for (const tool of tools) {
			// Models use names as the manifest shows them.
			for (const form of new Set([tool.wireName, tool.id, tool.name, manifestName(tool)]))
				this.#add(form, tool);
		}
	}

	/**
	 * Full names win over bare ones; case and the characters between words matter only if several exist. `server` prefers its tools.
	 * `earlier`: servers that are gone, whose names still mean nothing else.
	 */
	resolve(name: string, server?: string, earlier: Iterable<string> = []): NameResolution {
		if (this.#tools.length === 0) return this.unknown(name);
		const requestedName = unmarkedName(name.trim());
		const full = fullNamesIn(requestedName, [...this.#servers, ...earlier]);
		const inner = withoutOrigin(unwrappedName(requestedName));
		if (full.length === 0 && inner !== requestedName && !this.#forms.has(caseless(requestedName)))
			return this.resolve(inner, server, earlier);
		const forms = [requestedName, ...full.map(toolId)];
		const byForm = [forms, forms.map(caseless)].map((same) => [
			...new Set(same.flatMap((form) => this.#forms.get(form) ?? [])),
		]);
		const preferredMatches = byForm.map((tools) => tools.filter((tool) => tool.server === server));
		const namedServers = new Set(full.map((named) => named.server));
		const otherMatches = byForm.map((tools) =>
			tools.filter((tool) => namedServers.size === 0 || namedServers.has(tool.server)),
		);
		const matches = [...preferredMatches, ...otherMatches].find((tools) => tools.length > 0);
		const found = matches
			? mostExactMatches(requestedName, matches)
			: this.#matchLoosely(
					requestedName,
					namedServers,
					full.map((named) => named.name),
				);
		const [tool] = found;
		if (!tool) return this.unknown(requestedName);
		return found.length === 1 ? { kind: 'found', tool } : { kind: 'ambiguous', candidates: found };
	}

	/** The resolution of an unknown name. The closest names are computed on demand. */
	unknown(name: string): NameResolution {
		const closest = () => this.closest(name);
		return {
			kind: 'unknown',
			get closest() {
				return closest();
			},
		};
	}

	/** Whether a name could be the full name of some server's tool. */
	namesServer(name: string): boolean {
		return fullNamesIn(name.trim(), this.#servers).length > 0;
	}

	/** Tools with the most similar names, best first. */
	closest(name: string, limit = 3): CatalogTool[] {
		const requestedName = caseless(name.slice(0, maxComparedCharacters));
		this.#pairs ??= new LetterPairs(this.#tools.map((tool) => caseless(`${tool.name} ${tool.wireName}`)));
		const likely = this.#pairs
			.mostAlike(requestedName, maxCompared)
			.map((at) => this.#tools[at] as CatalogTool);
		const scored = likely.map((tool) => ({ tool, far: distanceTo(tool, requestedName) }));
		return scored
			.filter(({ far }) => far <= 1)
			.sort((a, b) => a.far - b.far || compareStrings(a.tool.id, b.tool.id))
			.slice(0, limit)
			.map(({ tool }) => tool);
	}

	/** Tools whose full name, or else bare name, has the same words, in whatever way they are joined. `servers`: the only ones it can mean, if any. */
	#matchLoosely(
		wanted: string,
		servers: ReadonlySet<string>,
		ownNames: readonly string[],
	): readonly CatalogTool[] {
		this.#loose ??= [
			Map.groupBy(this.#tools, ({ server, name }) => looseName(`${server}_${name}`)),
			Map.groupBy(this.#tools, ({ name }) => looseName(name)),
			Map.groupBy(this.#tools, ({ name }) => lettersOf(name)),
		];
		const [full, bare, letters] = this.#loose;
		const same = [
			full?.get(looseName(wanted)),
			bare?.get(looseName(wanted)),
			// `getForecast` for `get_forecast`.
			...(ownNames.length > 0 ? ownNames : [wanted]).map((name) => letters?.get(lettersOf(name))),
		].map((tools) => tools ?? []);
		const onNamedServers = same.map((tools) =>
			tools.filter(({ server }) => servers.size === 0 || servers.has(server)),
		);
		return onNamedServers.find((tools) => tools.length > 0) ?? [];
	}

	#add(form: string, tool: CatalogTool): void {
		for (const key of new Set([form, caseless(form)])) {
			const tools = this.#forms.get(key);
			if (!tools) this.#forms.set(key, [tool]);
			else if (!tools.includes(tool)) tools.push(tool);
		}
	}
}

/** Finds the texts that share the most letter pairs with a text. Computing an edit distance to each would be too slow. */
class LetterPairs {
	readonly #lengths: readonly number[];
	/** By letter pair: places of the texts that contain it. */
	readonly #places = new Map<string, number[]>();

	constructor(texts: readonly string[]) {
		this.#lengths = texts.map(({ length }) => length);
		for (const [place, text] of texts.entries()) {
			for (const pair of pairsOf(text.slice(0, 2 * maxComparedCharacters))) {
				const places = this.#places.get(pair);
				if (places) places.push(place);
				else this.#places.set(pair, [place]);
			}
		}
	}

	/** Places of the most similar texts, at most `most`. */
	mostAlike(text: string, most: number): number[] {
		const shared = new Uint16Array(this.#lengths.length);
		const pairs = pairsOf(text);
		for (const pair of pairs) {
			for (const place of this.#places.get(pair) ?? []) shared[place] = (shared[place] ?? 0) + 1;
		}
		const byShare = Array.from({ length: pairs.size + 1 }, (): number[] => []);
		for (const [place, share] of shared.entries()) if (share > 0) byShare[share]?.push(place);
		// On equal counts the shortest text is the most similar.
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

/** A name as far as only its letters and digits count. */
function lettersOf(name: string): string {
	return looseName(name).replaceAll('_', '');
}

/** The servers to which a full name could belong, each with the tool's name; matched exactly first, then ignoring case. */
function fullNamesIn(
	name: string,
	servers: Iterable<string>,
): readonly Pick<CatalogTool, 'server' | 'name'>[] {
	const readings = [...servers].map((server) => ({ server, starts: namesBeginnings(server) }));
	const begun = (text: string, read: (text: string) => string) =>
		readings.flatMap(({ server, starts }) =>
			starts
				.filter((start) => text.startsWith(read(start)))
				.map((start) => ({ server, name: name.slice(start.length) })),
		);
	const exact = begun(name, (start) => start);
	return exact.length > 0 ? exact : begun(caseless(name), caseless);
}

/** Whether a name is a tool's full name, ignoring case. */
export function isFullName(name: string, { server, name: own, wireName }: CatalogTool): boolean {
	const written = caseless(name.trim());
	return written === caseless(wireName) || looseName(written) === looseName(`${server}_${own}`);
}

/** The tools of which this is the full name; else those of which it is the bare name; else all. */
function mostExactMatches(wanted: string, tools: readonly CatalogTool[]): readonly CatalogTool[] {
	const full = tools.filter((tool) => tool.wireName === wanted || tool.id === wanted);
	const bare = tools.filter((tool) => tool.name === wanted);
	return [full, bare].find((some) => some.length > 0) ?? tools;
}

/** {@link nameDistance} of a tool's names from a lower-case name; 0.2 if one contains the other. */
function distanceTo(tool: CatalogTool, wanted: string): number {
	const name = caseless(tool.name);
	const shorter = Math.min(wanted.length, name.length);
	if (shorter > 2 && (name.includes(wanted) || wanted.includes(name))) return 0.2;
	return Math.min(nameDistance(wanted, name), nameDistance(wanted, caseless(tool.wireName)));
}

function caseless(text: string): string {
	return text.toLowerCase();
}

/** Names in an error. */
const listedNames = 100;

interface NamedServers {
	readonly servers: readonly { readonly name: string }[];
}

/** The server that a model means, ignoring case. */
export function namedServer({ servers }: NamedServers, name: string): string | undefined {
	const names = servers.map((server) => server.name);
	return (
		names.find((known) => known === name) ?? names.find((known) => known.toLowerCase() === name.toLowerCase())
	);
}

/** Tells the model that no permitted tool is on this server. */
export function unknownServer({ servers }: NamedServers, name: string): string {
	const names = servers.map((server) => oneLine(server.name, serverNameLimit));
	const closest = nearestName(name, names);
	const hint = closest ? ` Did you mean '${closest}'?` : '';
	return `Unknown server '${oneLine(name, serverNameLimit)}'.${hint} Available servers: ${listText(names, listedNames)}`;
}
