import type { Disposable } from '../../common/event.ts';
import { sentence } from '../../common/text.ts';
import type { McpLimits } from '../limits.ts';
import { ServerError } from '../serverError.ts';

/** Watches over one call: it ends after too long a silence, or after too long a time in all. */
export class CallDeadline implements Disposable {
	readonly #controller = new AbortController();
	readonly #onIdle: () => void;
	readonly #idleMs: number;
	readonly #total: ReturnType<typeof setTimeout>;
	#idle: ReturnType<typeof setTimeout>;

	constructor(server: string, tool: string, limits: Pick<McpLimits, 'callIdleMs' | 'callTotalMs'>) {
		const end = (reason: 'call-idle' | 'call-too-long', what: string) => () =>
			this.#controller.abort(
				new ServerError(
					server,
					reason,
					sentence`Tool "${tool}" of server "${server}" ${what}; the call was ended. Try again, or restart the server.`,
				),
			);
		this.#idleMs = limits.callIdleMs;
		this.#onIdle = end('call-idle', `gave no sign of life for ${limits.callIdleMs / 1000} s`);
		this.#idle = setTimeout(this.#onIdle, this.#idleMs);
		this.#total = setTimeout(
			end('call-too-long', `took longer than ${limits.callTotalMs / 1000} s`),
			limits.callTotalMs,
		);
	}

	/** Aborts with a {@link ServerError} when the time is up. */
	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** The server gave a sign of life. */
	touch(): void {
		clearTimeout(this.#idle);
		this.#idle = setTimeout(this.#onIdle, this.#idleMs);
	}

	dispose(): void {
		clearTimeout(this.#idle);
		clearTimeout(this.#total);
	}
}
