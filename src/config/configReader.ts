import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { Config, LoadedConfig } from './config.ts';
import type { ConfigProblem } from './file/problemReport.ts';
import type { Disk, DiskFindings } from './missingReferences.ts';
import type { VariableScope } from './secrets/variables.ts';

/** Longest file that is read on this thread, in characters: that takes some ten milliseconds, as long as starting a thread. */
const maxCharactersHere = 32_000;
/** Milliseconds after which the reading of a file is given up, and the memory that it may take. */
const deadlineMs = 20_000;
const maxMemoryMb = 512;

/** Translations, as `@vscode/l10n` takes them. */
type Translations = Readonly<Record<string, string>>;

type Reading =
	| { readonly kind: 'load'; readonly text: string; readonly scope: VariableScope }
	| { readonly kind: 'place'; readonly text: string; readonly findings: DiskFindings };

/** What the thread is to do. */
export type ReadingJob = Reading & { readonly words: Translations | undefined };

/**
 * Reads configurations: small ones at once, large ones in a thread of their own, since a megabyte may take seconds in which every extension
 * would stand still.
 */
export class ConfigReader {
	readonly #script: string;
	readonly #words: Translations | undefined;
	/** One thread at a time. */
	#before: Promise<unknown> = Promise.resolve();

	/** `script`: `configThread.ts` as a program. `words`: translations. */
	constructor(script: string, words?: Translations) {
		this.#script = script;
		this.#words = words;
	}

	/** See `loadConfig`. Never rejects for what stands in the file. */
	async load(text: string, scope: VariableScope): Promise<LoadedConfig> {
		// Loaded on first use, since the extension activates without the schema library.
		if (text.length <= maxCharactersHere) return (await import('./load.ts')).loadConfig(text, scope);
		try {
			return await this.#inThread<LoadedConfig>({ kind: 'load', text, scope });
		} catch (error) {
			return unreadable(error);
		}
	}

	/** What is wrong on disk with what a configuration names: see `diskFindings`. */
	async diskProblems(text: string, config: Config, disk: Disk): Promise<readonly ConfigProblem[]> {
		const { diskFindings, diskProblemsIn } = await import('./missingReferences.ts');
		const findings = await diskFindings(config, disk);
		if (findings.folders.length + findings.templates.length === 0) return [];
		if (text.length <= maxCharactersHere) return diskProblemsIn(text, findings);
		const found = this.#inThread<readonly ConfigProblem[]>({ kind: 'place', text, findings });
		// Only warnings are lost; that the file takes too long has been reported already.
		return found.catch(() => []);
	}

	#inThread<Outcome>(reading: Reading): Promise<Outcome> {
		const job = { ...reading, words: this.#words };
		const outcome = this.#before.then(() => outcomeOf<Outcome>(this.#script, job));
		this.#before = outcome.catch(() => undefined);
		return outcome;
	}
}

async function outcomeOf<Outcome>(script: string, job: ReadingJob): Promise<Outcome> {
	const worker = new Worker(script, {
		workerData: job,
		// The thread gets nothing of the environment but what is in the job.
		env: {},
		resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
	});
	let timer: NodeJS.Timeout | undefined;
	try {
		return await new Promise<Outcome>((resolve, reject) => {
			timer = setTimeout(() => {
				reject(new Error(l10n.t('it takes longer than {0} s to read; shorten it', deadlineMs / 1000)));
			}, deadlineMs);
			worker.once('message', resolve).once('error', reject);
			worker.once('exit', (code) => reject(new Error(`exit code ${code}`)));
		});
	} finally {
		clearTimeout(timer);
		await worker.terminate();
	}
}

function unreadable(error: unknown): LoadedConfig {
	const start = { line: 0, character: 0 };
	const reason = error instanceof Error ? error.message : String(error);
	const message = l10n.t('The file cannot be read: {0}', reason);
	return { config: undefined, problems: [{ severity: 'error', message, path: [], start, end: start }] };
}
