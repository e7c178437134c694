/**
 * Stands for the extension host: a process of its own that holds a pool of two servers, one faulty and one healthy. Run with
 * an IPC channel, over which it is told what to try, and pinged meanwhile: see `hostMessages.ts`. It is run as a bundle,
 * `dist/test/faultHost.js`, beside the other bundles: it is started often, and the sources take five times as long to load.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import { ServerError } from '../../../src/mcp/serverError.ts';
import type { ServerPool } from '../../../src/mcp/serverPool.ts';
import type { ServerStatus } from '../../../src/mcp/serverStatus.ts';
import { openPool } from '../openPool.ts';
import type { CallOutcome, FaultSeen } from './fault.ts';
import type { FromHost, ToHost } from './hostMessages.ts';

type Trial = ToHost & { readonly kind: 'try' };

/** Pause between two calls to the healthy server. */
const healthyEveryMs = 50;
/** No start takes longer: the limits of the trials are shorter. */
const startMs = 60_000;
/** Longest text of an answer that is reported, in characters. */
const longestText = 100;

// Nobody is left to report a failure to.
const tell = (message: FromHost) => process.send?.(message, undefined, undefined, () => {});

/** The pool of the earlier trials with its healthy server, as in a window that has been open for a while. */
let kept:
	| { readonly pool: ServerPool; readonly limits: Trial['limits']; readonly folder: string }
	| undefined;

async function attempt(trial: Trial): Promise<void> {
	const pool = await poolWith(trial.limits);
	const healthy = ['healthy', trial.healthy] as const;
	pool.setLaunches(new Map([healthy]));
	await pool.whenReady(['healthy'], { timeoutMs: startMs });
	const over = new AbortController();
	const witness = callAgainAndAgain(pool, over.signal);
	pool.setLaunches(new Map([healthy, ['faulty', trial.faulty]]));
	const seen = { ...(await lookAt(pool, trial.lookOnMs)), oddLogLines: oddLogLines(pool) };
	over.abort();
	tell({ kind: 'seen', seen, healthy: await witness });
	if (trial.stay) return;
	await pool.stop('faulty');
	pool.setLaunches(new Map([healthy]));
	tell({ kind: 'ready' });
}

/** A pool cannot change its limits: other limits need a new pool. */
async function poolWith(limits: Trial['limits']): Promise<ServerPool> {
	if (kept && isDeepStrictEqual(kept.limits, limits)) return kept.pool;
	if (kept) {
		await kept.pool.dispose();
		rmSync(kept.folder, { recursive: true, force: true });
	}
	const folder = mkdtempSync(join(tmpdir(), 'mcp-faults-'));
	// A user who accepts every question at once.
	const pool = await openPool(folder, { limits, ask: async () => ({ action: 'accept', content: {} }) });
	kept = { pool, limits, folder };
	return pool;
}

/** Calls the healthy server until told to stop, and at least once after the fault has begun. */
async function callAgainAndAgain(
	pool: ServerPool,
	over: AbortSignal,
): Promise<{ answered: number; failed: number }> {
	const count = { answered: 0, failed: 0 };
	do {
		const outcome = await outcomeOf(pool, 'healthy', 'work');
		if ('text' in outcome && outcome.text === 'work done') count.answered += 1;
		else count.failed += 1;
		await delay(healthyEveryMs);
	} while (!over.aborted);
	return count;
}

async function lookAt(pool: ServerPool, lookOnMs: number): Promise<Omit<FaultSeen, 'oddLogLines'>> {
	await pool.whenReady(['faulty'], { timeoutMs: startMs });
	const started = faultyOf(pool);
	const startSeen = describeStart(started);
	if (started.state.kind !== 'ready') return startSeen;
	const fault = await outcomeOf(pool, 'faulty', 'fault');
	await delay(lookOnMs);
	return { ...startSeen, fault, after: await outcomeOf(pool, 'faulty', 'work') };
}

function faultyOf(pool: ServerPool): ServerStatus {
	const status = pool.servers().find(({ name }) => name === 'faulty');
	if (!status) throw new Error('the faulty server is not in the pool');
	return status;
}

function describeStart({ state, tools, dropped, cutShort }: ServerStatus): Omit<FaultSeen, 'oddLogLines'> {
	const failed = state.kind === 'failed' ? state.error : undefined;
	return {
		start: failed ? failed.reason : (state.kind as 'ready'),
		...(failed ? { message: failed.message, stderrLines: failed.details.stderr?.length ?? 0 } : {}),
		tools: tools.length,
		dropped: dropped.length,
		...(cutShort === undefined ? {} : { cutShort }),
	};
}

function oddLogLines(pool: ServerPool): number {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
	return pool.log('faulty').filter(({ line }) => /[\u0000-\u0008\u001b\u200b\u202e]/.test(line)).length;
}

async function outcomeOf(pool: ServerPool, server: string, tool: string): Promise<CallOutcome> {
	try {
		const result = await pool.callTool(server, tool, {});
		const text = resultText(result).slice(0, longestText);
		return result.isError ? { text, isError: true } : { text };
	} catch (error) {
		if (error instanceof ServerError) return { reason: error.reason, message: error.message };
		return { reason: 'other', message: String(error) };
	}
}

process.on('message', (message: ToHost) => {
	if (message.kind === 'ping') tell({ kind: 'pong', n: message.n });
	else attempt(message).catch((error) => tell({ kind: 'broken', error: String(error?.stack ?? error) }));
});
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
	process.on(event, (error: unknown) =>
		tell({ kind: 'broken', error: `${event}: ${error instanceof Error ? error.stack : error}` }),
	);
// A window loads this long before a server fails.
await import('../../../src/mcp/connection/connect.ts');
tell({ kind: 'ready' });
