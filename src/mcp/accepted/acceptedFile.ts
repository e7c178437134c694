import type { JsonRecord } from '../../common/json.ts';
import { SharedFile } from '../../common/sharedFile.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { AcceptanceLimits } from '../limits.ts';
import { type AcceptedTool, acceptTools, nameHash } from './definition.ts';

/** The accepted tools of one launch, in a file that other windows write too. */
export class AcceptedFile {
	readonly #file: SharedFile;
	readonly #limits: AcceptanceLimits;
	/** By the hash of the tool's name. */
	#pins = new Map<string, AcceptedTool>();
	/** Earlier pins were lost, so it is impossible to tell which tools are new. */
	#isLost = false;
	/** What this window has pinned but not written yet: tools that it saw first, or that the user accepted here. */
	#unwritten = new Map<string, 'seen' | 'accepted'>();
	/** `#isLost` has changed, which is not written yet. */
	#isLossUnwritten = false;

	/** @param wasWritten the file existed before: if it is missing, it counts as lost rather than new */
	constructor(path: string, limits: AcceptanceLimits, wasWritten: boolean) {
		this.#file = new SharedFile(path, limits.file);
		this.#limits = limits;
		if (!this.catchUp() && wasWritten) this.#setLost(true);
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
	 * Merges what another window has written; returns whether there was anything. An unreadable or missing file counts as lost. Call it before a
	 * tool counts as new.
	 */
	catchUp(): boolean {
		const content = this.#file.read();
		if (content === 'unchanged') return false;
		const theirs = content === 'unreadable' ? undefined : pinsIn(content);
		if (content === 'unreadable' || !theirs) this.#setLost(true);
		else {
			// Pins that are only known here did not fit there. What the user has accepted wins over what was only seen.
			const own = [...this.#pins].filter(
				([name]) => !theirs.has(name) || this.#unwritten.get(name) === 'accepted',
			);
			this.#pins = new Map([...theirs, ...own]);
			if (!this.#isLossUnwritten) this.#isLost = content.lost !== false;
		}
		return true;
	}

	/** Writes the pins. `onNews` is called if another window had written in between. Rejects if the folder cannot be written to. */
	async write(onNews: () => void): Promise<void> {
		let before = { unwritten: this.#unwritten, isLossUnwritten: this.#isLossUnwritten };
		try {
			await this.#file.write(() => {
				if (this.catchUp()) onNews();
				before = { unwritten: this.#unwritten, isLossUnwritten: this.#isLossUnwritten };
				this.#unwritten = new Map();
				this.#isLossUnwritten = false;
				const tools = [...this.#pins].map(([name, { hash, text }]) => [name, hash, text]);
				return `"lost":${this.#isLost},"tools":${JSON.stringify(tools)}`;
			});
		} catch (error) {
			this.#unwritten = new Map([...before.unwritten, ...this.#unwritten]);
			this.#isLossUnwritten ||= before.isLossUnwritten;
			throw error;
		}
	}

	#setLost(isLost: boolean): void {
		this.#isLost = isLost;
		this.#isLossUnwritten = true;
	}
}

/** The accepted tools in a file, by the hash of their names; `undefined`: it has another shape. */
function pinsIn({ tools }: JsonRecord): ReadonlyMap<string, AcceptedTool> | undefined {
	if (!Array.isArray(tools)) return undefined;
	const pins = new Map<string, AcceptedTool>();
	for (const tool of tools) {
		const [name, hash, text] = Array.isArray(tool) ? tool : [];
		if (typeof name !== 'string' || typeof hash !== 'string') return undefined;
		pins.set(name, { hash, ...(typeof text === 'string' && { text }) });
	}
	return pins;
}
