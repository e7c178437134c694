import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** How often a group is looked at while waiting for its end; nothing reports the end of a grandchild. */
const pollMs = 20;

/**
 * A server's process and all that it started, named by the id of the process. On POSIX it is the process group that
 * the process leads; on Windows, which has none, the tree below the process.
 */
export type ProcessGroup = number;

/** Sends a signal to every process of the group. Windows knows only one way, by force. */
export function signalGroup(group: ProcessGroup, signal: 'SIGTERM' | 'SIGKILL'): void {
	if (process.platform === 'win32') {
		spawn('taskkill', ['/pid', String(group), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
			'error',
			() => process.kill(group),
		);
		return;
	}
	try {
		process.kill(-group, signal);
	} catch {
		// Nobody is left, which is what was wanted.
	}
}

/** Whether any process of the group is left. */
export function isGroupAlive(group: ProcessGroup): boolean {
	try {
		process.kill(process.platform === 'win32' ? group : -group, 0);
		return true;
	} catch (error) {
		// EPERM: somebody is there who runs as another user.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** Waits for the last process of the group to end; `false`: some are left after `ms`. */
export async function groupEnds(group: ProcessGroup, ms: number): Promise<boolean> {
	const deadline = performance.now() + ms;
	while (isGroupAlive(group)) {
		if (performance.now() >= deadline) return false;
		await delay(pollMs);
	}
	return true;
}

/** Ends a group: asks first, insists after `termMs`. */
export async function endGroup(group: ProcessGroup, termMs: number): Promise<void> {
	if (!isGroupAlive(group)) return;
	signalGroup(group, 'SIGTERM');
	if (!(await groupEnds(group, termMs))) signalGroup(group, 'SIGKILL');
}
