import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** How often a group is looked at while waiting for its end; nothing reports the end of a grandchild. */
const pollMs = 20;
/** A look at every process of the machine takes longer, and is taken ever less often, up to this. */
const lookMs = 100;
/** So many looks in a row find nobody before all counts as gone: whoever forks and ends at once may be missed by one. */
const emptyLooks = 3;
/** Rounds of ending what is left, after which what multiplies faster than it can be ended is let go. */
const endRounds = 50;
/** Processes that are read without a pause: a millisecond's worth. */
const processesAtOnce = 64;
/** So often it is looked who has come while the others were read: who forks and ends at once is one of them. */
const tableRounds = 5;
/** So often the environment of a process is read before it is taken to have no mark: until it runs its program, it has another one. */
const environmentReads = 5;

/**
 * A variable in the environment of every server that names it. What a server starts inherits it, and keeps it where it leaves
 * the server's process group for a session of its own, as browsers and daemons do.
 */
const variable = 'MCP_DISCOVERY_SERVER';

/** The variable for a server of this mark. */
export function markVariable(mark: string): Readonly<Record<string, string>> {
	return { [variable]: mark };
}

/** A server's process. It leads a session and a group of its own on POSIX; Windows, which has neither, ends the tree below it. */
export interface ProcessGroup {
	/** Id of the process. */
	readonly id: number;
	/** See {@link markVariable}. */
	readonly mark: string;
}

/** Waits for the last process of the group itself to end; `false`: some are left after `ms`. */
export async function groupEnds({ id }: ProcessGroup, ms: number): Promise<boolean> {
	const deadline = performance.now() + ms;
	while (isAlive(process.platform === 'win32' ? id : -id)) {
		if (performance.now() >= deadline) return false;
		await delay(pollMs);
	}
	return true;
}

/** What Linux tells of a process. A later one of the same id has another start. */
interface SeenProcess {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	/** In ticks since the machine started. */
	readonly started: number;
}

/**
 * All that a server has started, as far as that can be known: what is in its group or session, what any of it has started, what has gone on
 * in a group or a session that one of it led, and what bears its mark. Who was seen once is known from then on, whoever became its parent,
 * so it is to be looked at now and then. Where processes cannot be looked at, on macOS and Windows, it is the group, or the tree.
 */
export class ProcessFamily {
	readonly group: ProcessGroup;
	/** By id: when each was started. */
	#members = new Map<number, number>();
	/** Groups and sessions of the members when last looked at; their ids are free again only when nobody is left in them. */
	#groups: ReadonlySet<number>;
	#sessions: ReadonlySet<number>;
	/** Looks in a row that have found nobody. */
	#empty = 0;

	constructor(group: ProcessGroup) {
		this.group = group;
		this.#groups = new Set([group.id]);
		this.#sessions = new Set([group.id]);
	}

	/** Looks who belongs to it now; resolves to the ids of those that run. */
	async look(): Promise<readonly number[]> {
		const all = await processTable();
		const members = new Map<number, SeenProcess>();
		const open: SeenProcess[] = all.processes.filter((process) => this.#owns(process));
		for (let next = open.pop(); next; next = open.pop()) {
			if (members.has(next.pid)) continue;
			members.set(next.pid, next);
			open.push(...(all.children.get(next.pid) ?? []));
		}
		this.#empty = members.size === 0 ? this.#empty + 1 : 0;
		// Who was there last is still known: that finds who comes of them.
		if (this.#empty > 0 && this.#empty < emptyLooks) return [];
		this.#members = new Map([...members.values()].map(({ pid, started }) => [pid, started]));
		const own = [...members.values()];
		this.#groups = new Set([this.group.id, ...own.map(({ group }) => group)]);
		this.#sessions = new Set([this.group.id, ...own.map(({ session }) => session)]);
		return own.map(({ pid }) => pid);
	}

	/** Ends all of it: asks first, and after `termMs` insists, until nobody is left. */
	async end(termMs: number): Promise<void> {
		if (process.platform === 'win32') {
			if (isAlive(this.group.id)) await endTree(this.group.id);
			return;
		}
		const deadline = performance.now() + termMs;
		let asked = new Set<number>();
		for (let pause = pollMs; ; pause = Math.min(2 * pause, lookMs)) {
			const left = await this.#left();
			if (left.length === 0) return;
			if (performance.now() >= deadline) break;
			// Each is asked once: some take a second signal for a wish to be gone at once.
			for (const one of left) if (!asked.has(one)) signal(one, 'SIGTERM');
			asked = new Set([...asked, ...left]);
			await delay(pause);
		}
		await this.#kill();
	}

	/** Whom to signal: all that is left, or the group as such, where it is not told who is in it. */
	async #left(): Promise<readonly number[]> {
		const { id } = this.group;
		if ((await processTable()).processes.length === 0) return isAlive(-id) ? [-id] : [];
		for (let look = 1; ; look += 1) {
			const left = await this.look();
			if (left.length > 0 || look >= emptyLooks) return left;
			await delay(pollMs);
		}
	}

	/** What starts one process after the other is stopped first: who is stopped starts nothing while we look for the others. */
	async #kill(): Promise<void> {
		const stopped = new Set<number>();
		for (let round = 0; round < endRounds; round += 1) {
			const fresh = (await this.#left()).filter((one) => !stopped.has(one));
			if (fresh.length === 0) break;
			for (const one of fresh) {
				signal(one, 'SIGSTOP');
				stopped.add(one);
			}
		}
		for (let round = 0; round < endRounds; round += 1) {
			const left = await this.#left();
			if (left.length === 0) return;
			for (const one of left) signal(one, 'SIGKILL');
			await delay(pollMs);
		}
	}

	#owns({ pid, group, session, started, mark }: SeenProcess & { readonly mark: string }): boolean {
		return (
			this.#members.get(pid) === started ||
			this.#groups.has(group) ||
			this.#sessions.has(session) ||
			mark === this.group.mark
		);
	}
}

/** All processes of this user, and who has started whom. */
interface ProcessTable {
	readonly processes: readonly (SeenProcess & { readonly mark: string })[];
	readonly children: ReadonlyMap<number, readonly SeenProcess[]>;
}

let lookingAround: Promise<ProcessTable> | undefined;

/** Families that look around at the same time share one look. Empty where the system does not tell of processes: only Linux does so in files. */
function processTable(): Promise<ProcessTable> {
	lookingAround ??= readTable().finally(() => {
		lookingAround = undefined;
	});
	return lookingAround;
}

/** By id and start: marks that were read, and how often none was found. */
let marks = new Map<string, { readonly mark: string; readonly reads: number }>();

async function readTable(): Promise<ProcessTable> {
	const processes: (SeenProcess & { readonly mark: string })[] = [];
	const seen: typeof marks = new Map();
	const read = new Set<string>();
	for (let round = 0; round < tableRounds; round += 1) {
		const names = process.platform === 'linux' ? readdirSync('/proc') : [];
		const fresh = names.filter((name) => /^\d+$/.test(name) && !read.has(name));
		if (fresh.length === 0) break;
		for (const [i, name] of fresh.entries()) {
			// Read at once, as such files are in memory; but nobody is to wait for all of a large machine's.
			if (i % processesAtOnce === 0) await nextTurn();
			read.add(name);
			const one = readProcess(Number(name));
			// Our own process is passed over: no server owns it, though it bears a server's mark for a moment when it starts one.
			if (!one || one.pid === process.pid) continue;
			const key = `${one.pid} ${one.started}`;
			const before = marks.get(key) ?? { mark: '', reads: 0 };
			const isKnown = before.mark !== '' || before.reads >= environmentReads;
			const now = isKnown ? before : { mark: markOf(one.pid), reads: before.reads + 1 };
			seen.set(key, now);
			processes.push({ ...one, mark: now.mark });
		}
	}
	marks = seen;
	return { processes, children: Map.groupBy(processes, ({ parent }) => parent) };
}

/** Gone meanwhile, or a process that has ended and only waits for its parent to notice: `undefined`. */
function readProcess(pid: number): SeenProcess | undefined {
	const stat = procFile(`${pid}/stat`);
	// `pid (name) state parent group session …`; the name may hold anything, so the last bracket counts.
	const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	if (!state || state === 'Z' || state === 'X') return undefined;
	const [parent = 0, group = 0, session = 0] = fields.map(Number);
	return { pid, parent, group, session, started: Number(fields[18]) };
}

function markOf(pid: number): string {
	const environment = procFile(`${pid}/environ`);
	const start = `\0${environment}`.indexOf(`\0${variable}=`);
	return start === -1 ? '' : (environment.slice(start + variable.length + 1).split('\0', 1)[0] ?? '');
}

/** Empty where the process has gone, or is somebody else's, or does not let itself be looked at. */
function procFile(path: string): string {
	try {
		return readFileSync(`/proc/${path}`, 'latin1');
	} catch {
		return '';
	}
}

/** Windows knows only one way, by force. Resolves when that is done. */
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

/** Sends a signal; to nobody, where nobody is left, which is what was wanted. */
function signal(target: number, name: 'SIGTERM' | 'SIGSTOP' | 'SIGKILL'): void {
	try {
		process.kill(target, name);
	} catch {
		// Gone, or somebody else's.
	}
}

function isAlive(target: number): boolean {
	try {
		process.kill(target, 0);
		return true;
	} catch (error) {
		// EPERM: somebody is there who runs as another user.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
