// Writes `names.json`, the names of all known tools by server, from the files in `src/discovery/search/known/servers`.
// Format it with Biome afterwards.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from './projectPaths.ts';

const KNOWN = path.join(PROJECT_ROOT, 'src/discovery/search/known');

/** The names of the tools by known server. */
export function knownNames(): Readonly<Record<string, readonly string[]>> {
	const files = globSync('servers/*.json', { cwd: KNOWN }).sort();
	return Object.fromEntries(
		files.map((file) => [
			path.basename(file, '.json'),
			Object.keys(JSON.parse(readFileSync(path.join(KNOWN, file), 'utf8'))),
		]),
	);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
	writeFileSync(path.join(KNOWN, 'names.json'), JSON.stringify(knownNames()));
