import { type ChildProcess, spawn } from 'node:child_process';
import type { Disposable } from '../../common/event.ts';
import type { ProcessGroup } from './processGroup.ts';

/** A reaper that lived shorter than this is restarted only after this time: it may be unable to start at all. */
const restartMs = 1_000;

/**
 * Makes sure that no process group outlives us, even if we are killed. Our end of the reaper (see `reaper.ts`): one process for all servers,
 * started with the first one.
 */
export class ProcessReaper implements Disposable {
	readonly #script: string;
	readonly #groups = new Map<number, ProcessGroup>();
	#process: ChildProcess | undefined;
	#disposed = false;
	#restart: NodeJS.Timeout | undefined;

	/** @param script path of `reaper.ts`, or of its bundle */
	constructor(script: string) {
		this.#script = script;
	}

	track(group: ProcessGroup): void {
		this.#groups.set(group.id, group);
		if (this.#process) this.#tell(started(group));
		else if (!this.#disposed) this.#start();
	}

	forget({ id }: ProcessGroup): void {
		this.#groups.delete(id);
		this.#tell(`-${id}\n`);
	}

	dispose(): void {
		this.#disposed = true;
		clearTimeout(this.#restart);
		this.#process?.stdin?.end();
		this.#process = undefined;
	}

	#start(): void {
		// Detached: what ends our group, such as Ctrl-C in a terminal, must not end the reaper before it has worked.
		const { PATH, SYSTEMROOT } = process.env;
		const reaper = spawn(process.execPath, [this.#script], {
			detached: true,
			windowsHide: true,
			stdio: ['pipe', 'ignore', 'ignore'],
			env: { PATH, SYSTEMROOT, ELECTRON_RUN_AS_NODE: '1' },
		});
		const startedAt = performance.now();
		// If somebody kills the reaper, servers could outlive us: restart it.
		const gone = () => {
			if (this.#process !== reaper) return;
			this.#process = undefined;
			if (this.#disposed || this.#groups.size === 0) return;
			clearTimeout(this.#restart);
			const wait = performance.now() - startedAt < restartMs ? restartMs : 0;
			this.#restart = setTimeout(() => this.#process ?? this.#start(), wait).unref();
		};
		reaper.on('error', gone).on('exit', gone);
		reaper.stdin.on('error', gone);
		reaper.unref();
		if ('unref' in reaper.stdin && typeof reaper.stdin.unref === 'function') reaper.stdin.unref();
		this.#process = reaper;
		this.#tell([...this.#groups.values()].map(started).join(''));
	}

	#tell(lines: string): void {
		this.#process?.stdin?.write(lines);
	}
}

function started({ id, mark }: ProcessGroup): string {
	return `+${id} ${mark}\n`;
}
