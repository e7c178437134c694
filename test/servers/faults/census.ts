import { readdirSync, readFileSync } from 'node:fs';

/** Whether processes can be counted: only Linux has /proc. Tests that count them are skipped elsewhere. */
export const canCountProcesses = process.platform === 'linux';

/** A process. Its start time distinguishes it from a later process with the same id. */
export interface CountedProcess {
	readonly pid: number;
	/** In ticks since the machine started. */
	readonly startTime: number;
	readonly parent: number;
	readonly command: string;
}

/**
 * Every running process that received `mark` in its environment, or inherited it, even in another session or with another parent. Processes
 * that have ended do not count, whether or not their parent has noticed.
 */
export function markedProcesses(mark: string): CountedProcess[] {
	return processes().filter(({ pid }) => readProc(pid, 'environ').includes(mark));
}

/** Every running child of a process. */
export function childrenOf(parent: number): CountedProcess[] {
	return processes().filter((process) => process.parent === parent);
}

/** Whether exactly this process still runs. */
export function stillRuns({ pid, startTime }: CountedProcess): boolean {
	return read(pid)?.startTime === startTime;
}

function processes(): CountedProcess[] {
	return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []));
}

function read(pid: number): CountedProcess | undefined {
	// `pid (name) state parent … start …`. The name may contain anything, so search for the last bracket.
	const fields = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
	const [state, parent] = fields;
	if (!state || state === 'Z' || state === 'X') return undefined;
	const command = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
	return { pid, startTime: Number(fields[19]), parent: Number(parent), command };
}

function readProc(pid: number, file: 'stat' | 'cmdline' | 'environ'): string {
	try {
		return readFileSync(`/proc/${pid}/${file}`, 'utf8');
	} catch {
		// It has ended, or we may not read it.
		return '';
	}
}
