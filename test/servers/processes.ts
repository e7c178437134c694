import { readFileSync } from 'node:fs';

/** Whether a process runs; one that has ended and only waits for its parent to notice does not. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid: number): boolean {
	try {
		// `pid (name) state …`; the name may hold anything, so the last bracket counts.
		return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') ?? false;
	} catch {
		return true;
	}
}

/** Process ids, one a line; none while the file does not exist. */
export function readPids(file: string): number[] {
	try {
		return readFileSync(file, 'utf8').trim().split('\n').map(Number);
	} catch {
		return [];
	}
}
