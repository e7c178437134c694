import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { isAlive } from '../../common/processes.ts';

/** How often to check whether a group has ended. Nothing reports the end of a grandchild. */
const pollMs = 20;
/** Scanning all processes of the machine takes longer. The pause grows up to this. */
const lookMs = 100;
/** Scans in a row that must find nobody before everything counts as gone. One scan can miss a process that forks and exits at once. */
const emptyLooks = 3;
/** Rounds of killing, after which processes that multiply faster than that are given up. */
const endRounds = 50;
/** Time for which processes are read without a pause. How many that are depends on the machine and on what else runs. */
const readMs = 2;
/** Rounds of reading new processes that appeared during the scan, such as forks of a process that exits at once. */
const tableRounds = 5;

/**
 * A variable in the environment of every server that identifies it. Child processes inherit it, and keep it if they leave the server's
 * process group for their own session, as browsers and daemons do.
 */
const variable = 'MCP_DISCOVERY_SERVER';

export function markVariable(mark: string): Readonly<Record<string, string>> {
	return { [variable]: mark };
}

/** A server's process. On POSIX it leads its own session and group. Windows has neither; there, the process tree is ended. */
export interface ProcessGroup {
	/** Id of the process. */
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

/** A process as Linux describes it. Another process with the same id has another start time. */
interface SeenProcess {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	/** In ticks since the machine started. */
	readonly started: number;
	readonly mark: string;
}

/**
 * Everything a server has started, as far as that can be known: the members of its group and session, their descendants, other groups and
 * sessions that a member led, and processes with its mark. A process that was seen once stays known even if its parent changes, so scan now
 * and then. On macOS and Windows, where processes cannot be scanned, it is the group or the tree.
 */
export class ProcessFamily {
	readonly group: ProcessGroup;
	/** By id. The last ones seen are kept: they lead to their descendants. */
	#members: ReadonlyMap<number, SeenProcess> = new Map();
	/** The members' groups and sessions. Their ids are not reused while somebody is in them. */
	#groups: ReadonlySet<number>;

	constructor(group: ProcessGroup) {
		this.group = group;
		this.#groups = new Set([group.id]);
	}

	/** Scans for members; resolves to the ids of those that run. */
	async look(): Promise<readonly number[]> {
		const all = await runningProcesses();
		const children = Map.groupBy(all, ({ parent }) => parent);
		const members = new Set(all.filter((process) => this.#owns(process)));
		// The loop reaches what it adds.
		for (const { pid } of members) for (const child of children.get(pid) ?? []) members.add(child);
		if (members.size === 0) return [];
		const own = [...members];
		this.#members = new Map(own.map((member) => [member.pid, member]));
		this.#groups = new Set([this.group.id, ...own.flatMap(({ group, session }) => [group, session])]);
		return [...this.#members.keys()];
	}

	/** Ends all members: SIGTERM first, SIGKILL after `termMs`, until nobody is left. */
	async end(termMs: number): Promise<void> {
		if (process.platform === 'win32') {
			if (isAlive(this.group.id)) await endTree(this.group.id);
			return;
		}
		const deadline = performance.now() + termMs;
		const asked = new Set<number>();
		for (let pause = pollMs; performance.now() < deadline; pause = Math.min(2 * pause, lookMs)) {
			const left = await this.#left();
			if (left.length === 0) return;
			// Signal each once: some programs take a second SIGTERM as a demand to exit at once.
			for (const one of left) if (!asked.has(one)) signal(one, 'SIGTERM');
			for (const one of left) asked.add(one);
			await delay(pause);
		}
		await this.#kill();
	}

	/** Stops processes before killing them: a stopped process cannot fork while we look for the others, and still leads to its children. */
	async #kill(): Promise<void> {
		const stopped = new Set<number>();
		for (let round = 0; round < endRounds; round += 1) {
			const fresh = (await this.#left()).filter((one) => !stopped.has(one));
			if (fresh.length === 0) break;
			for (const one of fresh) signal(one, 'SIGSTOP');
			for (const one of fresh) stopped.add(one);
		}
		for (let round = 0; round < endRounds; round += 1) {
			const left = await this.#left();
			if (left.length === 0) return;
			for (const one of left) signal(one, 'SIGKILL');
			await delay(pollMs);
		}
	}

	/** Whom to signal: all remaining members, or the group if its members are unknown. */
	async #left(): Promise<readonly number[]> {
		const { id } = this.group;
		if (process.platform !== 'linux') return isAlive(-id) ? [-id] : [];
		for (let look = 1; ; look += 1) {
			const left = await this.look();
			if (left.length > 0 || look >= emptyLooks) return left;
			await delay(pollMs);
		}
	}

	#owns({ pid, group, session, started, mark }: SeenProcess): boolean {
		return (
			this.#members.get(pid)?.started === started ||
			this.#groups.has(group) ||
			this.#groups.has(session) ||
			mark === this.group.mark
		);
	}
}

let lookingAround: Promise<readonly SeenProcess[]> | undefined;

/** All processes of this user. Families that scan at the same time share one scan. Empty except on Linux, which has processes as files. */
function runningProcesses(): Promise<readonly SeenProcess[]> {
	lookingAround ??= readProcesses().finally(() => {
		lookingAround = undefined;
	});
	return lookingAround;
}

async function readProcesses(): Promise<readonly SeenProcess[]> {
	const processes: SeenProcess[] = [];
	const read = new Set<string>();
	let pauseAt = 0;
	for (let round = 0; round < tableRounds; round += 1) {
		const names = process.platform === 'linux' ? readdirSync('/proc') : [];
		const fresh = names.filter((name) => /^\d+$/.test(name) && !read.has(name));
		if (fresh.length === 0) break;
		for (const name of fresh) {
			// Synchronous, as these files are in memory, but with pauses on machines with many processes.
			if (performance.now() >= pauseAt) {
				await nextTurn();
				pauseAt = performance.now() + readMs;
			}
			read.add(name);
			const one = readProcess(Number(name));
			// Skip our own process: while it starts a server, it has the server's mark for a moment.
			if (one && one.pid !== process.pid) processes.push(one);
		}
	}
	return processes;
}

/** `undefined`: it is gone, or has ended and waits for its parent to notice. */
function readProcess(pid: number): SeenProcess | undefined {
	const stat = procFile(`${pid}/stat`);
	// `pid (name) state parent group session …`. The name may contain anything, so the last bracket counts.
	const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	if (!state || state === 'Z' || state === 'X') return undefined;
	const [parent = 0, group = 0, session = 0] = fields.map(Number);
	return { pid, parent, group, session, started: Number(fields[18]), mark: markOf(pid) };
}

function markOf(pid: number): string {
	const environment = procFile(`${pid}/environ`);
	const start = `\0${environment}`.indexOf(`\0${variable}=`);
	return start === -1 ? '' : (environment.slice(start + variable.length + 1).split('\0', 1)[0] ?? '');
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
function signal(target: number, name: 'SIGTERM' | 'SIGSTOP' | 'SIGKILL'): void {
	try {
		process.kill(target, name);
	} catch {
		// Gone, or somebody else's.
	}
}
