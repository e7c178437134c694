import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { isAlive } from '../../common/processes.ts';

/** How often to check whether a group has ended. Nothing reports the end of a grandchild. */
const pollMs = 20;
/** The pause between two scans grows up to this. */
const maxPollMs = 100;
/** Scans in a row that must find nobody before everything counts as gone. One scan can miss a process that forks and exits at once. */
const emptyLooks = 3;
/** Rounds of killing, after which processes that multiply faster than that are given up. */
const killRounds = 50;
/** How often a scan reads again what has started meanwhile, such as the child of a process that has just ended. */
const readRounds = 5;
/** Time for which processes are read without a pause. How many that are depends on the machine and on what else runs. */
const readMs = 2;

/**
 * A variable in the environment of every server that identifies it. Child processes inherit it, and keep it if they leave the server's
 * process group for their own session, as browsers and daemons do.
 */
const variable = 'MCP_DISCOVERY_SERVER';

export function markVariable(mark: string): Readonly<Record<string, string>> {
	return { [variable]: mark };
}

/**
 * A server's process and everything it has started. On Linux, these are the processes in its group and those with its mark; on macOS, its group;
 * on Windows, its process tree.
 */
export interface ProcessGroup {
	/** Id of the process, which leads the group. */
	readonly id: number;
	/** See {@link markVariable}. */
	readonly mark: string;
}

/** Waits for the group's last process to end; `false`: some are left after `ms`. */
export async function groupEnds({ id }: ProcessGroup, ms: number): Promise<boolean> {
	const deadline = performance.now() + ms;
	while (isAlive(process.platform === 'win32' ? id : -id)) {
		if (performance.now() >= deadline) return false;
		await delay(pollMs);
	}
	return true;
}

/** Ends everything that a server has started: SIGTERM first, SIGKILL after `termMs`, until nobody is left. */
export async function endGroup(group: ProcessGroup, termMs: number): Promise<void> {
	if (process.platform === 'win32') {
		if (isAlive(group.id)) await endTree(group.id);
		return;
	}
	const deadline = performance.now() + termMs;
	const signalled = new Set<number>();
	let pause = pollMs;
	for (let kills = 0; kills < killRounds; ) {
		const remaining = await membersOf(group);
		if (remaining.length === 0) return;
		const isLate = performance.now() >= deadline;
		// SIGTERM once each: some programs take a second one as a demand to exit at once.
		for (const one of remaining)
			if (isLate || !signalled.has(one)) signal(one, isLate ? 'SIGKILL' : 'SIGTERM');
		for (const one of remaining) signalled.add(one);
		if (isLate) kills += 1;
		pause = isLate ? pollMs : Math.min(2 * pause, maxPollMs);
		await delay(pause);
	}
}

/** Whom to signal: all that run, or the group if processes cannot be read. */
async function membersOf({ id, mark }: ProcessGroup): Promise<readonly number[]> {
	if (process.platform !== 'linux') return isAlive(-id) ? [-id] : [];
	for (let look = 1; ; look += 1) {
		const all = await runningProcesses();
		const members = all.filter((one) => one.group === id || one.mark === mark).map(({ pid }) => pid);
		if (members.length > 0 || look >= emptyLooks) return members;
		await delay(pollMs);
	}
}

interface RunningProcess {
	readonly pid: number;
	readonly group: number;
	readonly mark: string;
}

let reading: Promise<readonly RunningProcess[]> | undefined;

/** All processes of this user on Linux, which has them as files. Groups that end at the same time share one scan. */
function runningProcesses(): Promise<readonly RunningProcess[]> {
	reading ??= readProcesses().finally(() => {
		reading = undefined;
	});
	return reading;
}

async function readProcesses(): Promise<readonly RunningProcess[]> {
	const processes: RunningProcess[] = [];
	// Our own process has the mark of a server for a moment while it starts it.
	const read = new Set([String(process.pid)]);
	let pauseAt = 0;
	for (let round = 0; round < readRounds; round += 1) {
		const fresh = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !read.has(name));
		if (fresh.length === 0) break;
		for (const name of fresh) {
			// Synchronous, as these files are in memory, but with pauses on machines with many processes.
			if (performance.now() >= pauseAt) {
				await nextTurn();
				pauseAt = performance.now() + readMs;
			}
			read.add(name);
			const one = readProcess(name);
			if (one) processes.push(one);
		}
	}
	return processes;
}

/** `undefined`: it is gone, or has ended and waits for its parent to notice. */
function readProcess(name: string): RunningProcess | undefined {
	// `pid (name) state parent group …`. The name may contain anything, so the last bracket counts.
	const stat = procFile(`${name}/stat`);
	const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	if (['', 'Z', 'X'].includes(state)) return undefined;
	return { pid: Number(name), group: Number(group), mark: markIn(procFile(`${name}/environ`)) };
}

function markIn(environment: string): string {
	const entry = environment.split('\0').find((one) => one.startsWith(`${variable}=`));
	return entry?.slice(variable.length + 1) ?? '';
}

/** Empty if the process is gone, belongs to somebody else, or cannot be read. */
function procFile(path: string): string {
	try {
		return readFileSync(`/proc/${path}`, 'latin1');
	} catch {
		return '';
	}
}

/** Windows can only end a tree by force. */
function endTree(id: number): Promise<void> {
	return new Promise((resolve) => {
		spawn('taskkill', ['/pid', String(id), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
			.on('error', () => {
				signal(id, 'SIGKILL');
				resolve();
			})
			.on('exit', () => resolve());
	});
}

/** Sends a signal, ignoring processes that are gone. */
function signal(target: number, name: 'SIGTERM' | 'SIGKILL'): void {
	try {
		process.kill(target, name);
	} catch {
		// Gone, or somebody else's.
	}
}
