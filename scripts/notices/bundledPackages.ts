import type { Metafile } from 'esbuild';

/** The folder of the package that a file belongs to, to the innermost `node_modules`. */
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Folders of the npm packages of which something is in a bundle, sorted; what was imported and shaken off is not. */
export function bundledPackages(bundles: readonly Metafile[]): string[] {
	const folders = new Set<string>();
	for (const { outputs } of bundles)
		for (const { inputs } of Object.values(outputs))
			for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
				const folder = PACKAGE_FOLDER.exec(file)?.[0];
				if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
			}
	return [...folders].sort();
}
