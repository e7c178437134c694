import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PROJECT_ROOT } from './projectPaths.ts';

const LEASH = path.join(import.meta.dirname, 'leash.mjs');

/** How a child is started; standard input belongs to the leash. */
export interface LeashOptions {
	readonly cwd?: string;
	/** Added to our own environment; `undefined` takes a variable out. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** What becomes of stdout and stderr: shown, or left to read from the child's streams. */
	readonly output?: 'inherit' | 'pipe';
}

/** A command that failed: what was run and how it ended. */
export class CommandFailed extends Error {
	override readonly name = 'CommandFailed';
	readonly exitCode: number | null;

	constructor(command: string, exitCode: number | null, output: string) {
		super(`${command} ended with code ${exitCode}${output && `\n${output}`}`);
		this.exitCode = exitCode;
	}
}

/** Starts a command whose whole process group ends when its stdin is closed or when we die, however we die. */
export function spawnLeashed(
	command: string,
	args: readonly string[],
	options: LeashOptions = {},
): ChildProcess {
	const output = options.output ?? 'inherit';
	const spawnOptions: SpawnOptions = {
		cwd: options.cwd ?? PROJECT_ROOT,
		env: { ...process.env, ...options.env },
		stdio: ['pipe', output, output],
		detached: true,
	};
	return spawn(process.execPath, [LEASH, command, ...args], spawnOptions);
}

/** Runs a command to its end and returns its output (empty when inherited); throws {@link CommandFailed}. */
export async function run(
	command: string,
	args: readonly string[],
	options: LeashOptions = {},
): Promise<string> {
	const child = spawnLeashed(command, args, options);
	let output = '';
	const collect = (chunk: Buffer): void => {
		output += chunk.toString();
	};
	child.stdout?.on('data', collect);
	child.stderr?.on('data', collect);
	const [exitCode] = (await once(child, 'close')) as [number | null];
	if (exitCode !== 0) throw new CommandFailed([command, ...args].join(' '), exitCode, output);
	return output;
}

/** Ends a leashed child and everything it started; resolves when it is gone. */
export async function release(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, 'exit');
	child.stdin?.destroy();
	await gone;
}
