import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './childProcess.ts';
import { writeNotices } from './notices/writeNotices.ts';
import { PROJECT_NODE, PROJECT_ROOT, VSIX } from './projectPaths.ts';

const VSCE_OPTIONS = [
	// Everything is bundled.
	'--no-dependencies',
	// There is no public repository that links and pictures of the README could point to: they stay in the package.
	'--allow-missing-repository',
	'--no-rewrite-relative-links',
];

/** Builds the extension for production and packages it as the VSIX that users install. */
export async function packageExtension(): Promise<void> {
	rmSync(VSIX, { force: true });
	await run(PROJECT_NODE, ['esbuild.mjs', '--production'], { output: 'pipe' });
	writeNotices();
	const vsce = path.join(PROJECT_ROOT, 'node_modules/@vscode/vsce/vsce');
	const args = ['package', '--out', VSIX, ...VSCE_OPTIONS];
	const output = await run(PROJECT_NODE, [vsce, ...args], { output: 'pipe' });
	if (/^\s*WARNING/m.test(output))
		throw new Error(`vsce warns; a package is made without warnings:\n${output}`);
	console.log(output.trim());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await packageExtension();
