import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { InputOptions, OutputAsset, OutputChunk, OutputOptions, Plugin } from 'rolldown';
import { toTerms } from '../src/discovery/search/known/knownText.ts';
import { finish } from '../src/discovery/search/ranker.ts';
import { builtInLines, tablesOf } from '../src/discovery/search/words/thesaurus.ts';
import { packTables } from '../src/discovery/search/words/thesaurusTables.ts';
import { PROJECT_ROOT } from './projectPaths.ts';

/** Modules that our dependencies import and that nothing here calls: a pattern for each part, so that none can go unnoticed. */
const UNUSED = [
	// MCP's client and server create a validator if they get none. src/mcp/connection/sdk.ts passes one; the gateway asks clients nothing.
	/\/@modelcontextprotocol\/client\/dist\/ajvProvider-\w+\.mjs$/,
	/\/@modelcontextprotocol\/server\/dist\/ajvProvider-\w+\.mjs$/,
	// MCP's client imports this only to sign in with a key of its own instead of the user's account.
	/\/jose\/dist\//,
	// Zod converts schemas to JSON Schema. Only scripts/configSchema uses that, which no bundle contains; MCP's client would use
	// it for server authors.
	/\/zod\/v4\/core\/to-json-schema\.js$/,
	/\/zod\/v4\/core\/json-schema-processors\.js$/,
	/\/zod\/v4\/core\/json-schema-generator\.js$/,
];

/**
 * Replaces each export of an unused module by a function. SDKs can import it, call it, construct it or derive a class from it
 * while they load. Using the result throws. With `patterns` that match no module, an SDK has moved what it named, and all of it
 * would be bundled: then the build fails. `isWhole`: the bundle contains all SDKs.
 */
export function leaveOutUnused(isWhole: boolean, patterns: readonly RegExp[] = UNUSED): Plugin {
	const matched = new Set<RegExp>();
	return {
		name: 'leave-out-unused',
		async load(file) {
			const name = file.replaceAll(path.sep, '/');
			const matching = patterns.filter((pattern) => pattern.test(name));
			if (matching.length === 0) return null;
			for (const pattern of matching) matched.add(pattern);
			const message = JSON.stringify(`Left out of the bundle: ${name.replace(/.*node_modules\//, '')}`);
			const names = Object.keys(await import(pathToFileURL(file).href));
			return [
				`const told = () => { throw new Error(${message}); };`,
				'const absent = new Proxy(() => {}, { get: told, apply: told });',
				'function leftOut() { return absent; }',
				`export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`,
			].join('\n');
		},
		buildEnd(error) {
			const missed = isWhole && !error ? patterns.filter((pattern) => !matched.has(pattern)) : [];
			if (missed.length > 0)
				throw new Error(`No bundled module matches these patterns of unused modules: ${missed.join(', ')}`);
		},
	};
}

function compressed(value: unknown): string {
	return brotliCompressSync(JSON.stringify(value)).toString('base64');
}

/** A module that exports some JSON. It compresses better than as a file of a VSIX. */
function packed(value: unknown): string {
	return [
		"import { brotliDecompressSync } from 'node:zlib';",
		`const packed = Buffer.from('${compressed(value)}', 'base64');`,
		'export default JSON.parse(brotliDecompressSync(packed).toString());',
	].join('\n');
}

const SYNONYMS = '\0synonyms';

/** Synonyms, and what people's words stand for, are half of the engine. */
const packSynonyms: Plugin = {
	name: 'pack-synonyms',
	resolveId: (id) => (id === SYNONYMS ? id : null),
	load(id) {
		if (id === SYNONYMS) {
			const files = globSync('src/discovery/search/words/{synonyms,asked}/*.json', {
				cwd: PROJECT_ROOT,
			}).sort();
			const texts = files.map((file) => {
				const absolute = path.join(PROJECT_ROOT, file);
				this.addWatchFile(absolute);
				return [path.basename(file), JSON.parse(readFileSync(absolute, 'utf8'))];
			});
			return packed(Object.fromEntries(texts));
		}
		if (!/[\\/]words[\\/](?:synonyms|asked)[\\/]\w+\.json$/.test(id)) return null;
		const code = `import all from '${SYNONYMS}'; export default all[${JSON.stringify(path.basename(id))}];`;
		return { code, moduleType: 'js' };
	},
};

export const PACKED_TABLES = /[\\/]words[\\/]packedTables\.ts$/;

/** What a bundle has instead of that file: where the terms of the synonyms stand. To find it out takes most of the first index's time. */
export function packedTables(): string {
	const tables = packTables(finish(tablesOf(builtInLines)));
	return packed(tables).replace('export default', 'export const packedTables =');
}

const packSynonymTables: Plugin = {
	name: 'pack-synonym-tables',
	load: (id) => (PACKED_TABLES.test(id) ? { code: packedTables(), moduleType: 'js' } : null),
};

const KNOWN_SERVERS = '\0known-servers';
const KNOWN_NAMES = /[\\/]known[\\/]names\.json$/;

/** As in the source of `knownServers.ts`. */
const READ_KNOWN_SERVER =
	/const \{ default: stored \} = await import\(.*?\);\s*const known = toTerms\(stored\);/s;
const READ_PACKED_SERVER = `const { knownServer } = await import('${KNOWN_SERVERS}'); const known = knownServer(server);`;

/** Servers that are packed together: alone, the whole is a sixth larger; all together, all are unpacked for one. */
const SERVERS_IN_PACK = 12;

/** What is known of servers is one file, as terms, in which a few servers are packed together: only what is there is unpacked. */
const packKnownServers: Plugin = {
	name: 'pack-known-servers',
	resolveId: (id) => (id === KNOWN_SERVERS ? id : null),
	transform: {
		filter: { id: /[\\/]known[\\/]knownServers\.ts$/ },
		handler(code) {
			if (!READ_KNOWN_SERVER.test(code)) this.error(`not found: ${READ_KNOWN_SERVER}`);
			return { code: code.replace(READ_KNOWN_SERVER, READ_PACKED_SERVER), map: null };
		},
	},
	load(id) {
		if (KNOWN_NAMES.test(id)) return { code: packed(JSON.parse(readFileSync(id, 'utf8'))), moduleType: 'js' };
		if (id !== KNOWN_SERVERS) return null;
		const servers = globSync('src/discovery/search/known/servers/*.json', { cwd: PROJECT_ROOT })
			.sort()
			.map((file): [name: string, terms: unknown] => {
				const absolute = path.join(PROJECT_ROOT, file);
				this.addWatchFile(absolute);
				return [path.basename(file, '.json'), toTerms(JSON.parse(readFileSync(absolute, 'utf8')))];
			});
		const packOf = new Map(servers.map(([name], i) => [name, Math.floor(i / SERVERS_IN_PACK)]));
		const packs = [...Map.groupBy(servers, ([name]) => packOf.get(name)).values()];
		return [
			"import { brotliDecompressSync } from 'node:zlib';",
			`const packs = ${JSON.stringify(packs.map((pack) => compressed(Object.fromEntries(pack))))};`,
			`const packOf = ${JSON.stringify(Object.fromEntries(packOf))};`,
			'export const knownServer = (name) =>',
			"	JSON.parse(brotliDecompressSync(Buffer.from(packs[packOf[name]], 'base64')).toString())[name];",
		].join('\n');
	},
};

/** If this were an import, each module would copy the whole API, export by export. */
const requireEditor: Plugin = {
	name: 'require-editor',
	transform: {
		filter: { code: "from 'vscode'" },
		handler: (code) => ({
			code: code.replace("import * as vscode from 'vscode';", "const vscode = require('vscode');"),
			// Keeps line numbers.
			map: null,
		}),
	},
};

/** How to bundle the extension, or a program without the same unused modules. */
export function bundleOptions(input: string): InputOptions {
	return {
		input,
		cwd: PROJECT_ROOT,
		platform: 'node',
		external: ['vscode'],
		// Of packages with both formats, use ES modules: the UMD build of jsonc-parser requires files that the bundle does not
		// contain.
		resolve: { mainFields: ['module', 'main'] },
		transform: { target: 'node22' },
		plugins: [leaveOutUnused(false), packSynonyms, packSynonymTables, packKnownServers, requireEditor],
	};
}

const ENTRY = 'src/extension.ts';

/**
 * Bundles the extension as CommonJS: `extension.cjs`, which loads `chunks/start-….cjs` with everything that {@link ENTRY} imports
 * statically, and one chunk for each dynamic import. VS Code passes its API to ES modules through a generated module with
 * hundreds of exports, and Node links them file by file: CommonJS more than halves the loading time. esbuild can split only ES
 * modules, so we use rolldown.
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
	return {
		...options,
		plugins: [
			leaveOutUnused(true),
			packSynonyms,
			packSynonymTables,
			packKnownServers,
			requireEditor,
			writeMetafile,
		],
		output,
	};
}

/** Writes into `dist/meta.json` which source files each output contains, and deletes the chunks of earlier builds. */
const writeMetafile: Plugin = {
	name: 'write-metafile',
	generateBundle({ dir = '' }, bundle, isWrite) {
		if (!isWrite) return;
		// Names of chunks depend on their content. Old ones would pile up and be packaged.
		rmSync(path.join(dir, 'chunks'), { recursive: true, force: true });
		writeFileSync(
			path.join(dir, 'meta.json'),
			JSON.stringify({ outputs: writtenFiles(Object.values(bundle)) }),
		);
	},
};

/** An output file, in the form of esbuild's metafiles. */
export interface WrittenFile {
	readonly bytes: number;
	/** Files that are loaded with it. */
	readonly imports: readonly string[];
	/** Bytes of each source file in it before minification, by path in the project. */
	readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
}

/** Outputs by their path in `dist`. */
export function writtenFiles(
	output: readonly (OutputChunk | OutputAsset)[],
): Readonly<Record<string, WrittenFile>> {
	const chunks = output.filter((file) => file.type === 'chunk');
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

/** A file and everything that it imports statically, directly or indirectly. */
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
