import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import crossSpawn from 'cross-spawn';
import type { Redactor } from '../../common/secrets/redactor.ts';
import { visible } from '../../common/text.ts';
import { Turns } from '../../common/turns.ts';
import { launchSecrets, type StdioLaunch } from '../../config/servers/launch.ts';
import { exitError, type ProcessOutput, spawnError } from '../connection/connectErrors.ts';
import type { ConnectOptions } from '../connection/connectOptions.ts';
import type { Outgoing, ServerTransport } from '../connection/guardedTransport.ts';
import { requestError } from '../connection/requestError.ts';
import { type ProcessExit, ServerError, stoppedError } from '../serverError.ts';
import { childEnvironment } from './childEnvironment.ts';
import { LineSplitter, type Piece } from './lineSplitter.ts';
import { endGroup, groupEnds, markVariable, type ProcessGroup } from './processGroup.ts';
import { windowsProgram } from './windowsProgram.ts';

/**
 * Each process is started in a turn of the event loop of its own. Node.js blocks until the new process runs its program: 10 to 40 ms while many
 * servers start. Several in a row would freeze the editor.
 */
const spawning = new Turns();
export const turnToSpawn = () => spawning.run(() => nextTurn());

/** Lines of one chunk that are handled before yielding. */
const linesAtOnce = 256;
/** After a process ends, its last output may still be in the pipe. Wait until nothing has come for this long. */
const drainMs = 50;
/** A child of it may hold the pipe open forever. */
const maxDrainMs = 2_000;

/**
 * MCP over the stdin and stdout of a child process. The SDK's own transport leaves the child's children alive: behind `npx` or a shell that
 * is the server itself. Here the child leads a process group, and the group is ended. No shell ever reads the command.
 */
export class StdioTransport implements ServerTransport {
	onpiece: ServerTransport['onpiece'];
	onclose: (() => void) | undefined;

	readonly #launch: StdioLaunch;
	readonly #options: ConnectOptions;
	readonly #mark = randomUUID();
	#startedAt = 0;
	/** When stdout last produced something. */
	#heardAt = 0;
	readonly #stdout: LineSplitter;
	readonly #stderr: LineSplitter;
	#process: ChildProcess | undefined;
	#group: ProcessGroup | undefined;
	#exit: ProcessExit | undefined;
	#stderrTail: string[] = [];
	#garbageLines = 0;
	/** The first line of stdout that was not a message. */
	#garbage: string | undefined;
	#wroteToStdout = false;
	#ended = false;
	#closing: Promise<void> | undefined;
	/** Resolves when stdout has been read to its end. */
	#reading: Promise<void> = Promise.resolve();

	constructor(launch: StdioLaunch, options: ConnectOptions) {
		this.#launch = launch;
		this.#options = options;
		this.#stdout = new LineSplitter(options.limits.messageBytes);
		this.#stderr = new LineSplitter(options.limits.logLineBytes);
	}

	explain(error: unknown): ServerError {
		if (error instanceof ServerError) return error;
		const { server, limits } = this.#options;
		const hasEnded = this.#ended || this.#exit !== undefined || error === undefined;
		if (!hasEnded) return requestError(server, error, this.#redactor);
		return exitError(server, this.#exit, this.output, limits.exitedAtOnceMs);
	}

	get output(): ProcessOutput {
		const redactor = this.#redactor;
		return {
			stderr: this.#stderrTail.map((line) => redactor.hide(line)),
			garbage: this.#garbage,
		};
	}

	/** Starts the process unless it runs; rejects with a `ServerError` if that fails. */
	async start(): Promise<void> {
		if (this.#process) return;
		const { command, args, cwd } = this.#launch;
		await turnToSpawn();
		if (this.#closing) throw stoppedError(this.#options.server);
		this.#startedAt = performance.now();
		try {
			const environment = childEnvironment(this.#launch, { editorProxy: this.#options.editorProxy?.() });
			this.#redactor.add(launchSecrets({ ...this.#launch, env: environment }));
			const program = process.platform === 'win32' ? windowsProgram(command, environment) : command;
			const child = crossSpawn(program, args, {
				cwd,
				env: { ...environment, ...markVariable(this.#mark) },
				stdio: ['pipe', 'pipe', 'pipe'],
				shell: false,
				// On Windows, a detached process would open a console window, and trees are ended without groups.
				detached: process.platform !== 'win32',
				windowsHide: true,
			});
			this.#process = child;
			if (child.pid !== undefined) {
				this.#group = { id: child.pid, mark: this.#mark };
				this.#options.groups.track(this.#group);
			}
			this.#listen(child);
			await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
		} catch (error) {
			const { code, message } = error as NodeJS.ErrnoException;
			const failure = { code, message: this.#redactor.hide(message) };
			const redacted = { command: this.#redactor.hide(command), cwd: this.#redactor.hide(cwd) };
			throw spawnError(this.#options.server, redacted, failure, existsSync(cwd));
		}
	}

	async send({ message }: Outgoing): Promise<void> {
		const stdin = this.#process?.stdin;
		// A process that never reads would make us buffer everything.
		if (stdin && stdin.writableLength > this.#options.limits.messageBytes)
			throw new Error('The process does not read what it is sent.');
		if (this.#ended) throw new Error('The process is not running.');
		if (stdin?.writable) stdin.write(`${JSON.stringify(message)}\n`);
		else this.#expectExit();
	}

	/** Ends the process and everything it started; resolves when nothing is left. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		if (this.#group) {
			this.#process?.stdin?.end();
			await groupEnds(this.#group, this.#options.limits.closeGraceMs);
			await this.#endGroup(this.#group);
		}
		this.#end();
	}

	#listen(child: ChildProcess): void {
		if (child.stdout) this.#reading = this.#readMessages(child.stdout);
		child.stderr?.on('data', (chunk: Buffer) => {
			for (const line of this.#stderr.push(chunk)) this.#logStderr(line);
			giveWay(child.stderr);
		});
		// `start` reports a failed start.
		child.on('error', () => {});
		// The pipe breaks before the exit is reported, and the exit explains more.
		child.stdin?.on('error', () => this.#expectExit());
		child.once('exit', (code, signal) => {
			this.#exit = {
				code,
				signal,
				afterMs: performance.now() - this.#startedAt,
				wroteToStdout: this.#wroteToStdout,
			};
			// `close` waits for the pipes, which a grandchild may hold open forever.
			this.#drain(performance.now() + maxDrainMs);
			if (!this.#closing && this.#group) void this.#endGroup(this.#group);
		});
		child.once('close', () => this.#end());
	}

	/** Reads on only after handling what has arrived; the rest stays in the pipe. */
	async #readMessages(stdout: Readable): Promise<void> {
		try {
			for await (const chunk of stdout) {
				this.#wroteToStdout = true;
				this.#heardAt = performance.now();
				let lines = 0;
				for (const line of this.#stdout.push(chunk)) {
					if (line instanceof Buffer && line.length === 0) continue;
					await this.#receive(line);
					lines += 1;
					if (lines % linesAtOnce === 0) await nextTurn();
				}
				// Yield: during a flood, the event loop would otherwise take many chunks at once.
				await nextTurn();
			}
		} catch {
			// We closed it, or it broke. Its end is handled elsewhere.
		}
		for (const line of this.#stdout.end()) await this.#receive(line);
		this.#expectExit();
	}

	#drain(until: number): void {
		setTimeout(() => {
			const now = performance.now();
			if (now - this.#heardAt < drainMs && now < until) this.#drain(until);
			else this.#end();
		}, drainMs);
	}

	/** A process that has closed stdin or stdout exits now, or lives on and will never answer. */
	#expectExit(): void {
		setTimeout(() => {
			if (this.#exit) return;
			this.#end();
			void this.close();
		}, this.#options.limits.closeGraceMs);
	}

	async #endGroup(group: ProcessGroup): Promise<void> {
		await endGroup(group, this.#options.limits.closeTermMs);
		this.#options.groups.forget(group);
	}

	#end(): void {
		if (this.#ended) return;
		this.#ended = true;
		for (const line of this.#stderr.end()) this.#logStderr(line);
		// A grandchild that left the group may still hold our ends of the pipes.
		this.#process?.stdout?.destroy();
		this.#process?.stderr?.destroy();
		// Deliver answers among the last output first.
		void this.#reading.then(() => this.onclose?.());
	}

	async #receive(line: Piece): Promise<void> {
		const reading = await this.onpiece?.(line);
		if (reading !== 'garbage') return;
		const beginning = this.#beginning(line, 200);
		this.#garbage ??= beginning || undefined;
		this.#garbageLines += 1;
		if (this.#garbageLines <= this.#options.limits.garbageLogLines)
			this.#options.onLog('warn', `skipped a line on stdout that is not a JSON-RPC message: ${beginning}`);
	}

	get #redactor(): Redactor {
		return this.#options.redactor;
	}

	/** Hides secrets before cutting a line: half of a secret would not be recognized. */
	#beginning(line: Piece, length: number): string {
		const bytes = Buffer.isBuffer(line) ? line : line.head;
		const read = visible(bytes.toString('utf8', 0, 10 * length).trim());
		const isCut = !Buffer.isBuffer(line) || bytes.length > 10 * length;
		return (isCut ? this.#redactor.hideCut(read) : this.#redactor.hide(read)).slice(0, length);
	}

	#logStderr(line: Piece): void {
		const text = Buffer.isBuffer(line)
			? line.toString('utf8').replace(/\r$/, '')
			: `${this.#redactor.hideCut(visible(line.head.toString('utf8')))}… (cut)`;
		this.#stderrTail.push(text);
		if (this.#stderrTail.length > this.#options.limits.stderrTailLines) this.#stderrTail.shift();
		this.#options.onLog('info', text);
	}
}

/** Resumes in the next turn: during a flood, the event loop would otherwise take many chunks at once. */
function giveWay(stream: Readable | null): void {
	stream?.pause();
	setImmediate(() => stream?.resume());
}
