import { rmSync, writeFileSync } from 'node:fs';
import path, { posix } from 'node:path';
import { type BuildOptions, build, type ImportKind, type Metafile, type Plugin } from 'esbuild';

type Outputs = Metafile['outputs'];

/** How a bundle becomes CommonJS. Paths are relative to the working directory, with `/`, as esbuild has them. */
interface CommonJsOptions {
	/** The file that esbuild makes of the bundle's entry, such as `dist/extension.js`; `dist/extension.cjs` is written. */
	readonly entry: string;
	/** Where to write esbuild's account of the files. */
	readonly metafile: string;
	/** What holds for the written files as it does for the bundle. */
	readonly options: BuildOptions;
}

/** The module of which the written entry is made: all that the entry imports statically. */
const START = 'start';

/**
 * An esbuild plugin that writes a bundle of ES modules (`splitting`, `metafile`, not `write`) as CommonJS: the entry with all that it imports
 * statically as one file, and in `chunks` beside it a file for each chunk that is imported on demand.
 *
 * Node links ES modules file by file, and VS Code hands them its API as a module that it generates, with hundreds of exports; to a CommonJS
 * file it hands the object itself. That more than halves the time of loading. esbuild splits nothing but ES modules, so there are two steps.
 */
export function commonJs({ entry, metafile: metafilePath, options }: CommonJsOptions): Plugin {
	const folder = posix.dirname(entry);
	return {
		name: 'common-js',
		setup(bundle) {
			bundle.onEnd(async ({ metafile, outputFiles = [] }) => {
				if (!metafile) return;
				const { outputs } = metafile;
				const texts = new Map(
					outputFiles.map(({ path, text }) => [relativePath(path), requiringEditor(text)]),
				);
				const chunks = Object.entries(outputs);
				const helpers = new Set(chunks.filter(([, chunk]) => isOfHelpers(chunk)).map(([file]) => file));
				const start = new Set(staticClosure(outputs, entry)).difference(helpers);
				const elsewhere = start.union(helpers);
				const onDemand = [...texts.keys()].filter((file) => !elsewhere.has(file));
				// Chunks are named by content: without this, old ones would pile up and be packaged.
				rmSync(`${folder}/chunks`, { recursive: true, force: true });
				const { metafile: written } = await build({
					...options,
					entryPoints: [START, ...onDemand].map((file) => ({
						in: file,
						out: posix.relative(folder, file === START ? entry : file).slice(0, -'.js'.length),
					})),
					outdir: folder,
					outExtension: { '.js': '.cjs' },
					bundle: true,
					format: 'cjs',
					// `import()` would take the way of ES modules again; this makes a `require` of it.
					supported: { 'dynamic-import': false },
					plugins: [linkChunks(texts, helpers, start, entry)],
					metafile: true,
				});
				writeFileSync(metafilePath, JSON.stringify({ outputs: withSources(written.outputs, outputs) }));
			});
		},
	};
}

/** Whether a chunk holds nothing but functions by which esbuild makes one kind of module of another. Each written file gets its own. */
function isOfHelpers({ inputs, imports }: Outputs[string]): boolean {
	return Object.keys(inputs).length === 0 && imports.length === 0;
}

/** The file of a bundle and all that it imports statically, directly or not: what loading it loads. */
export function staticClosure(outputs: Outputs, entry: string): string[] {
	const reached = new Set<string>();
	const waiting = [entry];
	for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
		if (reached.has(file)) continue;
		reached.add(file);
		waiting.push(...importsOf(outputs, file, 'import-statement'));
	}
	return [...reached];
}

function importsOf(outputs: Outputs, file: string, as: ImportKind): string[] {
	const output = outputs[file];
	if (!output) throw new Error(`The bundle has no file ${file}`);
	return output.imports.filter(({ kind, external }) => kind === as && !external).map(({ path }) => path);
}

/**
 * Gives the second step the chunks of the first. In the written entry some of them are joined, as those that it starts with; a chunk on demand
 * finds each of them there, as the export that has its name, and other chunks beside itself.
 */
function linkChunks(
	texts: ReadonlyMap<string, string>,
	helpers: ReadonlySet<string>,
	joined: ReadonlySet<string>,
	entry: string,
): Plugin {
	const isJoined = (file: string) => file === START || joined.has(file);
	const written = (file: string) => (isJoined(file) ? entry : file).replace(/\.js$/, '.cjs');
	const link = (from: string, to: string) => `./${posix.relative(posix.dirname(written(from)), written(to))}`;
	const name = (file: string) => JSON.stringify(`./${file}`);
	const start = [
		`export * from ${name(entry)};`,
		...[...joined].map((file) => `export * as ${name(file)} from ${name(file)};`),
	];
	return {
		name: 'link-chunks',
		setup(step) {
			step.onResolve({ filter: /.*/ }, ({ path, kind }) =>
				// As `./PATH` where an earlier build has left a file of that name on disk.
				kind === 'entry-point' ? { path: posix.normalize(path), namespace: 'chunk' } : undefined,
			);
			step.onResolve({ filter: /^\./, namespace: 'chunk' }, ({ path, importer, kind }) => {
				const file = posix.join(posix.dirname(importer), path);
				if (helpers.has(file)) return { path: file, namespace: 'chunk' };
				const linked = link(importer, file);
				if (kind === 'dynamic-import' || !isJoined(file)) return { path: linked, external: true };
				return isJoined(importer)
					? { path: file, namespace: 'chunk' }
					: { path: file, namespace: 'joined', pluginData: linked };
			});
			step.onResolve({ filter: /.*/, namespace: 'joined' }, ({ path }) => ({ path, external: true }));
			step.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
				contents: path === START ? start.join('\n') : (texts.get(path) ?? ''),
			}));
			step.onLoad({ filter: /.*/, namespace: 'joined' }, ({ path, pluginData }) => ({
				contents: `module.exports = require(${JSON.stringify(pluginData)})[${name(path)}];`,
			}));
		},
	};
}

/** The written files, with the source files that are in them where the second step knows only chunks of the first. */
function withSources(written: Outputs, chunks: Outputs): Outputs {
	return Object.fromEntries(
		Object.entries(written).map(([file, output]) => {
			const parts = Object.keys(output.inputs).map((input) => chunks[input.replace(/^chunk:/, '')]?.inputs);
			return [file, { ...output, inputs: Object.assign({}, ...parts) }];
		}),
	);
}

/** As an import, each would make a copy of the whole API, export by export. */
function requiringEditor(text: string): string {
	return text.replaceAll(/\bimport\s*\*\s*as ([\w$]+) from\s*"vscode"/g, 'var $1 = require("vscode")');
}

function relativePath(file: string): string {
	return path.relative('', file).replaceAll(path.sep, '/');
}
