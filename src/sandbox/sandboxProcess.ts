import { type ChildProcess, fork } from 'node:child_process';
import type { Job } from './job.ts';

/** What waiting for the process came to. */
export type Reply =
	| { readonly kind: 'message'; readonly message: unknown }
	| { readonly kind: 'overdue' }
	/** It ended, mostly for want of memory, or never started. */
	| { readonly kind: 'gone' };

/**
 * The process that `worker.ts` runs in. A thread of our own process would not do: V8 ends the whole process, not the thread, where one
 * allocation goes far beyond the thread's limit (an array that grows, `replace` on a long text).
 */
export class SandboxProcess {
	readonly #child: ChildProcess;
	#settle: ((answer: Reply) => void) | undefined;
	#gone = false;

	/** @param script path of `worker.ts`, or of its bundle */
	constructor(script: string) {
		this.#child = fork(script, {
			// Not the editor's own arguments: its debugger's port is taken.
			execArgv: [],
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
			env: bareEnvironment(),
		});
		const gone = () => {
			this.#gone = true;
			this.#settle?.({ kind: 'gone' });
		};
		this.#child.on('error', gone).on('exit', gone);
		this.#child.on('message', (message) => this.#settle?.({ kind: 'message', message }));
		this.#child.unref();
		this.#child.channel?.unref();
	}

	/** Whether it has ended. */
	get isGone(): boolean {
		return this.#gone;
	}

	/** Waits for its next message; the first says that it is there. */
	answer(withinMs: number): Promise<Reply> {
		if (this.#gone) return Promise.resolve({ kind: 'gone' });
		return new Promise((resolve) => {
			// Not at once: where our own thread was busy, the answer may be waiting to be read.
			const timer = setTimeout(() => setImmediate(() => this.#settle?.({ kind: 'overdue' })), withinMs);
			this.#settle = (answer) => {
				clearTimeout(timer);
				this.#settle = undefined;
				resolve(answer);
			};
		});
	}

	/** Hands a job over; {@link answer} waits for what it came to. */
	send(job: Job): void {
		// That the process is gone is told by its exit.
		this.#child.send(job, () => {});
	}

	kill(): void {
		this.#child.kill('SIGKILL');
	}
}

/** No keys, no proxies, no `NODE_OPTIONS`; Windows starts nothing without `SystemRoot`. */
function bareEnvironment(): NodeJS.ProcessEnv {
	const { SystemRoot } = process.env;
	return { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot !== undefined && { SystemRoot }) };
}
