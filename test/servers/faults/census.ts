import { readdirSync, readFileSync } from 'node:fs';

/** Whether processes can be counted: /proc exists on Linux only. Tests that count them are skipped elsewhere. */
export const canCountProcesses = process.platform === 'linux';

/** A process, told from a later one of the same id by its start. */
export interface CountedProcess {
	readonly pid: number;
	/** In ticks since the machine started. */
	readonly startTime: number;
	readonly parent: number;
	readonly command: string;
}

/**
 * Every process that `mark` was given to in its environment or its arguments, or that has inherited it, however far it has gone from
 * whoever started it: a session of its own, or another parent. Those that have ended do not count, noticed or not.
 */
export function markedProcesses(mark: string): CountedProcess[] {
	return processes().filter(
		({ pid, command }) => command.includes(mark) || readProc(pid, 'environ').includes(mark),
	);
}

/** Every process that this one has started and that runs. */
export function childrenOf(parent: number): CountedProcess[] {
	return processes().filter((process) => process.parent === parent);
}

/** Whether the very same process still runs. */
export function stillRuns({ pid, startTime }: CountedProcess): boolean {
	return read(pid)?.startTime === startTime;
}

function processes(): CountedProcess[] {
	return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []));
}

function read(pid: number): CountedProcess | undefined {
	// `pid (name) state parent … start …`; the name may hold anything, so the last bracket counts.
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
		// Gone, or not ours to look at.
		return '';
	}
}
