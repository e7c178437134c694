import { parentPort, workerData } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { ReadingJob } from './configReader.ts';
import { loadConfig } from './load.ts';
import { diskProblemsIn } from './missingReferences.ts';

/** The thread that reads one large configuration, or finds the places of what is wrong with it on disk: see `configReader.ts`. */
const job = workerData as ReadingJob;
if (job.words) l10n.config({ contents: job.words });
parentPort?.postMessage(
	job.kind === 'load' ? loadConfig(job.text, job.scope) : diskProblemsIn(job.text, job.findings),
);
