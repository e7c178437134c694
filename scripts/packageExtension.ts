import { cpSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './childProcess.ts';
import { writeNotices } from './notices/writeNotices.ts';
import { PROJECT_NODE, PROJECT_ROOT, VSIX } from './projectPaths.ts';

const VSCE_OPTIONS = [
	// Everything is bundled.
	'--no-dependencies',
	// Links and pictures in the README stay relative, because there is no public repository yet.
	'--allow-missing-repository',
	'--no-rewrite-relative-links',
];

/** Ignores all files except the ones that `!` names. */
const IGNORE_FILE = '.vscodeignore';

/** The files to package are copied here first. Otherwise, vsce needs ten seconds to find them in the project. */
const STAGE = path.join(PROJECT_ROOT, 'dist/package');

/** The package's sources. node_modules is represented by its lock file. */
const SOURCES = [
	'{src,l10n,media,docs,scripts/notices}/{,**/*}',
	'{package,package-lock,package.nls*}.json',
	'{README,CHANGELOG}.md',
	`{LICENSE,${IGNORE_FILE},esbuild.mjs,scripts/{extensionBundle,packageExtension}.ts}`,
];

/** Packages the extension if any source is newer than the package. */
export async function ensurePackage(): Promise<void> {
	const packaged = statSync(VSIX, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	// Includes folders: their time changes when a file is deleted.
	const sources = globSync(SOURCES, { cwd: PROJECT_ROOT });
	if (sources.some((file) => statSync(path.join(PROJECT_ROOT, file)).mtimeMs > packaged))
		await packageExtension();
}

/** Builds the extension for production and packages it as the VSIX that users install. */
export async function packageExtension(): Promise<void> {
	rmSync(VSIX, { force: true });
	await run(PROJECT_NODE, ['esbuild.mjs', '--production'], { output: 'pipe' });
	writeNotices();
	rmSync(STAGE, { recursive: true, force: true });
	for (const file of globSync(packagedFiles(), { cwd: PROJECT_ROOT })) stage(file);
	const vsce = path.join(PROJECT_ROOT, 'node_modules/@vscode/vsce/vsce');
	const args = ['package', '--out', VSIX, ...VSCE_OPTIONS];
	const output = await run(PROJECT_NODE, [vsce, ...args], { cwd: STAGE, output: 'pipe' });
	if (/^\s*WARNING/m.test(output))
		throw new Error(`vsce reports warnings, and the package must have none:\n${output}`);
	console.log(
		`Packaged ${path.relative(PROJECT_ROOT, VSIX)} (${Math.round(statSync(VSIX).size / 1_000)} kB)`,
	);
}

/** Copies a file for packaging. JSON loses its white space, and the manifest loses what only this project needs. */
function stage(file: string): void {
	const [from, to] = [path.join(PROJECT_ROOT, file), path.join(STAGE, file)];
	cpSync(from, to);
	if (!file.endsWith('.json')) return;
	const { scripts: _, devDependencies: __, ...content } = JSON.parse(readFileSync(from, 'utf8'));
	writeFileSync(to, JSON.stringify(content));
}

/** The patterns of {@link IGNORE_FILE} for packaged files, and the file itself, which vsce reads. */
function packagedFiles(): string[] {
	const lines = readFileSync(path.join(PROJECT_ROOT, IGNORE_FILE), 'utf8').split(/\r?\n/);
	return [IGNORE_FILE, ...lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await packageExtension();
