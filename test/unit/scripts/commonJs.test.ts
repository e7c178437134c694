import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commonJs } from '../../../scripts/commonJs.ts';

/**
 * Modules that share state, import each other in a circle, and are loaded on demand from the start and from a chunk; and one that needs
 * one of the start, one that needs it too, and one that stands alone.
 */
const SOURCES = {
	'extension.ts': `
		import * as vscode from 'vscode';
		import { greet } from './words.ts';
		export { count } from './counter.ts';
		export * as words from './words.ts';
		export const editor = () => vscode;
		export const hello = () => greet('start');
		export const later = async () => (await import('./later.ts')).run();
		export const latest = async () => (await import('./latest.ts')).default();
		export const alone = async () => (await import('./alone.ts')).names();
		export const read = async (text) => (await import('./reading.ts')).read(text);
	`,
	'counter.ts': 'export let count = 0; export const increase = () => { count += 1; };',
	'words.ts':
		"import { increase } from './counter.ts'; export const greet = (name) => { increase(); return 'hello ' + name; };",
	'later.ts': `
		import { count } from './counter.ts';
		import { greet } from './words.ts';
		import { shared } from './shared.ts';
		export const run = async () => [greet('later'), count, shared(), await (await import('./latest.ts')).default()];
		export const name = 'later';
	`,
	'shared.ts': "import { name } from './later.ts'; export const shared = () => 'shared with ' + name;",
	'latest.ts': "import { shared } from './shared.ts'; export default async () => 'latest: ' + shared();",
	'alone.ts': "export { names } from './library.ts';",
	'reading.ts': `
		import { greet } from './words.ts';
		import { parse } from './library.ts';
		export const read = (text) => greet(parse(text));
	`,
	'library.ts': `
		import * as library from './library.ts';
		export const parse = (text) => text.trim();
		export const names = () => Object.keys(library);
	`,
};

interface Bundle {
	readonly count: number;
	editor(): unknown;
	hello(): string;
	later(): Promise<unknown>;
	latest(): Promise<unknown>;
	alone(): Promise<readonly string[]>;
	read(text: string): Promise<string>;
}

describe('given modules of which some are loaded on demand, when they are bundled as CommonJS', () => {
	const require = createRequire(import.meta.url);
	const folder = mkdtempSync(path.join(tmpdir(), 'common-js-'));
	const dist = path.join(folder, 'dist');
	const entry = path.relative('', path.join(dist, 'extension.js'));
	let bundle: Bundle;

	async function bundleAll(): Promise<void> {
		await build({
			entryPoints: [path.join(folder, 'extension.ts')],
			outdir: dist,
			bundle: true,
			splitting: true,
			platform: 'node',
			format: 'esm',
			chunkNames: 'chunks/[name]-[hash]',
			external: ['vscode'],
			logLevel: 'silent',
			metafile: true,
			write: false,
			plugins: [
				commonJs({
					entry,
					metafile: path.join(folder, 'meta.json'),
					options: { platform: 'node', external: ['vscode'] },
				}),
			],
		});
	}

	/** The names of the source files that are in a written file. */
	function sources(file: string): string[] {
		const { outputs } = JSON.parse(readFileSync(path.join(folder, 'meta.json'), 'utf8'));
		const inputs = Object.keys(outputs[file.replace(/\.js$/, '.cjs')].inputs);
		return inputs.map((input) => path.basename(input)).sort();
	}

	beforeAll(async () => {
		for (const [name, text] of Object.entries(SOURCES)) writeFileSync(path.join(folder, name), text);
		mkdirSync(path.join(folder, 'node_modules/vscode'), { recursive: true });
		writeFileSync(path.join(folder, 'node_modules/vscode/index.js'), 'exports.version = 1;');
		await bundleAll();
		bundle = require(path.join(dist, 'extension.cjs'));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it('then all that the entry needs to begin with is in one file, and the rest is not', () => {
		expect(sources(entry)).toEqual(['counter.ts', 'extension.ts', 'words.ts']);
		const chunks = readdirSync(path.join(dist, 'chunks')).map((name) =>
			path.join(path.dirname(entry), 'chunks', name),
		);
		expect(chunks.flatMap(sources).sort()).toEqual([
			'alone.ts',
			'later.ts',
			'latest.ts',
			'library.ts',
			'reading.ts',
			'shared.ts',
		]);
		expect(readdirSync(dist).sort()).toEqual(['chunks', 'extension.cjs']);
	});

	it('then what is loaded on demand shares modules, and their state, with what was there', async () => {
		expect(bundle.hello()).toBe('hello start');
		expect(bundle.count).toBe(1);
		expect(await bundle.later()).toEqual([
			'hello later',
			2,
			'shared with later',
			'latest: shared with later',
		]);
		expect(bundle.count).toBe(2);
	});

	it('then the editor’s API is the object that the editor gives, and no copy of it', () => {
		expect(bundle.editor()).toBe(require(path.join(folder, 'node_modules/vscode')));
	});

	it('then a default export is found as such', async () => {
		expect(await bundle.latest()).toBe('latest: shared with later');
	});
});
