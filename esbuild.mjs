// Builds dist/: `node esbuild.mjs [--production] [--watch] [--tests]`.
//
//   extension.cjs     the extension, with all that activate() needs; what is loaded on demand is in chunks/
//   reaper.js         the process that ends servers when the extension host dies
//   sandbox.js        the process that evaluates schemas of servers and templates of workspaces
//   contextPage.js    the page of the command Show Context, for the window it is shown in, and contextPage.css
//   reviewPage.js     the page of the command Review Servers, likewise, and reviewPage.css
//   discovery.mjs     the engine alone, self-contained, for benchmarks and other hosts
//   meta.json         esbuild's metafile of these two and their chunks (what is in which); not packaged
//   *.meta.json       those of the other packaged bundles: whose code is in them, for the notices
//   test/             with --tests: the suites that run inside the extension host, and programs that other tests start often
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, context } from 'esbuild';
import { commonJs } from './scripts/commonJs.ts';

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

/** Modules that what we use imports, and that nothing here ever calls. */
const UNUSED = [
	// OpenAI's client has an object for each part of the API, and for each way of running tools itself: three quarters of its code.
	/\/openai\/(resources\/(?!(chat|responses|index)\b)|lib\/(?!parser|ResponsesParser)|helpers\/)/,
	// It and Anthropic's get a key, if only a placeholder, and so look for no other way to sign in.
	/\/openai\/auth\/workload-identity-auth\.mjs$/,
	/\/@anthropic-ai\/sdk\/lib\/credentials\/(credential-chain|token-cache)\.mjs$/,
	// Anthropic's, which is not imported whole, would still bring a set of tools that its beta imports on demand, and besides
	// `messages.create` other ways to send messages.
	/\/@anthropic-ai\/sdk\/(resources\/(beta\/|messages\/batches\.mjs)|lib\/MessageStream\.mjs)/,
	// MCP's client makes a validator where it is given none; src/mcp/connection/sdk.ts gives it one.
	/\/@modelcontextprotocol\/client\/dist\/ajvProvider-\w+\.mjs$/,
	// It would sign in with a key of its own instead of the user's account, and only then import this.
	/\/jose\/dist\//,
	// Zod's schemas can be turned into JSON schemas. Ours are when the editor's schema is written, which no bundle does; MCP's client
	// would do it for a server's author.
	/\/zod\/v4\/core\/(to-json-schema|json-schema-(processors|generator))\.js$/,
];

/**
 * In place of what an unused module exports comes a function, so that whoever imports it can call it, make an object of it or derive a class
 * from it, as SDKs do beforehand. Whoever touches what that gave is told.
 * @type {import('esbuild').Plugin}
 */
const leaveOutUnused = {
	name: 'leave-out-unused',
	setup(bundle) {
		const filter = /[\\/](openai|@anthropic-ai|@modelcontextprotocol|jose|zod)[\\/].*\.m?js$/;
		bundle.onLoad({ filter }, async ({ path: file }) => {
			const name = file.replaceAll(path.sep, '/');
			if (!UNUSED.some((pattern) => pattern.test(name))) return undefined;
			const message = JSON.stringify(
				`Left out of the bundle by esbuild.mjs: ${name.replace(/.*node_modules\//, '')}`,
			);
			const names = Object.keys(await import(pathToFileURL(file).href));
			return {
				contents: [
					`const told = () => { throw new Error(${message}); };`,
					'const absent = new Proxy(() => {}, { get: told, apply: told });',
					'function leftOut() { return absent; }',
					`export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`,
				].join('\n'),
			};
		});
	},
};

/**
 * The synonyms, half of what the engine is, are packed together and more closely than a VSIX packs its files.
 * @type {import('esbuild').Plugin}
 */
const packSynonyms = {
	name: 'pack-synonyms',
	setup(bundle) {
		const namespace = 'synonyms';
		bundle.onLoad({ filter: /[\\/]synonyms[\\/]\w+\.json$/ }, ({ path: file }) => ({
			contents: `import all from 'synonyms:'; export default all[${JSON.stringify(path.basename(file))}];`,
			resolveDir: path.dirname(file),
		}));
		bundle.onResolve({ filter: /^synonyms:$/ }, ({ resolveDir }) => ({ path: resolveDir, namespace }));
		bundle.onLoad({ filter: /.*/, namespace }, ({ path: folder }) => {
			const texts = globSync('*.json', { cwd: folder })
				.sort()
				.map((name) => [name, JSON.parse(readFileSync(path.join(folder, name), 'utf8'))]);
			const packed = brotliCompressSync(JSON.stringify(Object.fromEntries(texts)));
			return {
				contents: [
					"import { brotliDecompressSync } from 'node:zlib';",
					`const packed = Buffer.from('${packed.toString('base64')}', 'base64');`,
					'export default JSON.parse(brotliDecompressSync(packed).toString());',
				].join('\n'),
				watchDirs: [folder],
			};
		});
	},
};

/** @type {import('esbuild').BuildOptions} */
const extension = { ...common, banner: {}, external: ['vscode'] };

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

/** @type {(import('esbuild').BuildOptions & { entryPoints: string[] | Record<string, string> })[]} */
const bundles = [
	{
		...extension,
		entryPoints: { extension: 'src/extension.ts' },
		outdir: 'dist',
		splitting: true,
		chunkNames: 'chunks/[name]-[hash]',
		// The second step takes them up from there.
		sourcemap: production ? false : 'inline',
		metafile: true,
		write: false,
		plugins: [
			leaveOutUnused,
			packSynonyms,
			commonJs({
				entry: 'dist/extension.js',
				metafile: 'dist/meta.json',
				options: extension,
			}),
		],
	},
	{
		...common,
		entryPoints: ['src/mcp/stdio/reaper.ts'],
		outfile: 'dist/reaper.js',
		...withMetafile('reaper.meta.json'),
	},
	{
		...common,
		entryPoints: ['src/sandbox/worker.ts'],
		outfile: 'dist/sandbox.js',
		...withMetafile('sandbox.meta.json'),
	},
	{ ...common, entryPoints: ['src/discovery/index.ts'], outfile: 'dist/discovery.mjs' },
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
	for (const [name, program] of Object.entries({
		faultHost: 'test/servers/faults/faultHost.ts',
		conformanceDriver: 'test/conformance/driver.ts',
	}))
		bundles.push({
			...common,
			entryPoints: [program],
			outfile: `dist/test/${name}.js`,
			minify: false,
			// So that tests show that nobody misses what is left out.
			plugins: [leaveOutUnused],
		});
}

process.chdir(import.meta.dirname);
// Not for a package: other tests may be running from there.
if (tests) rmSync('dist/test', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });

for (const options of bundles) {
	const missing = Object.values(options.entryPoints).filter((file) => !existsSync(path.resolve(file)));
	if (missing.length > 0) throw new Error(`No such entry point: ${missing.join(', ')}`);
	if (watch) await (await context(options)).watch();
	else await build(options);
}
