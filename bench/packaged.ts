import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { WrittenFile } from '../scripts/extensionBundle.ts';
import { packageExtension } from '../scripts/packageExtension.ts';
import { PROJECT_ROOT, VSIX } from '../scripts/projectPaths.ts';

/** The extension as users get it. */
export interface PackagedExtension {
	readonly vsixBytes: number;
	/** The contents of `extension.cjs` and its chunks. */
	readonly bundle: { readonly outputs: Readonly<Record<string, WrittenFile>> };
}

let packaged: Promise<PackagedExtension> | undefined;

/** Builds and packages the current extension once per run. An earlier build may be stale. */
export function packagedExtension(): Promise<PackagedExtension> {
	packaged ??= packageNow();
	return packaged;
}

async function packageNow(): Promise<PackagedExtension> {
	await packageExtension();
	const bundle: PackagedExtension['bundle'] = JSON.parse(
		readFileSync(path.join(PROJECT_ROOT, 'dist/meta.json'), 'utf8'),
	);
	return { vsixBytes: statSync(VSIX).size, bundle };
}
