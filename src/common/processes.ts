import { errorCode } from './errors.ts';

/** Whether a process runs, or one of a group if the id is negative. One of another user counts, too. */
export function isAlive(id: number): boolean {
	try {
		process.kill(id, 0);
		return true;
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
}
