import type { ServerLaunch } from '../../config/servers/launch.ts';
import { approvalHash } from './launchFacts.ts';

/**
 * Whether a server whose entry was moved to another file is the one that it was. `startsByDefault`: its entry names no folder, so the folder
 * that it starts in is that of its file.
 */
export function isMovedLaunch(before: ServerLaunch, after: ServerLaunch, startsByDefault: boolean): boolean {
	return approvalHash(startsByDefault ? startingWhere(before, after) : before) === approvalHash(after);
}

/** A launch that starts in the folder of another. */
function startingWhere(launch: ServerLaunch, other: ServerLaunch): ServerLaunch {
	if (launch.kind === 'remote' || other.kind === 'remote') return launch;
	const { cwd } = other;
	return {
		...launch,
		cwd,
		...(launch.written && { written: { ...launch.written, cwd: other.written?.cwd ?? cwd } }),
	};
}
