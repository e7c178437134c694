import { join } from 'node:path';
import type { ServerLaunch } from '../../config/launch.ts';
import type { CatalogServer } from '../../discovery/catalog.ts';
import { type Disposable, Emitter } from '../../discovery/event.ts';
import type { Clock } from '../clock.ts';
import type { ServerListing } from '../listing/serverListing.ts';
import { sha256 } from './definition.ts';
import { type PinnedServer, type PinRecord, readPins, writePins } from './pinFile.ts';
import type { PinLimits } from './pinLimits.ts';
import { pinKey, pinTools } from './pinTools.ts';
import { type HeldTool, holdsSame, type Screening, screen } from './screening.ts';

/** What keeping accepted definitions takes. */
export interface PinParts {
	/** A folder of the extension's own storage: no repository brings acceptance along. */
	readonly folder: string;
	readonly clock: Clock;
	readonly limits: PinLimits;
	/** What an approval holds for: where it changes, the user is asked for the server itself, and pins begin anew. */
	readonly hashOf: (launch: ServerLaunch) => string;
	/** What was accepted could not be written, and will not be known the next time. */
	readonly onWriteError: (error: unknown) => void;
}

/** A listing with what came of it. */
interface Screened extends ServerListing {
	readonly key: string;
	readonly screening: Screening;
}

const fileName = 'tools.json';

/**
 * Keeps each tool as the user has accepted it, on disk, and holds back those that are not so any more. What a tool was when it was first
 * seen counts as accepted with its server; a tool that a server drops keeps its pin, so that it cannot come back as another one.
 */
export class DefinitionPins implements Disposable {
	readonly #parts: PinParts;
	readonly #file: string;
	readonly #servers: Map<string, PinnedServer>;
	readonly #changed = new Emitter<void>();
	/** Other tools are held than before. */
	readonly onDidChange = this.#changed.event;
	#lost: boolean;
	/** By server, as of the last {@link use}. */
	#screened = new Map<string, Screened>();
	#version = 0;
	#timer: Disposable | undefined;
	#writing: Promise<void> = Promise.resolve();

	private constructor(parts: PinParts, file: string, { servers, lost }: PinRecord) {
		this.#parts = parts;
		this.#file = file;
		this.#servers = servers;
		this.#lost = lost;
	}

	/**
	 * Reads what was accepted. Where that is there and cannot be read, every tool waits to be accepted again: else who could spoil the
	 * file could have anything accepted.
	 */
	static async open(parts: PinParts): Promise<DefinitionPins> {
		const file = join(parts.folder, fileName);
		return new DefinitionPins(parts, file, await readPins(file, parts.limits));
	}

	/** Grows whenever {@link use} has something else to say of the same listings. */
	get version(): number {
		return this.#version;
	}

	/** Servers with the tools that may be used, and beside them those that are held. What was screened before costs nothing. */
	use(listings: readonly ServerListing[]): readonly CatalogServer[] {
		const before = this.#screened;
		this.#screened = new Map(
			listings.map((listing) => {
				const { name } = listing.server;
				const known = before.get(name);
				return [
					name,
					known && isSameListing(known, listing) ? { ...known, ...listing } : this.#screen(listing),
				];
			}),
		);
		const names = new Set([...before.keys(), ...this.#screened.keys()]);
		const isSame = (name: string) =>
			holdsSame(before.get(name)?.screening, this.#screened.get(name)?.screening);
		if (![...names].every(isSame)) this.#announce();
		return [...this.#screened.values()].map(withoutHeld);
	}

	/** What is held, by server; only servers of which something is. */
	get held(): ReadonlyMap<string, readonly HeldTool[]> {
		return new Map(
			[...this.#screened]
				.filter(([, { screening }]) => screening.held.length > 0)
				.map(([name, { screening }]) => [name, screening.held]),
		);
	}

	isHeld(server: string, tool: string): boolean {
		return this.#screened.get(server)?.screening.held.some((one) => one.tool.name === tool) ?? false;
	}

	/**
	 * Accepts held tools of one server as they are in `held`, which is what the user has seen: one that has changed again meanwhile
	 * stays held.
	 */
	accept(server: string, held: readonly HeldTool[]): void {
		const screened = this.#screened.get(server);
		if (!screened || held.length === 0) return;
		const tools = held.map(({ tool }) => tool);
		pinTools(this.#entry(screened.key).pins, tools, this.#parts.limits);
		this.#screened.set(server, this.#screen(screened));
		// All that could have been known from before is accepted anew.
		const isUnknown = ({ screening }: Screened) => screening.held.some(({ why }) => why === 'unknown');
		if (![...this.#screened.values()].some(isUnknown)) this.#lost = false;
		this.#save();
		this.#announce();
	}

	/** Writes what is still to be written. Rejects if the folder cannot be written to. */
	async flush(): Promise<void> {
		if (!this.#timer) return this.#writing;
		this.#timer.dispose();
		this.#timer = undefined;
		const write = () =>
			writePins(this.#file, { servers: this.#servers, lost: this.#lost }, this.#parts.limits);
		this.#writing = this.#writing.catch(() => {}).then(write);
		return this.#writing;
	}

	dispose(): void {
		this.#changed.dispose();
	}

	#screen({ launch, server }: ServerListing): Screened {
		const key = sha256(JSON.stringify([server.name, this.#parts.hashOf(launch)]));
		const { pins } = this.#entry(key);
		// Where something was lost, nothing can be told to be new.
		const room = this.#lost ? 0 : this.#parts.limits.toolsPerServer - pins.size;
		const screening = screen(server.tools, (tool) => pins.get(pinKey(tool)), room);
		if (screening.fresh.length > 0) {
			pinTools(pins, screening.fresh, this.#parts.limits);
			this.#save();
		}
		return { launch, server, key, screening };
	}

	/** What is pinned for a launch, which counts as used now. */
	#entry(key: string): PinnedServer {
		const entry = { usedAt: this.#parts.clock.now(), pins: this.#servers.get(key)?.pins ?? new Map() };
		this.#servers.set(key, entry);
		return entry;
	}

	#save(): void {
		this.#timer?.dispose();
		const { clock, limits, onWriteError } = this.#parts;
		this.#timer = clock.after(limits.writeDelayMs, () => void this.flush().catch(onWriteError));
	}

	#announce(): void {
		this.#version += 1;
		this.#changed.fire();
	}
}

function isSameListing(a: ServerListing, b: ServerListing): boolean {
	return a.launch === b.launch && a.server.tools === b.server.tools;
}

function withoutHeld({ server, screening: { usable, held } }: Screened): CatalogServer {
	return held.length > 0 ? { ...server, tools: usable, held: held.map(({ tool }) => tool) } : server;
}
