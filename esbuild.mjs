// Builds dist/: `node esbuild.mjs [--production] [--watch] [--tests]`.
//
//   extension.cjs     the extension; all that activate() needs, and what is loaded on demand, is in chunks/ (scripts/extensionBundle.ts)
//   reaper.js         the process that ends servers when the extension host dies
//   sandbox.js        the process that evaluates schemas of servers and templates of workspaces
//   gateway.js        the program that other agents start; it finds the window that has their folder open
//   contextPage.js    the page of the command Show Context, for the window it is shown in, and contextPage.css
//   reviewPage.js     the page of the command Review Servers, likewise, and reviewPage.css
//   discovery.mjs     the engine alone, self-contained, for benchmarks and other hosts
//   meta.json         what is in which of the extension's files; not packaged
//   *.meta.json       those of the other packaged bundles: whose code is in them, for the notices
//   test/             with --tests: the suites that run inside the extension host, and programs that other tests start often
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, context } from 'esbuild';
import { rolldown, watch as watchWith } from 'rolldown';
import { bundleOptions, extensionOptions, PACKED_TABLES, packedTables } from './scripts/extensionBundle.ts';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const tests = process.argv.includes('--tests');

// A CommonJS package inside an ESM bundle may call require for a Node module; ESM has no such function.
const REQUIRE_BANNER =
	"import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** @type {import('esbuild').BuildOptions} */
const common = {
	bundle: true,
	platform: 'node',
	// The oldest Node of a VS Code that `engines.vscode` admits.
	target: 'node22',
	format: 'esm',
	// Packages of both kinds come as ESM: the UMD build of jsonc-parser asks for files that a bundle has not.
	mainFields: ['module', 'main'],
	minify: production,
	sourcemap: production ? false : 'linked',
	legalComments: 'none',
	logLevel: 'info',
	banner: { js: REQUIRE_BANNER },
};

/** @type {import('esbuild').BuildOptions} */
const browser = { ...common, platform: 'browser', target: 'es2022', format: 'iife', banner: {} };
const page = 'src/vscode/context/page';
const review = 'src/vscode/trust/page';

/**
 * What a bundle is made of, written beside it.
 * @param {string} file
 * @returns {import('esbuild').BuildOptions}
 */
function withMetafile(file) {
	/** @type {import('esbuild').Plugin} */
	const writeMetafile = {
		name: 'write-metafile',
		setup(bundle) {
			bundle.onEnd(({ metafile }) => {
				if (metafile) writeFileSync(`dist/${file}`, JSON.stringify(metafile));
			});
		},
	};
	return { metafile: true, plugins: [writeMetafile] };
}

/** @type {import('esbuild').Plugin} */
const packSynonymTables = {
	name: 'pack-synonym-tables',
	setup: (bundle) => bundle.onLoad({ filter: PACKED_TABLES }, () => ({ contents: packedTables() })),
};

/** @type {(import('esbuild').BuildOptions & { entryPoints: string[] | Record<string, string> })[]} */
const bundles = [
	{
		...common,
		entryPoints: ['src/mcp/stdio/reaper.ts'],
		outfile: 'dist/reaper.js',
		...withMetafile('reaper.meta.json'),
	},
	{
		...common,
		entryPoints: ['src/gateway/program.ts'],
		outfile: 'dist/gateway.js',
		...withMetafile('gateway.meta.json'),
	},
	{
		...common,
		entryPoints: ['src/sandbox/worker.ts'],
		outfile: 'dist/sandbox.js',
		...withMetafile('sandbox.meta.json'),
	},
	{
		...common,
		entryPoints: ['src/discovery/index.ts'],
		outfile: 'dist/discovery.mjs',
		plugins: [packSynonymTables],
	},
	{
		...browser,
		entryPoints: [`${page}/main.tsx`],
		outfile: 'dist/contextPage.js',
		...withMetafile('contextPage.meta.json'),
	},
	{ ...browser, entryPoints: [`${page}/page.css`], outfile: 'dist/contextPage.css' },
	{
		...browser,
		entryPoints: [`${review}/main.tsx`],
		outfile: 'dist/reviewPage.js',
		...withMetafile('reviewPage.meta.json'),
	},
	{ ...browser, entryPoints: [`${review}/review.css`], outfile: 'dist/reviewPage.css' },
];

if (tests) {
	bundles.push({
		...common,
		entryPoints: globSync('test/host/{mochaRun.ts,**/*.test.ts}'),
		outdir: 'dist/test',
		outbase: 'test/host',
		splitting: true,
		// Mocha finds its own files beside itself, so it stays a package.
		external: ['vscode', 'mocha'],
		minify: false,
	});
}

process.chdir(import.meta.dirname);
// Not for a package: other tests may be running from there.
if (tests) rmSync('dist/test', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });

// Together, as rolldown has threads of its own.
const extension = extensionOptions(production);
const building = watch ? undefined : bundleWith(extension, extension.output);
if (watch) watchWith(extension);

for (const options of bundles) {
	const missing = Object.values(options.entryPoints).filter((file) => !existsSync(path.resolve(file)));
	if (missing.length > 0) throw new Error(`No such entry point: ${missing.join(', ')}`);
	if (watch) await (await context(options)).watch();
	else await build(options);
}
await building;

if (tests)
	// So that tests show that nobody misses what is left out.
	for (const [name, program] of Object.entries({
		faultHost: 'test/servers/faults/faultHost.ts',
		conformanceDriver: 'test/conformance/driver.ts',
	}))
		await bundleWith(bundleOptions(program), {
			file: `dist/test/${name}.js`,
			format: 'esm',
			sourcemap: true,
			codeSplitting: false,
		});

/**
 * @param {import('rolldown').InputOptions} input
 * @param {import('rolldown').OutputOptions} output
 */
async function bundleWith(input, output) {
	const bundle = await rolldown(input);
	await bundle.write(output);
	await bundle.close();
}
