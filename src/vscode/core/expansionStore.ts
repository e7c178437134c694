import { join } from 'node:path';
import * as z from 'zod';
import { systemClock } from '../../common/clock.ts';
import { sha256 } from '../../common/digest.ts';
import { Emitter } from '../../common/event.ts';
import { defined } from '../../common/json.ts';
import { weakMemo } from '../../common/memo.ts';
import { joinedMaps, type StoredFormat } from '../../common/sealedJson.ts';
import { StoredJson } from '../../common/storedJson.ts';
import { salvagedList } from '../../common/storedShapes.ts';
import type { CatalogServer, CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolExpansion } from '../../discovery/catalog/expansion.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import { definitionHash } from '../../mcp/accepted/definition.ts';
import { callHash } from '../../mcp/accepted/permissions.ts';

const fileName = 'expansions.json';
/** Limits on the tools and on the file's bytes; the latest are kept. A tool takes about 500 bytes, up to six times as many in other scripts. */
const maxTools = 20_000;
const maxBytes = 20_000_000;
/** Bytes of the file's format and checksum. */
const headBytes = 1_000;

/** A text and when it was written, in milliseconds since 1970. */
interface KeptExpansion extends ToolExpansion {
	readonly at: number;
}

/** By {@link keyOf}. */
type Expansions = ReadonlyMap<string, KeptExpansion>;

const keptExpansion = z
	.object({ at: z.number(), when: z.string().optional(), queries: z.array(z.string()).optional() })
	.transform((stored): KeptExpansion => defined(stored));

const format: StoredFormat<Expansions> = {
	version: 1,
	maxBytes,
	shape: salvagedList(z.tuple([z.string(), keptExpansion])).transform((entries) => new Map(entries)),
	plain: (texts) => [...texts],
	join: joinedMaps,
};

/** A tool's new text; `undefined` deletes it. `was`: only if this is the current text, so that later changes survive. */
type ExpansionChange = readonly [
	tool: CatalogTool,
	expansion: ToolExpansion | undefined,
	was?: ToolExpansion,
];

interface ExpansionStoreParts {
	readonly folder: string;
	readonly now: () => number;
	/** Identifies the entry of a file that defines a server: servers of two files may have the same name. */
	readonly entryOf: (server: string) => string;
}

/**
 * What models wrote about tools, for search in all workspaces. A text belongs to one definition of a tool of one entry. The model describes the
 * tools of a server together (see `Lesson`), so a text shared by two entries would let one server influence the other's.
 */
export class ExpansionStore {
	readonly #parts: ExpansionStoreParts;
	readonly #stored: StoredJson<Expansions>;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	/** As of the last event. */
	#texts: Expansions = new Map();
	/** Servers with the texts of their tools, cached so that each stays the same object. */
	#expanded = new WeakMap<CatalogServer, { readonly entry: string; readonly server: CatalogServer }>();

	/** Reads nothing before {@link load}. */
	constructor(parts: ExpansionStoreParts) {
		this.#parts = parts;
		this.#stored = new StoredJson({
			path: join(parts.folder, fileName),
			format,
			nothing: this.#texts,
			clock: systemClock,
		});
		this.#stored.onDidChange(() => this.#use(this.#stored.value));
	}

	get size(): number {
		return this.#texts.size;
	}

	/** Reads what this or another window has written, and fires an event if it differs. */
	load(): Promise<void> {
		return this.#stored.load();
	}

	expansionOf(tool: CatalogTool): ToolExpansion | undefined {
		return this.#get(this.#keyOf(tool, callHash(tool)));
	}

	/** Servers with the texts of their tools. */
	withExpansions(servers: readonly CatalogServer[]): readonly CatalogServer[] {
		if (this.#texts.size === 0) return servers;
		return servers.map((server) => this.#withTexts(server));
	}

	/** Stores, replaces and deletes texts, and keeps the changes of other windows. Rejects if the folder is read-only. */
	async change(changes: readonly ExpansionChange[]): Promise<void> {
		const at = this.#parts.now();
		await this.#rewrite((texts) => {
			for (const [tool, expansion, was] of changes) {
				const key = this.#keyOf(tool, callHash(tool));
				if (was && !isSameText(texts.get(key), was)) continue;
				texts.delete(key);
				if (expansion) texts.set(key, { ...expansion, at });
			}
		});
	}

	/** Deletes all texts; resolves to what restores them. */
	async clear(): Promise<() => Promise<void>> {
		let previous: Expansions = new Map();
		await this.#rewrite((texts) => {
			if (texts.size > 0) previous = new Map(texts);
			texts.clear();
		});
		return () =>
			this.#rewrite((texts) => {
				for (const [key, expansion] of previous) if (!texts.has(key)) texts.set(key, expansion);
			});
	}

	dispose(): void {
		this.#stored.dispose();
		this.#changed.dispose();
	}

	#rewrite(change: (texts: Map<string, KeptExpansion>) => void): Promise<void> {
		return this.#stored.update((latest) => {
			const all = new Map(latest);
			change(all);
			return latestOf(all);
		});
	}

	/** An unchanged file makes no new catalog. */
	#use(texts: Expansions): void {
		if (isSame(texts, this.#texts)) return;
		this.#texts = texts;
		this.#expanded = new WeakMap();
		this.#changed.fire();
	}

	#get(key: string): ToolExpansion | undefined {
		const text = this.#texts.get(key);
		if (!text) return undefined;
		const { at: _, ...expansion } = text;
		return expansion;
	}

	#withTexts(listed: CatalogServer): CatalogServer {
		const entry = this.#parts.entryOf(listed.name);
		const cached = this.#expanded.get(listed);
		if (cached?.entry === entry) return cached.server;
		const tools = listed.tools.map((tool) => {
			const expansion = this.#get(this.#keyOf(tool, definitionHash(tool)));
			return expansion ? { ...tool, expansion } : tool;
		});
		const server = { ...listed, tools };
		this.#expanded.set(listed, { entry, server });
		return server;
	}

	/** A hash of the tool's definition and of the entry of its server. */
	#keyOf({ server }: Tool, hash: string): string {
		return sha256(`${hash} ${this.#parts.entryOf(server)}`);
	}
}

function isSame(a: Expansions, b: Expansions): boolean {
	return a.size === b.size && a.entries().every(([key, text]) => isSameText(b.get(key), text));
}

function isSameText(a: ToolExpansion | undefined, b: ToolExpansion): boolean {
	const written = ({ when, queries }: ToolExpansion) => JSON.stringify([when, queries]);
	return a !== undefined && written(a) === written(b);
}

/** The latest texts, as many as can be read again. */
function latestOf(all: Expansions): Expansions {
	let room = maxBytes - headBytes;
	const latest = [...all].sort(([, a], [, b]) => b.at - a.at).slice(0, maxTools);
	return new Map(
		latest.filter(([key, text]) => {
			room -= Buffer.byteLength(JSON.stringify(key)) + bytesOf(text) + 5;
			return room >= 0;
		}),
	);
}

/** As JSON. */
const bytesOf = weakMemo((text: KeptExpansion) => Buffer.byteLength(JSON.stringify(text)));
