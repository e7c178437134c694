import type { McpLimits } from '../limits.ts';
import { answeredId } from '../stdio/jsonRpc.ts';

/** What a message counts for, by its size: one for each of these begun, in bytes. */
const bytesPerCount = 4096;
/** Bytes of either end of a message that say whether it is an answer. */
const endsBytes = 512;
/** `{"id":1,"error":0}`; of a flood of less nothing more is asked. */
const shortestAnswer = 18;
const secondMs = 1_000;

export interface FloodGateOptions {
	readonly limits: Pick<McpLimits, 'unaskedPerSecond'>;
	/** Whether we wait for the answer with this id. */
	readonly isAwaited: (id: number) => boolean;
	/** Messages are being dropped; told once a second at most. */
	readonly onFlood: () => void;
	/** In milliseconds, from any beginning. */
	readonly now?: () => number;
}

/**
 * Looks at what a server sends before anything is made of it: parsing and dispatching a message takes a hundred times what it
 * takes to drop it, in time and in memory. Answers that we wait for always pass; of all else a bounded number does each second.
 */
export class FloodGate {
	readonly #options: FloodGateOptions;
	readonly #now: () => number;
	#second = Number.NaN;
	#counted = 0;
	#toldOfFlood = false;

	constructor(options: FloodGateOptions) {
		this.#options = options;
		this.#now = options.now ?? (() => performance.now());
	}

	/** Whether a message may pass; `message` is its bytes or its text, from the opening brace or shortly before it. */
	admits(message: Buffer): boolean {
		this.#beginSecond();
		// One that is larger than all that may come in a second passes as the first.
		if (this.#counted < this.#options.limits.unaskedPerSecond) {
			if (!this.#isAwaited(message)) this.count(message.length);
			return true;
		}
		if (this.#isAwaited(message)) return true;
		if (!this.#toldOfFlood) this.#options.onFlood();
		this.#toldOfFlood = true;
		return false;
	}

	/** Counts what was not even kept, so many bytes of it at least. */
	count(bytes: number): void {
		this.#beginSecond();
		this.#counted += Math.ceil(bytes / bytesPerCount);
	}

	#beginSecond(): void {
		const second = Math.floor(this.#now() / secondMs);
		if (second === this.#second) return;
		this.#second = second;
		this.#counted = 0;
		this.#toldOfFlood = false;
	}

	#isAwaited(message: Buffer): boolean {
		if (message.length < shortestAnswer) return false;
		const head = message.toString('latin1', 0, endsBytes).replace(/^[^{]*/, '');
		const id = answeredId(head, message.toString('latin1', Math.max(0, message.length - endsBytes)));
		return id !== undefined && this.#options.isAwaited(id);
	}
}
