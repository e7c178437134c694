import * as z from 'zod';
import type { Event } from '../../common/event.ts';
import type { StoredFormat } from '../../common/sealedJson.ts';
import { StoredJson, type StoredJsonParts } from '../../common/storedJson.ts';
import { salvagedList } from '../../common/storedShapes.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { AcceptanceLimits } from '../limits.ts';
import { type AcceptedTool, acceptTools, nameHash } from './definition.ts';

/** The accepted tools of one launch. */
interface StoredPins {
	/** By the hash of the tool's name. */
	readonly pins: ReadonlyMap<string, AcceptedTool>;
	/** Earlier pins were lost, so it is impossible to tell which tools are new. */
	readonly isLost: boolean;
}

const pin = z.tuple([z.string(), z.object({ hash: z.string(), text: z.string().optional() })]);

const shape = z
	.object({ lost: z.boolean().catch(true), tools: z.array(z.unknown()) })
	.transform(({ lost, tools }): StoredPins => {
		const pins = new Map(salvagedList(pin).parse(tools));
		return { pins, isLost: lost || pins.size < tools.length };
	});

function formatOf({ file }: AcceptanceLimits): StoredFormat<StoredPins> {
	return {
		version: 1,
		maxBytes: file,
		shape,
		plain: ({ pins, isLost }) => ({ lost: isLost, tools: [...pins] }),
	};
}

/** What {@link AcceptedFile} needs. */
interface AcceptedFileParts extends Pick<StoredJsonParts<StoredPins>, 'path' | 'clock' | 'onProblem'> {
	readonly limits: AcceptanceLimits;
}

/** The accepted tools of one launch, in a file that other windows write too. */
export class AcceptedFile {
	readonly #stored: StoredJson<StoredPins>;
	readonly #limits: AcceptanceLimits;
	/** Another window has written, which {@link catchUp} has not noticed. */
	readonly onDidChange: Event<void>;

	constructor({ limits, ...parts }: AcceptedFileParts) {
		this.#limits = limits;
		this.#stored = new StoredJson<StoredPins>({
			...parts,
			format: formatOf(limits),
			nothing: { pins: new Map(), isLost: false },
			// Otherwise, half a file would be a way to get anything accepted.
			afterLoss: (known, how) => ({ ...known, isLost: how === 'damaged' || known.pins.size > 0 }),
		});
		this.onDidChange = this.#stored.onDidChange;
		this.onDidChange(() => this.#repair());
		this.catchUp();
	}

	/** Nothing has been accepted or lost yet. */
	get isEmpty(): boolean {
		const { pins, isLost } = this.#stored.value;
		return this.isKnown && pins.size === 0 && !isLost;
	}

	/** Whether it is known what was accepted; otherwise the file cannot be read now. */
	get isKnown(): boolean {
		return this.#stored.isKnown;
	}

	/** How many new tools may still be pinned. */
	get room(): number {
		const { pins, isLost } = this.#stored.value;
		return isLost || !this.isKnown ? 0 : this.#limits.toolsPerServer - pins.size;
	}

	pinOf(tool: Tool): AcceptedTool | undefined {
		return this.#stored.value.pins.get(nameHash(tool));
	}

	/** What the user has accepted replaces other pins; what was only seen does not. */
	pin(tools: readonly Tool[], why: 'seen' | 'accepted'): void {
		if (tools.length === 0) return;
		this.#change(({ pins, isLost }) => {
			const added = tools.filter((tool) => why === 'accepted' || !pins.has(nameHash(tool)));
			const now = new Map(pins);
			acceptTools(now, added, this.#limits);
			return { pins: now, isLost };
		});
	}

	/** Everything that the server lists has been accepted, so the loss no longer matters. */
	restore(): void {
		if (this.#stored.value.isLost) this.#change(({ pins }) => ({ pins, isLost: false }));
	}

	/**
	 * Reads what another window has written; returns whether there was anything. Call it before a tool counts as new.
	 */
	catchUp(): boolean {
		const hasChanged = this.#stored.refresh();
		if (hasChanged) this.#repair();
		return hasChanged;
	}

	load(): Promise<void> {
		return this.#stored.load();
	}

	/** Writes the pins now, rather than soon. Rejects if the file cannot be written. */
	write(): Promise<void> {
		return this.#stored.save();
	}

	dispose(): void {
		this.#stored.dispose();
	}

	/** The pins that are known here go into the new file, in place of a damaged one. */
	#repair(): void {
		const { pins, isLost } = this.#stored.value;
		if (isLost && pins.size > 0) this.#change((latest) => latest);
	}

	#change(change: (latest: StoredPins) => StoredPins): void {
		this.#stored.change(change);
		this.#stored.saveSoon(this.#limits.writeDelayMs);
	}
}
