import { abortable } from '../common/cancellation.ts';
import type { Clock } from '../common/clock.ts';
import type { StdioLaunch } from '../config/servers/launch.ts';
import type { McpLimits } from './limits.ts';
import type { ServerError, ServerErrorReason } from './serverError.ts';

/**
 * Limits how many servers start at the same time. A slot is released after `holdMs` at the latest, so that a hanging server blocks nobody.
 */
export class StartSlots {
	readonly #clock: Clock;
	readonly #holdMs: number;
	readonly #waiting: (() => void)[] = [];
	#free: number;

	constructor(clock: Clock, limits: { readonly concurrentStarts: number; readonly startSlotMs: number }) {
		this.#clock = clock;
		this.#free = limits.concurrentStarts;
		this.#holdMs = limits.startSlotMs;
	}

	/** Resolves with a function that releases the slot (calling it again is harmless). Rejects with the signal's reason. */
	async acquire(signal: AbortSignal): Promise<() => void> {
		signal.throwIfAborted();
		if (this.#free > 0) {
			this.#free -= 1;
		} else {
			const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
			try {
				await abortable(turn, signal);
			} catch (error) {
				// Its turn will still come: pass it on.
				void turn.then(() => this.#release());
				throw error;
			}
		}
		let isHeld = true;
		const release = () => {
			if (!isHeld) return;
			isHeld = false;
			timer.dispose();
			this.#release();
		};
		const timer = this.#clock.after(this.#holdMs, release);
		return release;
	}

	#release(): void {
		const next = this.#waiting.shift();
		if (next) next();
		else this.#free += 1;
	}
}

/** Commands that install what they run, anywhere in a command line, because Windows may need `cmd /c` before them. */
const installers =
	/(^|[\s/\\])(npx|npm|pnpm|pnpx|yarn|bunx?|deno|uvx?|pipx?|docker|podman|nix)(\.(exe|cmd))?(?=\s|$)/;

/** Whether the first start of a process probably installs it. */
export function installsItself({ command, args }: Pick<StdioLaunch, 'command' | 'args'>): boolean {
	return installers.test([command, ...args].join(' '));
}

/** Reasons that a restart cannot fix. */
const permanentReasons: ReadonlySet<ServerErrorReason> = new Set([
	'command-not-found',
	'not-executable',
	'folder-missing',
	'spawn-failed',
	'never-answered',
	'unauthorized',
	'signed-out',
	'more-rights',
]);

/**
 * The wait before a server that failed to start or was lost is restarted, in milliseconds; `undefined`: the user has to restart it.
 *
 * @param failures in a row, 1 after the first
 */
export function restartDelay(
	{ reason, details }: Pick<ServerError, 'reason' | 'details'>,
	failures: number,
	limits: Pick<McpLimits, 'restartDelaysMs' | 'maxRetryAfterMs'>,
): number | undefined {
	const delay = limits.restartDelaysMs[failures - 1];
	if (delay === undefined || permanentReasons.has(reason)) return undefined;
	return Math.max(delay, Math.min(details.retryAfterMs ?? 0, limits.maxRetryAfterMs));
}
