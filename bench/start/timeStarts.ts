import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { run } from '../../scripts/childProcess.ts';
import { PROJECT_NODE, PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import type { FirstRequest, StartOptions } from './startOptions.ts';

/** The state before a start's first request. */
export type Start =
	/** No server has ever listed its tools: servers start, and the chat waits for a limited time. */
	| 'cold'
	/** Lists of tools are on disk. */
	| 'warm'
	/** Every server has started and listed its tools, and all tools are sent. */
	| 'all';

/**
 * Starts a workspace's servers several times in each state, alternately, so that other load on the machine affects all states
 * alike. Each start is a new process with the code bundled as in the extension. The first start in each state is a warm-up and
 * does not count.
 */
export async function timeStarts(workspace: string, runs: number): Promise<Record<Start, FirstRequest[]>> {
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-start-'));
	try {
		await bundle(folder);
		const starter = new Starter(folder, workspace);
		const times: Record<Start, FirstRequest[]> = { cold: [], warm: [], all: [] };
		for (let i = 0; i <= runs; i++) {
			for (const start of ['cold', 'warm', 'all'] as const) {
				const first = await starter.start(start);
				if (i > 0) times[start].push(first);
			}
		}
		return times;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The same chunks as in the extension: the SDK is loaded only when the first server starts. */
async function bundle(folder: string): Promise<void> {
	await build({
		entryPoints: {
			startOnce: path.join(import.meta.dirname, 'startOnce.ts'),
			reaper: path.join(PROJECT_ROOT, 'src/mcp/stdio/reaper.ts'),
		},
		outdir: folder,
		outExtension: { '.js': '.mjs' },
		bundle: true,
		splitting: true,
		minify: true,
		platform: 'node',
		format: 'esm',
		mainFields: ['module', 'main'],
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
	});
}

class Starter {
	readonly #folder: string;
	readonly #workspace: string;
	#storages = 0;

	constructor(folder: string, workspace: string) {
		this.#folder = folder;
		this.#workspace = workspace;
	}

	/** A warm start uses what the cold one before it has stored. */
	async start(start: Start): Promise<FirstRequest> {
		if (start !== 'warm') this.#storages += 1;
		const options: StartOptions = {
			workspace: this.#workspace,
			storage: path.join(this.#folder, `storage-${this.#storages}`),
			reaperScript: path.join(this.#folder, 'reaper.mjs'),
			everyServer: start === 'all',
		};
		const script = path.join(this.#folder, 'startOnce.mjs');
		const output = await run(PROJECT_NODE, [script, JSON.stringify(options)], { output: 'pipe' });
		return JSON.parse(output) as FirstRequest;
	}
}
