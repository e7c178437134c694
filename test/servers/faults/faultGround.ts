import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type CountedProcess, childrenOf, markedProcesses, stillRuns } from './census.ts';
import type { Fault, FaultGroup, FaultRow, FaultTransport } from './fault.ts';
import { faultLaunch, startRemoteFault, stdioLaunch } from './faultServers.ts';
import { type FromHost, tellHost } from './hostMessages.ts';
import { watchHost } from './hostWatch.ts';
import { problemsOf } from './problems.ts';

const hostScript = fileURLToPath(new URL('../../../dist/test/faultHost.js', import.meta.url));
const markName = 'FAULT_TRIAL';
/** How long to wait for processes to end before they count as orphans: far longer than a pool or a reaper needs. */
const orphanPatienceMs = 60_000;
const orphanPollMs = 20;

/**
 * The limits of every trial: short waits where waiting only costs time, long ones where a busy machine needs them, and the extension's own
 * sizes.
 */
const trialLimits = {
	firstStartMs: 0,
	connectMs: 60_000,
	listPageMs: 60_000,
	callIdleMs: 60_000,
	restartDelaysMs: [60_000],
	closeGraceMs: 100,
	closeTermMs: 200,
} as const;

/** A variable in the environment of everything that a trial starts, by which its processes are found. */
type Mark = Readonly<Record<typeof markName, string>>;

const newMark = (): Mark => ({ [markName]: randomUUID() });

/** A process that stands for the extension host. It tries one fault after the other. */
export class FaultGround {
	#host: Host | undefined;
	/** Settles when no trial runs. */
	#last: Promise<unknown> = Promise.resolve();

	/** Tries one fault over one transport after the earlier ones. Rejects only if the host itself fails. */
	try(group: FaultGroup, fault: Fault, transport: FaultTransport): Promise<FaultRow> {
		const row = this.#last.then(() => this.#try(group, fault, transport));
		this.#last = row.catch(() => {});
		return row;
	}

	async #try(group: FaultGroup, fault: Fault, transport: FaultTransport): Promise<FaultRow> {
		const { process: host, said, mark: hostMark } = await this.#readyHost();
		const mark = newMark();
		const remote = transport === 'stdio' ? undefined : await startRemoteFault(fault, transport);
		const endWatch = watchHost(host);
		try {
			tellHost(host, {
				kind: 'try',
				faulty: remote?.launch ?? stdioLaunch(fault, mark),
				healthy: faultLaunch(['healthy'], hostMark),
				limits: { ...trialLimits, ...fault.limits },
				lookOnMs: fault.lookOnMs ?? 0,
				stay: fault.end !== undefined,
			});
			const answer = await said('seen', 'broken');
			const started = fault.end ? await this.#kill(host, fault.end === 'killed after its reaper') : [];
			const ended = fault.end || answer.kind === 'broken' ? undefined : await said('ready', 'broken');
			const { stallMs, memoryBytes } = endWatch();
			const orphans = await orphansOf(fault.end ? [mark, hostMark] : [mark], started);
			const broken = [answer, ended].flatMap((one) => (one?.kind === 'broken' ? [one.error] : []));
			if (broken.length > 0) await this.#kill(host);
			const [seen, healthy] =
				answer.kind === 'seen' ? [answer.seen, answer.healthy] : [undefined, { answered: 0, failed: 0 }];
			const row = { group, name: fault.name, transport, seen, healthy, stallMs, memoryBytes, orphans };
			return { ...row, problems: [...broken, ...problemsOf(fault, row)] };
		} finally {
			endWatch();
			remote?.end();
		}
	}

	/** Rejects if processes of the last host remain. */
	async dispose(): Promise<void> {
		if (!this.#host) return;
		const { process, mark } = this.#host;
		const orphans = await orphansOf([mark], await this.#kill(process));
		if (orphans.length > 0) throw new Error(`left over: ${orphans.join('; ')}`);
	}

	async #readyHost(): Promise<Host> {
		if (this.#host) return this.#host;
		const process = fork(hostScript, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
		this.#host = { process, said: answers(process), mark: newMark() };
		await this.#host.said('ready');
		return this.#host;
	}

	/**
	 * Kills the host, and if wanted first its reaper, which the host then starts again. Resolves to the processes that the host had started.
	 */
	async #kill(host: ChildProcess, reaperToo = false): Promise<readonly CountedProcess[]> {
		this.#host = undefined;
		if (reaperToo) await killReaper(host);
		const started = childrenOf(host.pid ?? 0);
		if (host.exitCode === null && host.signalCode === null) {
			const exit = once(host, 'exit');
			host.kill('SIGKILL');
			await exit;
		}
		return started;
	}
}

/** Resolves when the host has started another one, and told it what to end. */
async function killReaper(host: ChildProcess): Promise<void> {
	const reapers = () => childrenOf(host.pid ?? 0).filter(({ command }) => command.includes('reaper'));
	const killed = reapers();
	for (const { pid } of killed) process.kill(pid, 'SIGKILL');
	const isNew = (one: CountedProcess) => !killed.some(({ pid }) => pid === one.pid);
	const deadline = performance.now() + orphanPatienceMs;
	while (!reapers().some(isNew) && performance.now() < deadline) await delay(orphanPollMs);
	// The host tells it in the same turn of its event loop in which it starts it, and answers later.
	await new Promise<void>((resolve) => {
		const onMessage = (message: FromHost) => {
			if (message.kind !== 'pong' || message.n !== 0) return;
			host.off('message', onMessage);
			resolve();
		};
		host.on('message', onMessage);
		tellHost(host, { kind: 'ping', n: 0 });
	});
}

interface Host {
	readonly process: ChildProcess;
	readonly said: ReturnType<typeof answers>;
	/** In the environment of its healthy server. */
	readonly mark: Mark;
}

type Answer<Kind extends FromHost['kind']> = FromHost & { readonly kind: Kind };

/** Reads a host's messages in order. The end of the host counts as `broken`. */
function answers(
	host: ChildProcess,
): <Kind extends FromHost['kind']>(...kinds: Kind[]) => Promise<Answer<Kind>> {
	const said: FromHost[] = [];
	let wake = () => {};
	const add = (message: FromHost) => {
		if (message.kind === 'pong') return;
		said.push(message);
		wake();
	};
	host
		.on('message', add)
		.once('exit', (code, signal) => add({ kind: 'broken', error: `the host ended: ${signal ?? code}` }));
	return async <Kind extends FromHost['kind']>(...kinds: Kind[]) => {
		for (;;) {
			const message = said.shift();
			if (!message) await new Promise<void>((resolve) => (wake = resolve));
			else if ((kinds as string[]).includes(message.kind)) return message as Answer<Kind>;
			else if (message.kind === 'broken') throw new Error(message.error);
		}
	};
}

/** Waits until every process with one of the marks has ended, and kills those that have not. */
async function orphansOf(
	marks: readonly Mark[],
	started: readonly CountedProcess[],
): Promise<readonly string[]> {
	const left = () => [
		...marks.flatMap((mark) => markedProcesses(`${markName}=${mark[markName]}`)),
		...started.filter(stillRuns),
	];
	const deadline = performance.now() + orphanPatienceMs;
	while (left().length > 0 && performance.now() < deadline) await delay(orphanPollMs);
	const orphans = left();
	for (const { pid } of orphans) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has just ended by itself.
		}
	}
	return orphans.map(({ pid, command }) => `${pid} ${command}`);
}
