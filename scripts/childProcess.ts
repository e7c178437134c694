import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PROJECT_ROOT } from './projectPaths.ts';

const LEASH = path.join(import.meta.dirname, 'leash.mjs');

/** How to start a child. The leash uses its standard input. */
export interface LeashOptions {
	readonly cwd?: string;
	/** Added to our own environment; `undefined` removes a variable. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Show stdout and stderr, or leave them to be read from the child's streams. */
	readonly output?: 'inherit' | 'pipe';
}

/** A command failed. The message says what ran and how it ended. */
export class CommandFailed extends Error {
	override readonly name = 'CommandFailed';
	readonly exitCode: number | null;

	constructor(command: string, exitCode: number | null, output: string) {
		super(`${command} ended with code ${exitCode}${output && `\n${output}`}`);
		this.exitCode = exitCode;
	}
}

/** Starts a command whose process group ends when its stdin closes or when this process dies for any reason. */
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
		// On Windows, a detached process would get a console window.
		windowsHide: true,
	};
	return spawn(process.execPath, [LEASH, command, ...args], spawnOptions);
}

/** Runs a command and returns its output (empty if inherited). Throws {@link CommandFailed}. */
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

/** Ends a leashed child and everything that it started. Resolves when all are gone. */
export async function release(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, 'exit');
	child.stdin?.destroy();
	await gone;
}
