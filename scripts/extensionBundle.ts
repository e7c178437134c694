import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { InputOptions, OutputAsset, OutputChunk, OutputOptions, Plugin } from 'rolldown';
import { PROJECT_ROOT } from './projectPaths.ts';

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
 */
const leaveOutUnused: Plugin = {
	name: 'leave-out-unused',
	async load(file) {
		const name = file.replaceAll(path.sep, '/');
		if (!UNUSED.some((pattern) => pattern.test(name))) return null;
		const message = JSON.stringify(`Left out of the bundle: ${name.replace(/.*node_modules\//, '')}`);
		const names = Object.keys(await import(pathToFileURL(file).href));
		return [
			`const told = () => { throw new Error(${message}); };`,
			'const absent = new Proxy(() => {}, { get: told, apply: told });',
			'function leftOut() { return absent; }',
			`export { ${names.map((one) => `leftOut as ${one}`).join(', ')} };`,
		].join('\n');
	},
};

const SYNONYMS = '\0synonyms';

/** The synonyms, half of what the engine is, are packed together and more closely than a VSIX packs its files. */
const packSynonyms: Plugin = {
	name: 'pack-synonyms',
	resolveId: (id) => (id === SYNONYMS ? id : null),
	load(id) {
		if (id === SYNONYMS) {
			const files = globSync('src/discovery/search/words/synonyms/*.json', { cwd: PROJECT_ROOT }).sort();
			const texts = files.map((file) => {
				const absolute = path.join(PROJECT_ROOT, file);
				this.addWatchFile(absolute);
				return [path.basename(file), JSON.parse(readFileSync(absolute, 'utf8'))];
			});
			const packed = brotliCompressSync(JSON.stringify(Object.fromEntries(texts)));
			return [
				"import { brotliDecompressSync } from 'node:zlib';",
				`const packed = Buffer.from('${packed.toString('base64')}', 'base64');`,
				'export default JSON.parse(brotliDecompressSync(packed).toString());',
			].join('\n');
		}
		if (!/[\\/]synonyms[\\/]\w+\.json$/.test(id)) return null;
		const code = `import all from '${SYNONYMS}'; export default all[${JSON.stringify(path.basename(id))}];`;
		return { code, moduleType: 'js' };
	},
};

/** As an import, each module would make a copy of the whole API, export by export. */
const requireEditor: Plugin = {
	name: 'require-editor',
	transform: {
		filter: { code: "from 'vscode'" },
		handler: (code) => ({
			code: code.replace("import * as vscode from 'vscode';", "const vscode = require('vscode');"),
			// Lines stay where they are.
			map: null,
		}),
	},
};

/** How the extension, or a program that is to do without the same modules, is bundled. */
export function bundleOptions(input: string): InputOptions {
	return {
		input,
		cwd: PROJECT_ROOT,
		platform: 'node',
		external: ['vscode'],
		// Packages of both kinds come as ES modules: the UMD build of jsonc-parser asks for files that a bundle has not.
		resolve: { mainFields: ['module', 'main'] },
		transform: { target: 'node22' },
		plugins: [leaveOutUnused, packSynonyms, requireEditor],
	};
}

const ENTRY = 'src/extension.ts';

/**
 * The extension in CommonJS: `extension.cjs`, which loads `chunks/start-….cjs` with all that {@link ENTRY} imports statically, and a chunk for
 * each part that is imported on demand. VS Code hands ES modules its API as a module that it generates, with hundreds of exports, and Node
 * links them file by file; CommonJS more than halves the time of loading. esbuild splits nothing but ES modules, hence rolldown.
 */
export function extensionOptions(production: boolean) {
	const options = bundleOptions(ENTRY);
	let start: ReadonlySet<string> | undefined;
	const output: OutputOptions = {
		minify: production,
		sourcemap: !production,
		dir: path.join(PROJECT_ROOT, 'dist'),
		format: 'cjs',
		entryFileNames: 'extension.cjs',
		chunkFileNames: 'chunks/[name]-[hash].cjs',
		codeSplitting: {
			groups: [
				{
					debugName: 'start',
					name(id, graph) {
						start ??= closure(
							path.join(PROJECT_ROOT, ENTRY),
							(file) => graph.getModuleInfo(file)?.importedIds ?? [],
						);
						return start.has(id) || id.startsWith('\0rolldown') ? 'start' : null;
					},
				},
			],
		},
	};
	return { ...options, plugins: [leaveOutUnused, packSynonyms, requireEditor, writeMetafile], output };
}

/** Notes in `dist/meta.json` which source files are in which written file, and deletes the chunks of earlier builds. */
const writeMetafile: Plugin = {
	name: 'write-metafile',
	generateBundle({ dir = '' }, bundle, isWrite) {
		if (!isWrite) return;
		// Chunks are named by content: without this, old ones would pile up and be packaged.
		rmSync(path.join(dir, 'chunks'), { recursive: true, force: true });
		writeFileSync(
			path.join(dir, 'meta.json'),
			JSON.stringify({ outputs: writtenFiles(Object.values(bundle)) }),
		);
	},
};

/** A written file, as esbuild's metafiles have them. */
export interface WrittenFile {
	readonly bytes: number;
	/** Files that loading it loads. */
	readonly imports: readonly string[];
	/** By its path in the project, the bytes of each source file in it, before they are minified. */
	readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
}

/** By their paths in `dist`. */
export function writtenFiles(
	output: readonly (OutputChunk | OutputAsset)[],
): Readonly<Record<string, WrittenFile>> {
	const chunks = output.filter((one) => one.type === 'chunk');
	return Object.fromEntries(
		chunks.map(({ fileName, code, imports, modules }) => {
			const inputs = Object.entries(modules).map(([id, { renderedLength }]) => {
				const file = path.relative(PROJECT_ROOT, id).replaceAll(path.sep, '/');
				return [file, { bytesInOutput: renderedLength }];
			});
			return [fileName, { bytes: Buffer.byteLength(code), imports, inputs: Object.fromEntries(inputs) }];
		}),
	);
}

/** A file and all that it imports statically, directly or not: what loading it loads. */
export function closure(entry: string, importsOf: (file: string) => readonly string[]): ReadonlySet<string> {
	const reached = new Set<string>();
	const waiting = [entry];
	for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
		if (reached.has(file)) continue;
		reached.add(file);
		waiting.push(...importsOf(file));
	}
	return reached;
}
