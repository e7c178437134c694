import { type FileHandle, lstat, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { errorCode } from './errors.ts';

/** A path leads out of the folder in which it has to stay, perhaps through a link. */
export class OutsideError extends Error {
	constructor(folder: string) {
		super(l10n.t('it leads out of the folder {0}', folder));
	}
}

/** Whether a path is that of the folder or of something in it. Compares only paths; links may lead elsewhere. */
export function isPathIn(folder: string, file: string): boolean {
	const relative = path.relative(folder, file);
	return !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}

/**
 * The real path of a file or folder that has to be in `folder`. Rejects with {@link OutsideError} if the path or a link leads out of it, and with
 * `ENOENT` if there is nothing, and nothing outside that could be created through a link.
 */
export async function realPathIn(folder: string, file: string): Promise<string> {
	// Looking up a path on another machine would reveal the user to it.
	if (!isPathIn(folder, file)) throw new OutsideError(folder);
	const root = await realpath(folder);
	try {
		const real = await realpath(file);
		if (!isPathIn(root, real)) throw new OutsideError(folder);
		return real;
	} catch (error) {
		if (errorCode(error) !== 'ENOENT') throw error;
		const parent = await realPathIn(folder, path.dirname(file));
		const stats = await lstat(file).catch(() => undefined);
		// A link to nothing leads somewhere, too.
		if (stats?.isSymbolicLink()) await realPathIn(root, path.resolve(parent, await readlink(file)));
		throw error;
	}
}

/** Whether a file that was opened by a path in `folder` is really there. A part of the path may have become a link since it was looked up. */
export async function isOpenIn(folder: string, file: string, handle: FileHandle): Promise<boolean> {
	if (process.platform === 'linux')
		return isPathIn(await realpath(folder), await readlink(`/proc/self/fd/${handle.fd}`));
	// Other systems do not say where an open file is, so the path is looked up once more.
	const [opened, current] = await Promise.all([handle.stat(), stat(await realPathIn(folder, file))]);
	return opened.ino === current.ino && opened.dev === current.dev;
}
