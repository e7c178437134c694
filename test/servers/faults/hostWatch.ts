import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type FromHost, tellHost } from './hostMessages.ts';

const pingEveryMs = 25;
const pageBytes = 4096;
const nanosecondsPerMs = 1_000_000;

/** What was measured. */
export interface Watched {
	/** The longest time in which the process answered a ping, less the time in which either process waited for a processor. */
	readonly stallMs: number;
	/** The largest growth of its memory. */
	readonly memoryBytes: number;
}

/** Pings a process and measures its memory. Call the result to stop. */
export function watchHost(host: ChildProcess): () => Watched {
	const pid = host.pid ?? 0;
	const memoryBefore = residentBytes(pid);
	let stallMs = 0;
	let memory = memoryBefore;
	let pinged: { readonly n: number; readonly at: number; readonly waited: number } | undefined;
	const sinceMs = (from: NonNullable<typeof pinged>) =>
		performance.now() - from.at - (waitedForProcessorMs(pid) - from.waited);
	const note = () => {
		memory = Math.max(memory, residentBytes(pid));
		if (pinged) stallMs = Math.max(stallMs, sinceMs(pinged));
	};
	const onMessage = (message: FromHost) => {
		if (message.kind !== 'pong' || message.n !== pinged?.n) return;
		note();
		pinged = undefined;
	};
	let n = 0;
	const timer = setInterval(() => {
		if (pinged || !host.connected) return note();
		n += 1;
		pinged = { n, at: performance.now(), waited: waitedForProcessorMs(pid) };
		tellHost(host, { kind: 'ping', n });
	}, pingEveryMs);
	host.on('message', onMessage);
	return () => {
		clearInterval(timer);
		host.off('message', onMessage);
		return { stallMs: Math.max(0, stallMs), memoryBytes: memory - memoryBefore };
	};
}

/** How long both processes waited for a processor; 0 where the system does not tell. */
function waitedForProcessorMs(pid: number): number {
	return (
		[pid, process.pid].reduce(
			(sum, id) => sum + Number(procFile(`${id}/task/${id}/schedstat`).split(' ')[1] ?? 0),
			0,
		) / nanosecondsPerMs
	);
}

function residentBytes(pid: number): number {
	return Number(procFile(`${pid}/statm`).split(' ')[1] ?? 0) * pageBytes;
}

function procFile(path: string): string {
	try {
		return readFileSync(`/proc/${path}`, 'utf8');
	} catch {
		return '';
	}
}
