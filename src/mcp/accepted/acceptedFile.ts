import { readFileSync, statSync } from 'node:fs';
import { fileIdentity, sealed, unsealed, writeAtomically } from '../../common/atomicFile.ts';
import { locked } from '../../common/fileLock.ts';
import { isRecord } from '../../common/json.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { AcceptanceLimits } from '../limits.ts';
import { type AcceptedTool, acceptTools, nameHash } from './definition.ts';

/** Grows when the shape of the file changes; a file of another format cannot be read. */
const fileFormat = 1;

interface Kept {
	/** By the hash of the tool's name. */
	readonly pins: Iterable<readonly [string, AcceptedTool]>;
	readonly isLost: boolean;
}

/** What was accepted of the tools of one launch: a file, which other windows may write as well. */
export class AcceptedFile {
	readonly #path: string;
	readonly #limits: AcceptanceLimits;
	#pins = new Map<string, AcceptedTool>();
	#isLost = false;
	/** What this window has pinned and not written yet: tools that it has seen first, or that the user has accepted in it. */
	#unwritten = new Map<string, 'seen' | 'accepted'>();
	/** {@link isLost} has become something else here, which is not written yet. */
	#isLossUnwritten = false;
	/** Tells which file was read or written last; `undefined`: none was there. */
	#seen: string | undefined;

	/** @param wasWritten the file was there once: if it is not there any more, that is a loss, and no beginning */
	constructor(path: string, limits: AcceptanceLimits, wasWritten: boolean) {
		this.#path = path;
		this.#limits = limits;
		if (!this.catchUp() && wasWritten) this.#setLost(true);
	}

	/** Something was accepted that is not known any more, so that nothing can be told to be new. */
	get isLost(): boolean {
		return this.#isLost;
	}

	/** How many new tools may be pinned. */
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

	/** All that the server lists was accepted: it is as if nothing had been lost. */
	restore(): void {
		if (this.#isLost) this.#setLost(false);
	}

	/**
	 * Takes in what another window has written; whether there was anything. A file that cannot be read, or has gone, is a loss. Not
	 * asynchronous: before a tool counts as new it has to be known what others have accepted, and there is a file to be read only where
	 * another window has written.
	 */
	catchUp(): boolean {
		const now = fileIdentity(this.#path);
		if (now === this.#seen) return false;
		this.#seen = now;
		const kept = this.#read();
		if (!kept) this.#setLost(true);
		else {
			const theirs = new Map(kept.pins);
			// What is known here and not there had no room there. What the user has accepted goes before what was only seen.
			const own = [...this.#pins].filter(
				([name]) => !theirs.has(name) || this.#unwritten.get(name) === 'accepted',
			);
			this.#pins = new Map([...theirs, ...own]);
			if (!this.#isLossUnwritten) this.#isLost = kept.isLost;
		}
		return true;
	}

	/** Writes what is accepted; `onNews`: another window had written meanwhile. Rejects if the folder cannot be written to. */
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

	/** Nothing of a file is believed that is not all as it was written. */
	#read(): Kept | undefined {
		try {
			const stats = statSync(this.#path);
			// A pipe would be waited for.
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
