import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../common/clock.ts';
import { sha256 } from '../../common/digest.ts';
import { type Disposable, Emitter } from '../../common/event.ts';
import { besideName } from '../../common/storedFile.ts';
import { watchFolder } from '../../common/watchFolder.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { AcceptanceLimits } from '../limits.ts';
import type { ServerListing } from '../listing/listedTools.ts';
import { AcceptedFile } from './acceptedFile.ts';
import {
	type AcceptedTool,
	definitionHash,
	definitionText,
	type QuarantinedTool,
	type Screening,
	screen,
	waitingTool,
} from './definition.ts';

export interface AcceptedDefinitionsOptions {
	/** A folder in the extension's own storage, so that no repository can bring approvals along. */
	readonly folder: string;
	readonly clock: Clock;
	readonly limits: AcceptanceLimits;
	/** Identifies what an approval is for. With another hash the user approves the server again, and its tools are pinned from scratch. */
	readonly hashOf: (launch: ServerLaunch, server: string) => string;
	/** What was accepted could not be read or written. */
	readonly onProblem: (problem: unknown) => void;
	/**
	 * Servers with a valid approval, and the hash it was given for. Nothing about them is deleted. Absent, or `undefined`: it is not known which they
	 * are, so nothing about any server is.
	 */
	readonly approved?: () => Iterable<readonly [server: string, hash: string]> | undefined;
}

interface Screened extends ServerListing {
	readonly file: AcceptedFile;
	readonly screening: Screening;
	/** The server without quarantined tools. The same object until either changes. */
	readonly usableServer: CatalogServer;
}

const fileName = /^[\w-]{43}\.json$/;

/** The name under which what a server says about itself is accepted and compared, as if it were a tool. */
const introductionName = '(introduction)';

/**
 * Keeps each tool as the user accepted it, on disk, and quarantines tools that have changed. Approving a server accepts its tools as they
 * are first listed. A tool that the server drops keeps its pin, so that it cannot come back as something else. Each launch has its own
 * file. Windows share the folder: before writing, each merges what others have written. If a file is damaged, all tools of its server
 * have to be accepted again: otherwise, damaging the file would be a way to get anything accepted.
 */
export class AcceptedDefinitions implements Disposable {
	readonly #parts: AcceptedDefinitionsOptions;
	/** By file name. */
	readonly #files = new Map<string, AcceptedFile>();
	readonly #changed = new Emitter<void>();
	/** Which tools are quarantined has changed. */
	readonly onDidChange = this.#changed.event;
	/** By server, as of the last {@link use}. */
	#screened = new Map<string, Screened>();
	/** Deletes old files once per window. */
	readonly #sweeping: Promise<void>;
	/** For what other windows write. */
	#watching: Disposable | undefined;

	constructor(parts: AcceptedDefinitionsOptions) {
		this.#parts = parts;
		this.#sweeping = this.#sweep().catch(parts.onProblem);
	}

	/** The servers with the tools that may be used; quarantined tools are listed beside them. Repeating a screening costs nothing. */
	use(listings: readonly ServerListing[]): readonly CatalogServer[] {
		this.#update(
			listings.map((listing) => {
				const { name } = listing.server;
				const known = this.#screened.get(name);
				const isKnown = known?.launch === listing.launch && known.server === listing.server;
				return isKnown && known.screening.quarantined.length === 0 ? known : this.#screen(listing);
			}),
		);
		return [...this.#screened.values()].map(({ usableServer }) => usableServer);
	}

	/** Quarantined tools by server; servers without any are absent. */
	get quarantined(): ReadonlyMap<string, readonly QuarantinedTool[]> {
		return new Map(
			[...this.#screened]
				.filter(([, { screening }]) => screening.quarantined.length > 0)
				.map(([name, { screening }]) => [name, screening.quarantined]),
		);
	}

	isQuarantined(server: string, tool: string): boolean {
		return this.#screened.get(server)?.screening.quarantined.some((one) => one.tool.name === tool) ?? false;
	}

	/**
	 * Accepts quarantined tools as they are in `tools`, which is what the user has seen. A tool that has changed again stays quarantined.
	 */
	accept(server: string, quarantined: readonly QuarantinedTool[]): void {
		const screened = this.#screened.get(server);
		if (!screened || quarantined.length === 0) return;
		const { file } = screened;
		file.pin(
			quarantined.map(({ tool }) => tool),
			'accepted',
		);
		this.#rescreen((one) => one === screened);
		// The file was lost, but everything is accepted again: from now on, new tools are really new.
		const left = this.quarantined.get(server) ?? [];
		if (left.every(({ why }) => why === 'changed')) file.restore();
	}

	/** Reads what other windows have written, in case the file system has not reported it. */
	load(): void {
		for (const file of this.#files.values()) void file.load();
	}

	/** Writes pending changes. Rejects if the folder cannot be written to. */
	async flush(): Promise<void> {
		await this.#sweeping;
		const outcomes = await Promise.allSettled([...this.#files.values()].map((file) => file.write()));
		for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
	}

	dispose(): void {
		this.#watching?.dispose();
		for (const file of this.#files.values()) file.dispose();
		this.#changed.dispose();
	}

	#screen(listing: ServerListing): Screened {
		const first = this.#screening(listing);
		const { fresh, quarantined } = first.screening;
		// Another window may have accepted these tools already.
		const hasNewPins = fresh.length + quarantined.length > 0 && first.file.catchUp();
		const screened = hasNewPins ? this.#screening(listing) : first;
		screened.file.pin(screened.screening.fresh, 'seen');
		return screened;
	}

	#screening({ launch, server }: ServerListing): Screened {
		const file = this.#fileOf(fileNameOf(server.name, this.#parts.hashOf(launch, server.name)));
		const introduction = introductionOf(server);
		const screenedTools = introduction ? [...server.tools, introduction] : server.tools;
		const screening = screen(
			screenedTools,
			(tool) => file.pinOf(tool) ?? emptyIntroduction(server, tool, file),
			file,
		);
		const known = this.#screened.get(server.name);
		const screened = { launch, server, file, screening };
		const isSame = known?.server === server && signature([known]) === signature([screened]);
		return { ...screened, usableServer: isSame ? known.usableServer : withoutQuarantined(server, screening) };
	}

	#fileOf(name: string): AcceptedFile {
		const known = this.#files.get(name);
		if (known) return known;
		const { folder, limits, clock, onProblem } = this.#parts;
		const file = new AcceptedFile({ path: join(folder, name), limits, clock, onProblem });
		file.onDidChange(() => this.#rescreen((screened) => screened.file === file));
		this.#watching ??= watchFolder(folder, () => this.load());
		this.#files.set(name, file);
		return file;
	}

	#rescreen(concerns: (screened: Screened) => boolean): void {
		this.#update([...this.#screened.values()].map((one) => (concerns(one) ? this.#screen(one) : one)));
	}

	#update(screened: readonly Screened[]): void {
		const previousSignature = signature(this.#screened.values());
		this.#screened = new Map(screened.map((one) => [one.server.name, one]));
		if (signature(screened) !== previousSignature) this.#changed.fire();
	}

	/** Deletes the files of launches that are no longer approved, except for the latest ones. */
	async #sweep(): Promise<void> {
		const { folder, limits } = this.#parts;
		const approved = this.#parts.approved?.();
		if (!approved) return;
		const kept = new Set([...approved].map(([server, hash]) => fileNameOf(server, hash)));
		// Before the first server is approved, there is no folder.
		const names = (await readdir(folder).catch(() => [])).filter((name) => fileName.test(name));
		const others = names.filter((name) => !kept.has(name) && !this.#files.has(name));
		if (others.length <= limits.servers) return;
		const times = await Promise.all(
			others.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
		);
		const old = times.sort((a, b) => b.at - a.at).slice(limits.servers);
		for (const { name } of old)
			for (const file of [name, besideName(name)]) await rm(join(folder, file), { force: true });
	}
}

/** Differs if other tools are quarantined. */
function signature(all: Iterable<Pick<Screened, 'server' | 'screening'>>): string {
	return JSON.stringify(
		[...all].flatMap(({ server, screening }) =>
			screening.quarantined.map(({ tool, why }) => [server.name, tool.name, why, definitionHash(tool)]),
		),
	);
}

/** Title, description and instructions of a server, as a tool; `undefined`: it says nothing about itself. */
function introductionOf({ name: server, title, description, instructions }: CatalogServer): Tool | undefined {
	const texts = [description, instructions].filter((text) => text !== undefined);
	if (title === undefined && texts.length === 0) return undefined;
	const described = { ...(title !== undefined && { title }), description: texts.join('\n\n') };
	return { server, name: introductionName, ...described, inputSchema: {} };
}

/** A server that begins to introduce itself after its tools were accepted: what was accepted then is that it says nothing. */
function emptyIntroduction(server: CatalogServer, tool: Tool, file: AcceptedFile): AcceptedTool | undefined {
	if (!file.isKnown || file.isEmpty || tool.name !== introductionName || server.tools.includes(tool))
		return undefined;
	const { title: _, ...untitled } = tool;
	const text = definitionText({ ...untitled, description: '' });
	return { hash: sha256(text), text };
}

function fileNameOf(server: string, hash: string): string {
	return `${sha256(JSON.stringify([server, hash]))}.json`;
}

function withoutQuarantined(server: CatalogServer, { usable, quarantined }: Screening): CatalogServer {
	if (quarantined.length === 0) return server;
	const { title, description, instructions, ...others } = server;
	const own = new Set(server.tools);
	const isIntroduced = usable.some((tool) => tool.name === introductionName && !own.has(tool));
	return {
		...(isIntroduced ? server : others),
		tools: usable.filter((tool) => own.has(tool)),
		quarantined: quarantined.map((one) => (own.has(one.tool) ? waitingTool(one) : one.tool)),
	};
}
