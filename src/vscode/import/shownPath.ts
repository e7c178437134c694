import { posix, win32 } from 'node:path';

/** Where paths are seen from. */
export interface PathViewpoint {
	readonly platform: NodeJS.Platform;
	readonly home: string;
	/** Absolute. */
	readonly workspaceFolders: readonly string[];
}

/** A path as people know it: from the workspace's only folder, or from the home folder as `~`. */
export function shownPath(path: string, { platform, home, workspaceFolders }: PathViewpoint): string {
	const { relative, isAbsolute, sep } = platform === 'win32' ? win32 : posix;
	const within = (folder: string) => {
		const rest = relative(folder, path);
		return rest === '' || rest.startsWith('..') || isAbsolute(rest) ? undefined : rest;
	};
	const [folder, ...others] = workspaceFolders;
	const inFolder = folder !== undefined && others.length === 0 ? within(folder) : undefined;
	if (inFolder !== undefined) return inFolder;
	const inHome = within(home);
	return inHome === undefined ? path : `~${sep}${inHome}`;
}
