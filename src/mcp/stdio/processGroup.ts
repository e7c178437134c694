import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { markedProcesses } from './serverMark.ts';

/** How often a group is looked at while waiting for its end; nothing reports the end of a grandchild. */
const pollMs = 20;

/**
 * A server's process and all that it started. On POSIX that is the process group that the process leads, and what has left
 * it but bears its mark; on Windows, which has no groups, the tree below the process.
 */
export interface ProcessGroup {
	/** Id of the process. */
	readonly id: number;
	/** See `serverMark.ts`. */
	readonly mark: string;
}

type EndingSignal = 'SIGTERM' | 'SIGKILL';

/** Waits for the last process of the group itself to end; `false`: some are left after `ms`. */
export function groupEnds({ id }: ProcessGroup, ms: number): Promise<boolean> {
	return allEnd(() => isGroupAlive(id), ms);
}

/** Ends a group: asks first, insists after `termMs`. */
export async function endGroup({ id, mark }: ProcessGroup, termMs: number): Promise<void> {
	const strays = await markedProcesses(mark);
	const isLeft = () => isGroupAlive(id) || strays.some(isAlive);
	if (!isLeft()) return;
	signalAll(id, strays, 'SIGTERM');
	if (!(await allEnd(isLeft, termMs))) signalAll(id, await markedProcesses(mark), 'SIGKILL');
}

async function allEnd(isLeft: () => boolean, ms: number): Promise<boolean> {
	const deadline = performance.now() + ms;
	while (isLeft()) {
		if (performance.now() >= deadline) return false;
		await delay(pollMs);
	}
	return true;
}

/** Sends a signal to every process of the group, and to those that have left it. Windows knows only one way, by force. */
function signalAll(id: number, strays: readonly number[], signal: EndingSignal): void {
	if (process.platform === 'win32') {
		spawn('taskkill', ['/pid', String(id), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
			'error',
			() => process.kill(id),
		);
		return;
	}
	for (const target of [-id, ...strays]) {
		try {
			process.kill(target, signal);
		} catch {
			// Nobody is left there, which is what was wanted.
		}
	}
}

/** Whether any process of the group is left. */
function isGroupAlive(id: number): boolean {
	return isAlive(process.platform === 'win32' ? id : -id);
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
