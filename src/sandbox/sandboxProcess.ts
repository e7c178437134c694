import { type ChildProcess, fork } from 'node:child_process';
import type { Job } from './job.ts';

/** The outcome of waiting for the process. */
export type ProcessReply =
	| { readonly kind: 'message'; readonly message: unknown }
	| { readonly kind: 'overdue' }
	/** It ended, usually out of memory, or never started. */
	| { readonly kind: 'gone' };

/**
 * The process in which `worker.ts` runs. A thread would not do: V8 ends the whole process if one allocation goes far beyond the thread's
 * limit (an array that grows, `replace` on a long text).
 */
export class SandboxProcess {
	readonly #child: ChildProcess;
	#settle: ((answer: ProcessReply) => void) | undefined;
	/** Whether it has ended. */
	isGone = false;

	/** @param script path of `worker.ts`, or of its bundle */
	constructor(script: string) {
		this.#child = fork(script, {
			// Not the editor's own arguments: its debugger port is taken.
			execArgv: [],
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
			env: bareEnvironment(),
		});
		const onGone = () => {
			this.isGone = true;
			this.#settle?.({ kind: 'gone' });
		};
		this.#child.on('error', onGone).on('exit', onGone);
		this.#child.on('message', (message) => this.#settle?.({ kind: 'message', message }));
		this.#child.unref();
		this.#child.channel?.unref();
	}

	/** Waits for its next message; the first one says that it has started. */
	answer(withinMs: number): Promise<ProcessReply> {
		if (this.isGone) return Promise.resolve({ kind: 'gone' });
		return new Promise((resolve) => {
			// Not at once: if our own thread was busy, the answer may be waiting to be read.
			const timer = setTimeout(() => setImmediate(() => this.#settle?.({ kind: 'overdue' })), withinMs);
			this.#settle = (answer) => {
				clearTimeout(timer);
				this.#settle = undefined;
				resolve(answer);
			};
		});
	}

	/** Sends a job; {@link answer} waits for its outcome. */
	send(job: Job): void {
		// If the process is gone, its exit says so.
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
