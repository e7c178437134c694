import { join } from 'node:path';
import { DelayedWriter } from '../../common/atomicFile.ts';
import type { Clock } from '../../common/clock.ts';
import { type Disposable, Emitter } from '../../common/event.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { Prompt } from '../connection/offers.ts';
import type { ServerListing } from '../listing/listedTools.ts';
import type { AcceptanceLimits } from './acceptedFile.ts';
import { AcceptedFile, type AcceptedNews, type AcceptedServer } from './acceptedFile.ts';
import {
	type AcceptedTool,
	acceptTools,
	nameHash,
	type QuarantinedTool,
	quarantinesSame,
	type Screening,
	screen,
	sha256,
	waitingTool,
} from './definition.ts';

/** What keeping accepted definitions takes. */
export interface AcceptedDefinitionsOptions {
	/** A folder of the extension's own storage: no repository brings acceptance along. */
	readonly folder: string;
	readonly clock: Clock;
	readonly limits: AcceptanceLimits;
	/** What an approval holds for: where it changes, the user is asked for the server itself, and pins begin anew. */
	readonly hashOf: (launch: ServerLaunch) => string;
	/** What was accepted could not be written, and will not be known the next time. */
	readonly onWriteError: (error: unknown) => void;
	/** Servers whose approval stands, each with what it was given for: nothing of theirs is forgotten. Left out: that of all. */
	readonly approved?: () => Iterable<readonly [server: string, hash: string]>;
	/** Whether the folder was ever written to, as told elsewhere: then it is a loss that there is no file. `onWritten`: it is. */
	readonly wasWritten?: boolean;
	readonly onWritten?: () => void;
}

/** A listing with what came of it. */
interface Screened extends ServerListing {
	readonly key: string;
	readonly screening: Screening;
}

const fileName = 'tools.json';

/** What a server's instructions, and its prompts, are called among its tools: they are accepted, held and compared as tools are. */
const instructionsName = '(instructions)';
const promptName = (name: string) => `(prompt) ${name}`;

function promptAsTool(server: string, prompt: Prompt): Tool {
	const { name, arguments: wanted, ...described } = prompt;
	const properties = Object.fromEntries(wanted.map(({ name: one, description }) => [one, { description }]));
	const required = wanted.filter((one) => one.required).map((one) => one.name);
	return { ...described, server, name: promptName(name), inputSchema: { properties, required } };
}

/** What this window has pinned and not written yet: tools that it has seen first, or that the user has accepted in it. */
type Unwritten = Map<string, Map<string, 'seen' | 'accepted'>>;

/**
 * Keeps each tool as the user has accepted it, on disk, and holds back those that are not so any more. What a tool was when it was first
 * seen counts as accepted with its server; a tool that a server drops keeps its pin, so that it cannot come back as another one. Several
 * windows may share the folder: each joins what it writes to what is there, and what the user has accepted goes before what was only seen.
 */
export class AcceptedDefinitions implements Disposable {
	readonly #parts: AcceptedDefinitionsOptions;
	readonly #file: AcceptedFile;
	readonly #servers = new Map<string, AcceptedServer>();
	#unwritten: Unwritten = new Map();
	readonly #changed = new Emitter<void>();
	/** Other tools are held than before. */
	readonly onDidChange = this.#changed.event;
	#lost = false;
	/** {@link #lost} has become something else here, which is not written yet. */
	#lossUnwritten = false;
	/** Pins are others than those that servers were screened with. */
	#isOutdated = false;
	/** Prompts by server, as of the last {@link heldPrompts}. */
	readonly #prompts = new Map<string, readonly Tool[]>();
	/** By server, as of the last {@link use}. */
	#screened = new Map<string, Screened>();
	#version = 0;
	readonly #writer: DelayedWriter;

	private constructor(parts: AcceptedDefinitionsOptions) {
		this.#parts = parts;
		this.#file = new AcceptedFile(join(parts.folder, fileName), parts.limits);
		this.#writer = new DelayedWriter(() => this.#write(), {
			clock: parts.clock,
			delayMs: parts.limits.writeDelayMs,
			onError: parts.onWriteError,
		});
		const news = this.#file.news();
		if (news) this.#adopt(news);
		else if (parts.wasWritten) this.#setLost(true);
	}

	/**
	 * Reads what was accepted. Where that is there and cannot be read, every tool waits to be accepted again: else who could spoil the
	 * file could have anything accepted.
	 */
	static async open(parts: AcceptedDefinitionsOptions): Promise<AcceptedDefinitions> {
		return new AcceptedDefinitions(parts);
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
		this.#screenOutdated();
		this.#announceSince(before);
		return [...this.#screened.values()].map(withoutHeld);
	}

	/** What is held, by server; only servers of which something is. */
	get held(): ReadonlyMap<string, readonly QuarantinedTool[]> {
		return new Map(
			[...this.#screened]
				.filter(([, { screening }]) => screening.held.length > 0)
				.map(([name, { screening }]) => [name, screening.held]),
		);
	}

	/**
	 * Holds a server's prompts to what was accepted of them; returns the names of those that wait for the user. A server is asked for its
	 * prompts only when the user wants one, so they are no part of a listing.
	 */
	heldPrompts(server: string, prompts: readonly Prompt[]): ReadonlySet<string> {
		const screened = this.#screened.get(server);
		if (!screened) return new Set();
		this.#prompts.set(
			server,
			prompts.map((prompt) => promptAsTool(server, prompt)),
		);
		const before = new Map(this.#screened);
		this.#screened.set(server, this.#screen(screened));
		this.#screenOutdated();
		this.#announceSince(before);
		const waiting = prompts.filter(({ name }) => this.isHeld(server, promptName(name)));
		return new Set(waiting.map(({ name }) => name));
	}

	isHeld(server: string, tool: string): boolean {
		return this.#screened.get(server)?.screening.held.some((one) => one.tool.name === tool) ?? false;
	}

	/**
	 * Accepts held tools of one server as they are in `held`, which is what the user has seen: one that has changed again meanwhile
	 * stays held.
	 */
	accept(server: string, held: readonly QuarantinedTool[]): void {
		const screened = this.#screened.get(server);
		if (!screened || held.length === 0) return;
		const tools = held.map(({ tool }) => tool);
		this.#pin(screened.key, tools, 'accepted');
		this.#screened.set(server, this.#screen(screened));
		if (this.#lost) this.#takeAnew();
		this.#screenOutdated();
		this.#announce();
	}

	/** Writes what is still to be written. Rejects if the folder cannot be written to. */
	flush(): Promise<void> {
		return this.#writer.flush();
	}

	dispose(): void {
		this.#changed.dispose();
	}

	#screen(listing: ServerListing): Screened {
		const first = this.#screening(listing);
		// Before a tool counts as new, it has to be known what other windows have accepted.
		const isNews = first.screening.fresh.length > 0 && this.#catchUp();
		const screened = isNews ? this.#screening(listing) : first;
		if (screened.screening.fresh.length > 0) this.#pin(screened.key, screened.screening.fresh, 'seen');
		return screened;
	}

	#screening({ launch, server }: ServerListing): Screened {
		const key = launchKey(server.name, this.#parts.hashOf(launch));
		const { pins, isAnew } = this.#entry(key);
		// Where something was lost, nothing can be told to be new.
		const room = this.#lost && !isAnew ? 0 : this.#parts.limits.toolsPerServer - pins.size;
		return {
			launch,
			server,
			key,
			screening: screen(this.#saidBy(server), (tool) => pins.get(nameHash(tool)), room),
		};
	}

	/** All that a server says to models: its tools, and its instructions and prompts as further ones. */
	#saidBy({ name: server, tools, instructions }: CatalogServer): readonly Tool[] {
		const prompts = this.#prompts.get(server) ?? [];
		if (instructions === undefined) return [...tools, ...prompts];
		const said = { server, name: instructionsName, description: instructions, inputSchema: {} };
		return [...tools, said, ...prompts];
	}

	/** Screens all servers anew after {@link #catchUp}. */
	#screenOutdated(): void {
		if (!this.#isOutdated) return;
		this.#isOutdated = false;
		for (const [name, screened] of this.#screened) this.#screened.set(name, this.#screen(screened));
	}

	#pin(key: string, tools: readonly Tool[], why: 'seen' | 'accepted'): void {
		acceptTools(this.#entry(key).pins, tools, this.#parts.limits);
		const unwritten = this.#unwritten.get(key) ?? new Map();
		for (const tool of tools) unwritten.set(nameHash(tool), why);
		this.#unwritten.set(key, unwritten);
		this.#writer.soon();
	}

	/**
	 * Something was lost, and the user has accepted tools: servers that wait for nothing more are as if nothing had been. One that lists its
	 * tools only later still waits: they are no news because others were accepted.
	 */
	#takeAnew(): void {
		for (const { key, screening } of this.#screened.values()) {
			if (screening.held.some(({ why }) => why === 'unknown')) continue;
			this.#servers.set(key, { ...this.#entry(key), isAnew: true });
		}
		const { approved } = this.#parts;
		const keys = approved
			? [...approved()].map(([server, hash]) => launchKey(server, hash))
			: [...this.#screened.values()].map(({ key }) => key);
		if (keys.every((key) => this.#servers.get(key)?.isAnew)) this.#setLost(false);
	}

	#setLost(lost: boolean): void {
		this.#lost = lost;
		for (const [key, { usedAt, pins }] of this.#servers) this.#servers.set(key, { usedAt, pins });
		this.#isOutdated = true;
		this.#lossUnwritten = true;
		this.#writer.soon();
	}

	/** Takes in what other windows have written; whether there was anything. */
	#catchUp(): boolean {
		const news = this.#file.news();
		if (news) this.#adopt(news);
		return news !== undefined;
	}

	/** What is known here and not there is not forgotten: it had no room there, or that is damaged. */
	#adopt({ servers, lost, isDamaged }: AcceptedNews): void {
		this.#isOutdated = true;
		for (const [key, { usedAt, pins, isAnew = false }] of servers) {
			const known = this.#servers.get(key);
			const mine = this.#unwritten.get(key);
			const own = [...(known?.pins ?? [])].filter(
				([name]) => !pins.has(name) || mine?.get(name) === 'accepted',
			);
			this.#servers.set(key, {
				usedAt: Math.max(usedAt, known?.usedAt ?? 0),
				pins: new Map<string, AcceptedTool>([...pins, ...own]),
				isAnew: isAnew || known?.isAnew === true,
			});
		}
		if (isDamaged) this.#setLost(true);
		else if (!this.#lossUnwritten) this.#lost = lost;
	}

	async #write(): Promise<void> {
		const { locked } = await import('../../common/fileLock.ts');
		await locked(this.#file.path, async () => {
			const before = new Map(this.#screened);
			this.#catchUp();
			this.#screenOutdated();
			this.#announceSince(before);
			const [pins, isLossWritten] = [this.#unwritten, this.#lossUnwritten];
			this.#unwritten = new Map();
			this.#lossUnwritten = false;
			try {
				await this.#file.write({ servers: this.#servers, lost: this.#lost }, this.#keptLaunches());
			} catch (error) {
				this.#unwritten = joined(pins, this.#unwritten);
				this.#lossUnwritten ||= isLossWritten;
				throw error;
			}
		});
		this.#parts.onWritten?.();
	}

	/** Tells the launches of which nothing may be forgotten. */
	#keptLaunches(): (key: string) => boolean {
		const { approved } = this.#parts;
		if (!approved) return () => true;
		const keys = new Set([...approved()].map(([server, hash]) => launchKey(server, hash)));
		for (const { key } of this.#screened.values()) keys.add(key);
		return (key) => keys.has(key);
	}

	/** What is pinned for a launch, which counts as used now. */
	#entry(key: string): AcceptedServer {
		const known = this.#servers.get(key);
		const entry = { pins: new Map(), ...known, usedAt: this.#parts.clock.now() };
		this.#servers.set(key, entry);
		return entry;
	}

	/** Tells where other tools are held than with an earlier screening. */
	#announceSince(before: ReadonlyMap<string, Screened>): void {
		const names = new Set([...before.keys(), ...this.#screened.keys()]);
		const isSame = (name: string) =>
			quarantinesSame(before.get(name)?.screening, this.#screened.get(name)?.screening);
		if (![...names].every(isSame)) this.#announce();
	}

	#announce(): void {
		this.#version += 1;
		this.#changed.fire();
	}
}

/** By what the pins of a server with an approval of that hash are found. */
function launchKey(server: string, hash: string): string {
	return sha256(JSON.stringify([server, hash]));
}

/** The later goes before. */
function joined(earlier: Unwritten, later: Unwritten): Unwritten {
	const all = [...earlier, ...later];
	return new Map(
		all.map(([key]) => [key, new Map([...(earlier.get(key) ?? []), ...(later.get(key) ?? [])])]),
	);
}

function isSameListing(a: ServerListing, b: ServerListing): boolean {
	return (
		a.launch === b.launch &&
		a.server.tools === b.server.tools &&
		a.server.instructions === b.server.instructions
	);
}

/** The server without what is held. */
function withoutHeld({ server, screening: { usable, held } }: Screened): CatalogServer {
	if (held.length === 0) return server;
	const { instructions, ...others } = server;
	const own = new Set(server.tools);
	const isKept = usable.some((tool) => tool.name === instructionsName && !own.has(tool));
	return {
		...others,
		...(isKept && instructions !== undefined && { instructions }),
		tools: usable.filter((tool) => own.has(tool)),
		quarantined: held.map((one) => (own.has(one.tool) ? waitingTool(one) : one.tool)),
	};
}
