import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DelayedWriter, sealed, unsealed, writeAtomically } from '../../common/atomicFile.ts';
import type { Clock } from '../../common/clock.ts';
import { isRecord, stableJson } from '../../common/json.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import { readKnownEra } from '../connection/connectOptions.ts';
import type { McpLimits } from '../limits.ts';
import { type FetchedTools, readTools } from './toolListing.ts';

/** Incremented when the format changes. A file of another format is ignored. */
const fileFormat = 1;
const fileName = 'catalog.json';
/** Room for what surrounds the entries. */
const emptyFileBytes = 128;

/** An entry of the file. Tools have no server name: the name comes from the configuration. */
interface StoredServer {
	readonly listedAt: number;
	readonly title?: string;
	readonly description?: string;
	readonly instructions?: string;
	readonly tools: readonly unknown[];
	readonly ttlMs?: number;
	readonly era?: unknown;
}

/** Identifies a launch without revealing what is in it: a SHA-256 in hex. */
export function launchHash(launch: ServerLaunch): string {
	return createHash('sha256').update(stableJson(launch)).digest('hex');
}

/**
 * What servers have listed, cached on disk, so that tools are known before any server runs. Entries are found by the hash of the launch: a
 * changed launch never gets the old tools, and the file holds no secret.
 */
export class CatalogStore {
	readonly #folder: string;
	readonly #limits: McpLimits;
	readonly #clock: Clock;
	readonly #entries: Map<string, StoredServer>;
	readonly #writer: DelayedWriter;

	private constructor(folder: string, entries: Map<string, StoredServer>, limits: McpLimits, clock: Clock) {
		this.#folder = folder;
		this.#entries = entries;
		this.#limits = limits;
		this.#clock = clock;
		this.#writer = new DelayedWriter(() => this.#write(), {
			clock,
			delayMs: limits.catalogWriteDelayMs,
			onError: () => {},
		});
	}

	/** Reads the folder's file. If it is missing, too large or damaged, the cache is empty. */
	static async open(folder: string, limits: McpLimits, clock: Clock): Promise<CatalogStore> {
		const entries = await readEntries(join(folder, fileName), limits.catalogFileBytes).catch(() => new Map());
		return new CatalogStore(folder, entries, limits, clock);
	}

	get(server: string, launch: ServerLaunch): FetchedTools | undefined {
		const entry = this.#entries.get(launchHash(launch));
		if (!entry) return undefined;
		const { tools, dropped, cutShort } = readTools(server, entry.tools, this.#limits);
		const era = readKnownEra(entry.era);
		return {
			from: 'cache',
			server: { name: server, ...aboutOf(entry), tools },
			dropped,
			cutShort,
			// The clock may have been set back.
			listedAt: Math.min(entry.listedAt, this.#clock.now()),
			...(typeof entry.ttlMs === 'number' ? { ttlMs: entry.ttlMs } : {}),
			...(era ? { era } : {}),
		};
	}

	/** Keeps a list; it is written after a short delay. */
	set(launch: ServerLaunch, known: FetchedTools): void {
		const { server, listedAt, ttlMs, era } = known;
		const tools = server.tools.map(({ server: _, ...tool }) => tool);
		this.#entries.set(launchHash(launch), {
			...aboutOf(server),
			listedAt,
			tools,
			...(ttlMs === undefined ? {} : { ttlMs }),
			...(era ? { era } : {}),
		});
		this.#writer.soon();
	}

	/** Writes pending changes. Rejects if the folder cannot be written to. */
	flush(): Promise<void> {
		return this.#writer.flush();
	}

	async #write(): Promise<void> {
		const latest = [...this.#entries]
			.sort(([, a], [, b]) => b.listedAt - a.listedAt)
			.slice(0, this.#limits.catalogFileEntries)
			.map(([key, entry]) => `${JSON.stringify(key)}:${JSON.stringify(entry)}`);
		// A file over the limit would not be read again. One huge server must not cost the others their entries.
		const members = fitting(latest, this.#limits.catalogFileBytes - emptyFileBytes).join(',');
		await writeAtomically(join(this.#folder, fileName), sealed(fileFormat, `"servers":{${members}}`));
	}
}

/** Those that fit into the limit together with their commas, earlier ones first. */
function fitting(texts: readonly string[], maxBytes: number): readonly string[] {
	let left = maxBytes;
	return texts.filter((text) => {
		const bytes = Buffer.byteLength(text) + 1;
		if (bytes > left) return false;
		left -= bytes;
		return true;
	});
}

async function readEntries(file: string, maxBytes: number): Promise<Map<string, StoredServer>> {
	const stats = await stat(file);
	if (!stats.isFile() || stats.size > maxBytes) return new Map();
	// One flipped bit in a tool's name would make it a new tool.
	const value = unsealed(fileFormat, await readFile(file, 'utf8'));
	if (!isRecord(value) || !isRecord(value.servers)) return new Map();
	return new Map(
		Object.entries(value.servers).filter((entry): entry is [string, StoredServer] =>
			isStoredServer(entry[1]),
		),
	);
}

function isStoredServer(value: unknown): value is StoredServer {
	return isRecord(value) && typeof value.listedAt === 'number' && Array.isArray(value.tools);
}

function aboutOf(from: StoredServer | CatalogServer): Omit<CatalogServer, 'name' | 'tools'> {
	const { title, description, instructions } = from;
	return {
		...(typeof title === 'string' ? { title } : {}),
		...(typeof description === 'string' ? { description } : {}),
		...(typeof instructions === 'string' ? { instructions } : {}),
	};
}
