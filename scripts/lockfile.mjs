// Tells whether node_modules is what package-lock.json asks for. Plain JavaScript, because the bootstrap uses it
// on Node 20 before anything is installed. Contents are compared, not times: a checkout or a copy changes times.
import { readFileSync } from 'node:fs';
import path from 'node:path';

function readPackages(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
	} catch {
		return undefined;
	}
}

/** True if every package the lock file of `folder` requires on every platform is installed in that version. */
export function isInstalled(folder) {
	const wanted = readPackages(path.join(folder, 'package-lock.json'));
	// npm writes this one last, so a half-finished installation has none.
	const present = readPackages(path.join(folder, 'node_modules/.package-lock.json'));
	if (!wanted || !present) return false;
	return Object.entries(wanted).every(
		([place, { version, optional, devOptional }]) =>
			place === '' || optional || devOptional || present[place]?.version === version,
	);
}
