import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file for its owner only, and its folder where that is missing. It is written beside and renamed, so that whoever reads finds
 * the old file or the new one, never half of it, even after the power has failed. Rejects if the folder cannot be written to.
 *
 * @param text in pieces where it is large: they are made as they are written
 */
export async function writeWhole(file: string, text: string | Iterable<string>): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	const draft = `${file}.${randomBytes(6).toString('hex')}`;
	try {
		await writeFile(draft, text, { mode: 0o600, flush: true });
		await rename(draft, file);
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	}
}
