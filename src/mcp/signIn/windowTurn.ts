import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock } from '../../common/fileLock.ts';

/** How often a record was written, by any window. */
export interface Generation {
	readonly latest: number;
	/** Notes that the record of this generation is stored now. */
	wrote(generation: number): Promise<void>;
}

/**
 * Has one piece of work at a time done by all windows of this machine. Secret storage has no lock, and a refresh token that two windows use
 * at once ends the sign-in where the issuer takes the second use for a theft.
 *
 * What one window stores reaches the storage of the others only after a while. So the folder also holds a number: how often the record was
 * written. By it, a window whose turn has come knows whether what it reads is the latest.
 *
 * @param name whose turn it is; made of letters, digits and hyphens, as `record` is
 * @param record what is read and written
 */
export async function inTurn<T>(
	folder: string,
	name: string,
	record: string,
	work: (generation: Generation) => Promise<T>,
): Promise<T> {
	// A disk that cannot be written to must not keep the user from signing in.
	const release = await mkdir(folder, { recursive: true, mode: 0o700 })
		.then(() => acquireLock(join(folder, name)))
		.catch(() => async () => {});
	try {
		const file = join(folder, `${record}.generation`);
		const latest = Number.parseInt(await readFile(file, 'utf8').catch(() => '0'), 10);
		return await work({
			latest: Number.isSafeInteger(latest) ? latest : 0,
			wrote: (generation) => writeFile(file, String(generation), { mode: 0o600 }).catch(() => {}),
		});
	} finally {
		await release();
	}
}
