import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../../common/clock.ts';
import { defined, stableJson } from '../../common/json.ts';
import { weakMemo } from '../../common/memo.ts';
import { joinedMaps, type StoredFormat } from '../../common/sealedJson.ts';
import { StoredJson } from '../../common/storedJson.ts';
import { boundedValue, orNothing, salvagedList } from '../../common/storedShapes.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { McpLimits } from '../limits.ts';
import { type FetchedTools, listedEntry, readTools } from './toolListing.ts';

const fileName = 'catalog.json';
/** Room for what surrounds the entries. */
const emptyFileBytes = 128;

const text = orNothing(z.string());

/** A list as it is stored. Tools have no server name: the name comes from the configuration. */
const storedServer = z.object({
	listedAt: z.number(),
	title: text,
	description: text,
	instructions: text,
	tools: salvagedList(boundedValue),
	ttlMs: orNothing(z.number()),
});

type StoredServer = z.output<typeof storedServer>;

/** Lists by the hash of their launch. */
type StoredServers = ReadonlyMap<string, StoredServer>;

const shape = salvagedList(z.tuple([z.string(), storedServer])).transform(
	(servers): StoredServers => new Map(servers),
);

/** Identifies a launch without revealing what is in it: a SHA-256 in hex. */
export function launchHash(launch: ServerLaunch): string {
	return createHash('sha256').update(stableJson(launch)).digest('hex');
}

/**
 * What servers have listed, cached on disk, so that tools are known before any server runs. Entries are found by the hash of the launch: a
 * changed launch never gets the old tools, and the file holds no secret. The windows of a workspace share the file.
 */
export class CatalogStore {
	readonly #limits: McpLimits;
	readonly #clock: Clock;
	readonly #stored: StoredJson<StoredServers>;

	private constructor(stored: StoredJson<StoredServers>, limits: McpLimits, clock: Clock) {
		this.#stored = stored;
		this.#limits = limits;
		this.#clock = clock;
	}

	/** Reads the folder's file. What cannot be read is listed again by the servers. */
	static async open(folder: string, limits: McpLimits, clock: Clock): Promise<CatalogStore> {
		const format: StoredFormat<StoredServers> = {
			version: 1,
			maxBytes: limits.catalogFileBytes,
			shape,
			plain: (servers) => [...servers],
			join: joinedMaps,
		};
		const nothing: StoredServers = new Map();
		const stored = new StoredJson({ path: join(folder, fileName), format, nothing, clock });
		await stored.load();
		return new CatalogStore(stored, limits, clock);
	}

	get(server: string, launch: ServerLaunch): FetchedTools | undefined {
		const entry = this.#stored.value.get(launchHash(launch));
		if (!entry) return undefined;
		const { tools, dropped, cutShort } = readTools(server, entry.tools, this.#limits);
		return {
			from: 'cache',
			server: { name: server, ...aboutOf(entry), tools },
			dropped,
			cutShort,
			// The clock may have been set back.
			listedAt: Math.min(entry.listedAt, this.#clock.now()),
			...defined({ ttlMs: entry.ttlMs }),
		};
	}

	/** Keeps a list, unless another window has a later one; it is written after a short delay. */
	set(launch: ServerLaunch, known: FetchedTools): void {
		const { server, listedAt, ttlMs } = known;
		const tools = server.tools.map(listedEntry);
		const entry = { ...aboutOf(server), listedAt, tools, ttlMs };
		const hash = launchHash(launch);
		const change = (servers: StoredServers): StoredServers => {
			const latest = servers.get(hash);
			if (latest && latest.listedAt > listedAt) return servers;
			return this.#bounded([...servers, [hash, entry]]);
		};
		this.#stored.change(change, hash);
		this.#stored.saveSoon(this.#limits.catalogWriteDelayMs);
	}

	/** Writes pending changes. Rejects if the file cannot be written. */
	flush(): Promise<void> {
		return this.#stored.save();
	}

	dispose(): void {
		this.#stored.dispose();
	}

	/** The latest lists, as many as can be read again. One huge list must not cost the others their entries. */
	#bounded(servers: readonly (readonly [hash: string, StoredServer])[]): StoredServers {
		const { catalogFileBytes, catalogFileEntries } = this.#limits;
		let room = catalogFileBytes - emptyFileBytes;
		const latest = [...new Map(servers)]
			.sort(([, a], [, b]) => b.listedAt - a.listedAt)
			.slice(0, catalogFileEntries);
		return new Map(
			latest.filter(([hash, entry]) => {
				const bytes = hash.length + bytesOf(entry) + 6;
				if (bytes > room) return false;
				room -= bytes;
				return true;
			}),
		);
	}
}

/** As JSON. */
const bytesOf = weakMemo((entry: StoredServer) => Buffer.byteLength(JSON.stringify(entry)));

function aboutOf({
	title,
	description,
	instructions,
}: Pick<CatalogServer | StoredServer, 'title' | 'description' | 'instructions'>) {
	return defined({ title, description, instructions });
}
