import type { Metafile } from 'esbuild';

/** The folder of a file's package, in the innermost `node_modules`. */
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The folders of npm packages with code in a bundle, sorted. Packages that were tree-shaken away are not included. */
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
