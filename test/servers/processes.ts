import { readFileSync } from 'node:fs';

/** Whether a process runs. A process that has ended does not, even if its parent has not noticed. */
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
		// `pid (name) state …`. The name may contain anything, so search for the last bracket.
		return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') ?? false;
	} catch {
		return true;
	}
}

/** Process ids, one per line; none if the file does not exist. */
export function readPids(file: string): number[] {
	try {
		return readFileSync(file, 'utf8').trim().split('\n').map(Number);
	} catch {
		return [];
	}
}
