import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerLaunch } from '../../config/launch.ts';
import type { Disposable } from '../../discovery/event.ts';
import { isRecord } from '../../discovery/record.ts';
import type { Clock } from '../clock.ts';
import type { McpLimits } from '../limits.ts';
import { sortedKeys } from '../sortedKeys.ts';
import { writeWhole } from '../wholeFile.ts';
import type { KnownTools, ServerContent } from './knownTools.ts';
import { readTools } from './toolListing.ts';

/** Grows when the shape of the file changes; a file of another format is ignored. */
const fileFormat = 1;
const fileName = 'catalog.json';
/** More than what stands around the entries. */
const emptyFileBytes = 64;

/** An entry of the file; tools as the server listed them, without its name, which is the configuration's matter. */
interface StoredServer {
	readonly listedAt: number;
	readonly title?: string;
	readonly description?: string;
	readonly instructions?: string;
	readonly tools: readonly unknown[];
}

/** Says which launch a list came from, without giving away what is in it: a SHA-256 in hex. */
export function fingerprintOf(launch: ServerLaunch): string {
	return createHash('sha256')
		.update(JSON.stringify(sortedKeys(launch)))
		.digest('hex');
}

/**
 * What servers have listed, kept on disk, so that their tools are known before any of them runs. Entries go by the
 * fingerprint of the launch: a changed launch never meets the tools of the old one, and no secret is in the file.
 */
export class CatalogStore {
	readonly #folder: string;
	readonly #limits: McpLimits;
	readonly #clock: Clock;
	readonly #entries: Map<string, StoredServer>;
	#timer: Disposable | undefined;
	#writing: Promise<void> = Promise.resolve();

	private constructor(folder: string, entries: Map<string, StoredServer>, limits: McpLimits, clock: Clock) {
		this.#folder = folder;
		this.#entries = entries;
		this.#limits = limits;
		this.#clock = clock;
	}

	/** Reads the folder's file; one that is missing, too large or not as we wrote it counts as empty. */
	static async open(folder: string, limits: McpLimits, clock: Clock): Promise<CatalogStore> {
		const entries = await readEntries(join(folder, fileName), limits.catalogFileBytes).catch(() => new Map());
		return new CatalogStore(folder, entries, limits, clock);
	}

	/** What the server of this launch listed last. */
	get(server: string, launch: ServerLaunch): KnownTools | undefined {
		const entry = this.#entries.get(fingerprintOf(launch));
		if (!entry) return undefined;
		const { tools, dropped, cutShort } = readTools(server, entry.tools, this.#limits);
		return {
			from: 'cache',
			content: { ...aboutOf(entry), tools },
			dropped,
			cutShort,
			// The clock may have been set back since.
			listedAt: Math.min(entry.listedAt, this.#clock.now()),
		};
	}

	/** Keeps a list; it is written a moment later. */
	set(launch: ServerLaunch, known: KnownTools): void {
		const tools = known.content.tools.map(({ server: _, ...tool }) => tool);
		this.#entries.set(fingerprintOf(launch), { ...aboutOf(known.content), listedAt: known.listedAt, tools });
		this.#timer?.dispose();
		this.#timer = this.#clock.after(
			this.#limits.catalogWriteDelayMs,
			() => void this.flush().catch(() => {}),
		);
	}

	/** Writes what is still to be written. Rejects if the folder cannot be written to. */
	async flush(): Promise<void> {
		if (!this.#timer) return this.#writing;
		this.#timer.dispose();
		this.#timer = undefined;
		this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
		return this.#writing;
	}

	async #write(): Promise<void> {
		const latest = [...this.#entries]
			.sort(([, a], [, b]) => b.listedAt - a.listedAt)
			.slice(0, this.#limits.catalogFileEntries);
		// A file over the limit would not be read again: one server with a great deal must not cost the others theirs.
		let left = this.#limits.catalogFileBytes - emptyFileBytes;
		const kept: typeof latest = [];
		for (const entry of latest) {
			const bytes = await sizeOf(entry);
			if (bytes > left) continue;
			left -= bytes;
			kept.push(entry);
		}
		await writeWhole(join(this.#folder, fileName), fileOf(kept));
	}
}

type Entry = readonly [key: string, stored: StoredServer];

/** Texts of less than this are written together. */
const writtenCharacters = 65_536;

const sizes = new WeakMap<StoredServer, number>();

/** Bytes of an entry in the file, its comma included. Counted with pauses, for all of one server's tools may take long; and once. */
async function sizeOf(entry: Entry): Promise<number> {
	const [, stored] = entry;
	const known = sizes.get(stored);
	if (known !== undefined) return known;
	let bytes = 1;
	for (const text of joined(entryOf(entry))) {
		bytes += Buffer.byteLength(text);
		await nextTurn();
	}
	sizes.set(stored, bytes);
	return bytes;
}

/** The file in pieces: as one text, a large list would be in memory four times over. */
function* fileOf(entries: readonly Entry[]): Generator<string> {
	yield `{"format":${fileFormat},"servers":{`;
	for (const [i, entry] of entries.entries()) {
		if (i > 0) yield ',';
		yield* joined(entryOf(entry));
	}
	yield '}}';
}

function* entryOf([key, { tools, ...about }]: Entry): Generator<string> {
	yield `${JSON.stringify(key)}:${JSON.stringify(about).slice(0, -1)},"tools":[`;
	for (const [i, tool] of tools.entries()) yield `${i > 0 ? ',' : ''}${JSON.stringify(tool)}`;
	yield ']}';
}

function* joined(texts: Iterable<string>): Generator<string> {
	let text = '';
	for (const one of texts) {
		text += one;
		if (text.length < writtenCharacters) continue;
		yield text;
		text = '';
	}
	yield text;
}

async function readEntries(file: string, maxBytes: number): Promise<Map<string, StoredServer>> {
	const { size } = await stat(file);
	if (size > maxBytes) return new Map();
	const value: unknown = JSON.parse(await readFile(file, 'utf8'));
	if (!isRecord(value) || value.format !== fileFormat || !isRecord(value.servers)) return new Map();
	return new Map(
		Object.entries(value.servers).filter((entry): entry is [string, StoredServer] =>
			isStoredServer(entry[1]),
		),
	);
}

function isStoredServer(value: unknown): value is StoredServer {
	return isRecord(value) && typeof value.listedAt === 'number' && Array.isArray(value.tools);
}

function aboutOf(from: StoredServer | ServerContent): Omit<ServerContent, 'tools'> {
	const { title, description, instructions } = from;
	return {
		...(typeof title === 'string' ? { title } : {}),
		...(typeof description === 'string' ? { description } : {}),
		...(typeof instructions === 'string' ? { instructions } : {}),
	};
}
