import { readFileSync, statSync } from 'node:fs';
import { fileIdentity, sealed, unsealed, writeAtomically } from '../../common/atomicFile.ts';
import { locked } from '../../common/fileLock.ts';
import { isRecord } from '../../common/json.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { AcceptanceLimits } from '../limits.ts';
import { type AcceptedTool, acceptTools, nameHash } from './definition.ts';

/** Incremented when the format changes. Files of another format cannot be read. */
const fileFormat = 1;

interface Kept {
	/** By the hash of the tool's name. */
	readonly pins: Iterable<readonly [string, AcceptedTool]>;
	readonly isLost: boolean;
}

/** The accepted tools of one launch, in a file that other windows write too. */
export class AcceptedFile {
	readonly #path: string;
	readonly #limits: AcceptanceLimits;
	#pins = new Map<string, AcceptedTool>();
	#isLost = false;
	/** What this window has pinned but not written yet: tools that it saw first, or that the user accepted here. */
	#unwritten = new Map<string, 'seen' | 'accepted'>();
	/** {@link isLost} has changed, which is not written yet. */
	#isLossUnwritten = false;
	/** The state of the file when it was last read or written; `undefined`: it did not exist. */
	#seen: string | undefined;

	/** @param wasWritten the file existed before: if it is missing, it counts as lost rather than new */
	constructor(path: string, limits: AcceptanceLimits, wasWritten: boolean) {
		this.#path = path;
		this.#limits = limits;
		if (!this.catchUp() && wasWritten) this.#setLost(true);
	}

	/** Earlier pins were lost, so it is impossible to tell which tools are new. */
	get isLost(): boolean {
		return this.#isLost;
	}

	/** Nothing has been accepted or lost yet. */
	get isEmpty(): boolean {
		return this.#pins.size === 0 && !this.#isLost;
	}

	/** How many new tools may still be pinned. */
	get room(): number {
		return this.#isLost ? 0 : this.#limits.toolsPerServer - this.#pins.size;
	}

	get isWritten(): boolean {
		return this.#unwritten.size === 0 && !this.#isLossUnwritten;
	}

	pinOf(tool: Tool): AcceptedTool | undefined {
		return this.#pins.get(nameHash(tool));
	}

	pin(tools: readonly Tool[], why: 'seen' | 'accepted'): void {
		acceptTools(this.#pins, tools, this.#limits);
		for (const tool of tools) this.#unwritten.set(nameHash(tool), why);
	}

	/** Everything that the server lists has been accepted, so the loss no longer matters. */
	restore(): void {
		if (this.#isLost) this.#setLost(false);
	}

	/**
	 * Merges what another window has written; returns whether there was anything. An unreadable or missing file counts as lost. Synchronous,
	 * because a tool may count as new only after this; the file is read only if another window has written it.
	 */
	catchUp(): boolean {
		const now = fileIdentity(this.#path);
		if (now === this.#seen) return false;
		this.#seen = now;
		const kept = this.#read();
		if (!kept) this.#setLost(true);
		else {
			const theirs = new Map(kept.pins);
			// Pins that are only known here did not fit there. What the user has accepted wins over what was only seen.
			const own = [...this.#pins].filter(
				([name]) => !theirs.has(name) || this.#unwritten.get(name) === 'accepted',
			);
			this.#pins = new Map([...theirs, ...own]);
			if (!this.#isLossUnwritten) this.#isLost = kept.isLost;
		}
		return true;
	}

	/** Writes the pins. `onNews` is called if another window had written in between. Rejects if the folder cannot be written to. */
	async write(onNews: () => void): Promise<void> {
		await locked(this.#path, async () => {
			if (this.catchUp()) onNews();
			const [unwritten, isLossUnwritten] = [this.#unwritten, this.#isLossUnwritten];
			this.#unwritten = new Map();
			this.#isLossUnwritten = false;
			try {
				const tools = [...this.#pins].map(([name, { hash, text }]) => [name, hash, text]);
				const members = `"lost":${this.#isLost},"tools":${JSON.stringify(tools)}`;
				await writeAtomically(this.#path, sealed(fileFormat, members));
				this.#seen = fileIdentity(this.#path);
			} catch (error) {
				this.#unwritten = new Map([...unwritten, ...this.#unwritten]);
				this.#isLossUnwritten ||= isLossUnwritten;
				throw error;
			}
		});
	}

	#setLost(isLost: boolean): void {
		this.#isLost = isLost;
		this.#isLossUnwritten = true;
	}

	/** A file is used only if all of it is exactly as it was written. */
	#read(): Kept | undefined {
		try {
			const stats = statSync(this.#path);
			// Reading a pipe would block.
			if (!stats.isFile() || stats.size > this.#limits.file) return undefined;
			const kept = unsealed(fileFormat, readFileSync(this.#path, 'utf8'));
			if (!isRecord(kept) || !Array.isArray(kept.tools)) return undefined;
			return { pins: kept.tools.map(parsedTool), isLost: kept.lost !== false };
		} catch {
			return undefined;
		}
	}
}

function parsedTool(value: unknown): readonly [string, AcceptedTool] {
	const [name, hash, text] = Array.isArray(value) ? value : [];
	if (typeof name !== 'string' || typeof hash !== 'string') throw new Error('not an accepted tool');
	return [name, { hash, ...(typeof text === 'string' && { text }) }];
}
