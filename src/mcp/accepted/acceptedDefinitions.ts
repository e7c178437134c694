import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DelayedWriter } from '../../common/atomicFile.ts';
import type { Clock } from '../../common/clock.ts';
import { type Disposable, Emitter } from '../../common/event.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { Prompt } from '../connection/offerTypes.ts';
import type { AcceptanceLimits } from '../limits.ts';
import type { ServerListing } from '../listing/listedTools.ts';
import { AcceptedFile } from './acceptedFile.ts';
import {
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
	/** Which files were written, kept elsewhere: one of those that is not there is a loss. Left out: nobody knows. */
	readonly written?: {
		get(): readonly string[];
		set(files: readonly string[]): void;
	};
}

/** A listing with what came of it. */
interface Screened extends ServerListing {
	readonly file: AcceptedFile;
	readonly screening: Screening;
	/** The server without what is held: the same object as long as both stay. */
	readonly used: CatalogServer;
}

/** A file of what was accepted of one launch. */
const fileName = /^[\w-]{43}\.json$/;

/** What a server's instructions, and its prompts, are called among its tools: they are accepted, held and compared as tools are. */
const instructionsName = '(instructions)';
const promptName = (name: string) => `(prompt) ${name}`;

function promptAsTool(server: string, prompt: Prompt): Tool {
	const { name, arguments: wanted, ...described } = prompt;
	const properties = Object.fromEntries(wanted.map(({ name: one, description }) => [one, { description }]));
	const required = wanted.filter((one) => one.required).map((one) => one.name);
	return { ...described, server, name: promptName(name), inputSchema: { properties, required } };
}

/**
 * Keeps each tool as the user has accepted it, on disk, and holds back those that are not so any more. What a tool was when it was first
 * seen counts as accepted with its server; a tool that a server drops keeps its pin, so that it cannot come back as another one. Each
 * launch has a file of its own. Several windows may share the folder: each joins what it writes to what is there. Where a file is there and
 * cannot be read, every tool of its server waits to be accepted again: else who could spoil the file could have anything accepted.
 */
export class AcceptedDefinitions implements Disposable {
	readonly #parts: AcceptedDefinitionsOptions;
	/** By name. */
	readonly #files = new Map<string, AcceptedFile>();
	readonly #changed = new Emitter<void>();
	/** Other tools are held than before. */
	readonly onDidChange = this.#changed.event;
	/** Prompts by server, as of the last {@link heldPrompts}. */
	readonly #prompts = new Map<string, readonly Tool[]>();
	/** By server, as of the last {@link use}. */
	#screened = new Map<string, Screened>();
	readonly #writer: DelayedWriter;

	constructor(parts: AcceptedDefinitionsOptions) {
		this.#parts = parts;
		this.#writer = new DelayedWriter(() => this.#write(), {
			clock: parts.clock,
			delayMs: parts.limits.writeDelayMs,
			onError: parts.onWriteError,
		});
	}

	/** Servers with the tools that may be used, and beside them those that are held. What was screened before costs nothing. */
	use(listings: readonly ServerListing[]): readonly CatalogServer[] {
		const before = this.#screened;
		this.#screened = new Map(
			listings.map((listing) => {
				const { name } = listing.server;
				const known = before.get(name);
				const isKnown = known?.launch === listing.launch && known.server === listing.server;
				if (!isKnown) return [name, this.#screen(listing)];
				// What is held here may have been accepted in another window.
				const isNews = known.screening.held.length > 0 && known.file.catchUp();
				return [name, isNews ? this.#screen(listing) : known];
			}),
		);
		this.#announceSince(before);
		return [...this.#screened.values()].map(({ used }) => used);
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
		const { file } = screened;
		file.pin(
			held.map(({ tool }) => tool),
			'accepted',
		);
		const now = this.#screen(screened);
		// Something was lost, and nothing waits any more: new tools are new again.
		if (now.screening.held.every(({ why }) => why !== 'unknown')) file.restore();
		this.#screened.set(server, now);
		this.#changed.fire();
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
		const isNews = first.screening.fresh.length > 0 && first.file.catchUp();
		const screened = isNews ? this.#screening(listing) : first;
		screened.file.pin(screened.screening.fresh, 'seen');
		if (!screened.file.isWritten) this.#writer.soon();
		return screened;
	}

	#screening({ launch, server }: ServerListing): Screened {
		const file = this.#fileOf(fileNameOf(server.name, this.#parts.hashOf(launch)));
		const screening = screen(this.#saidBy(server), (tool) => file.pinOf(tool), file.room);
		const known = this.#screened.get(server.name);
		const isSame = known?.server === server && quarantinesSame(known.screening, screening);
		return { launch, server, file, screening, used: isSame ? known.used : withoutHeld(server, screening) };
	}

	#fileOf(name: string): AcceptedFile {
		let file = this.#files.get(name);
		if (!file) {
			const { folder, limits, written } = this.#parts;
			file = new AcceptedFile(join(folder, name), limits, written?.get().includes(name) ?? false);
			this.#files.set(name, file);
		}
		return file;
	}

	/** All that a server says to models: its tools, and its instructions and prompts as further ones. */
	#saidBy({ name: server, tools, instructions }: CatalogServer): readonly Tool[] {
		const prompts = this.#prompts.get(server) ?? [];
		if (instructions === undefined) return [...tools, ...prompts];
		const said = { server, name: instructionsName, description: instructions, inputSchema: {} };
		return [...tools, said, ...prompts];
	}

	async #write(): Promise<void> {
		const { written } = this.#parts;
		const unwritten = [...this.#files].filter(([, file]) => !file.isWritten);
		await Promise.all(unwritten.map(([, file]) => file.write(() => this.#screenAgain(file))));
		const known = new Set(written?.get());
		const added = unwritten.map(([name]) => name).filter((name) => !known.has(name));
		if (added.length > 0) written?.set([...known, ...added]);
		await this.#sweep();
	}

	/** Another window has accepted tools of its launch. */
	#screenAgain(file: AcceptedFile): void {
		const before = new Map(this.#screened);
		for (const [name, screened] of before)
			if (screened.file === file) this.#screened.set(name, this.#screen(screened));
		this.#announceSince(before);
	}

	/** Of launches that are not approved any more, only some are kept: those that were written last. */
	async #sweep(): Promise<void> {
		const { approved, folder, limits, written } = this.#parts;
		if (!approved) return;
		const kept = new Set([...approved()].map(([server, hash]) => fileNameOf(server, hash)));
		const names = (await readdir(folder)).filter((name) => fileName.test(name));
		const others = names.filter((name) => !kept.has(name) && !this.#files.has(name));
		if (others.length <= limits.servers) return;
		const times = await Promise.all(
			others.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
		);
		const old = times.sort((a, b) => b.at - a.at).slice(limits.servers);
		for (const { name } of old) await rm(join(folder, name), { force: true });
		const gone = new Set(old.map(({ name }) => name));
		written?.set(written.get().filter((name) => !gone.has(name)));
	}

	/** Tells where other tools are held than with an earlier screening. */
	#announceSince(before: ReadonlyMap<string, Screened>): void {
		const names = new Set([...before.keys(), ...this.#screened.keys()]);
		const isSame = (name: string) =>
			quarantinesSame(before.get(name)?.screening, this.#screened.get(name)?.screening);
		if (![...names].every(isSame)) this.#changed.fire();
	}
}

/** The file of a server with an approval of that hash. */
function fileNameOf(server: string, hash: string): string {
	return `${sha256(JSON.stringify([server, hash]))}.json`;
}

/** The server without what is held. */
function withoutHeld(server: CatalogServer, { usable, held }: Screening): CatalogServer {
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
