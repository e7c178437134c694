import { sentence } from '../../common/text.ts';
import { type ProcessExit, ServerError, type ServerErrorReason } from '../serverError.ts';
import { explanatoryLine } from '../stdio/explanatoryLine.ts';

/** Errors that only connections produce. */

/** The process could not be started; `error` comes from spawn. */
export function spawnError(
	server: string,
	launch: { readonly command: string; readonly cwd: string },
	error: { readonly code?: string | undefined; readonly message: string },
	folderExists: boolean,
): ServerError {
	const failed = (reason: ServerErrorReason, why: string) =>
		new ServerError(server, reason, sentence`Server "${server}" cannot start: ` + why, { cause: error });
	if (!folderExists)
		return failed(
			'folder-missing',
			sentence`the folder ${launch.cwd} does not exist. Create it, or correct "cwd".`,
		);
	switch (error.code) {
		case 'ENOENT':
			return failed(
				'command-not-found',
				sentence`the command "${launch.command}" was not found. ${howToGet(launch.command)}, or set "command" to its full path.`,
			);
		case 'EACCES':
		case 'EPERM':
		case 'ENOEXEC':
			return failed(
				'not-executable',
				sentence`"${launch.command}" is not executable. Make the file executable, or set "command" to the program that runs it.`,
			);
		default:
			return failed('spawn-failed', sentence`${error.message}. Check "command", "args" and "env".`);
	}
}

/** Where the programs come from that most servers are started with. */
const sources: readonly (readonly [command: RegExp, program: string])[] = [
	[/^(npx|npm|node)$/, 'Node.js (https://nodejs.org)'],
	[/^uvx?$/, 'uv (https://docs.astral.sh/uv)'],
	[/^pipx$/, 'pipx (https://pipx.pypa.io)'],
	[/^bunx?$/, 'Bun (https://bun.sh)'],
	[/^deno$/, 'Deno (https://deno.com)'],
	[/^docker$/, 'Docker (https://docs.docker.com/get-docker)'],
	[/^(dnx|dotnet)$/, '.NET (https://dotnet.microsoft.com/download)'],
	[/^(python3?|py)$/, 'Python (https://www.python.org/downloads)'],
];

/** `Install uv (https://docs.astral.sh/uv), which has "uvx"` */
function howToGet(command: string): string {
	const name = command.replace(/\.(exe|cmd|bat)$/i, '').toLowerCase();
	const [, program] = sources.find(([one]) => one.test(name)) ?? [];
	return program === undefined ? 'Install it' : `Install ${program}, then reload the window`;
}

/** The last output of a process. */
export interface ProcessOutput {
	/** Last lines of stderr, oldest first. */
	readonly stderr: readonly string[];
	/** The first line of stdout that was not an MCP message. */
	readonly garbage?: string | undefined;
}

/** The process ended, or closed its stdout, unasked. */
export function exitError(
	server: string,
	exit: ProcessExit | undefined,
	{ stderr, garbage }: ProcessOutput,
	exitedAtOnceMs: number,
): ServerError {
	const outputLine = explanatoryLine(stderr) ?? garbage;
	const how = describeExit(exit);
	if (exit && !exit.wroteToStdout && exit.afterMs < exitedAtOnceMs) {
		const message = sentence`Server "${server}" exited immediately (${how})${quotedOutput(outputLine)}.`;
		const advice =
			'Check "command", "args" and "env": it must be a program that speaks MCP over stdin and stdout.';
		return new ServerError(server, 'exited-at-once', `${message} ${advice}`, {
			stderr,
			explanation: outputLine,
		});
	}
	const message = sentence`Server "${server}" crashed (${how})${quotedOutput(outputLine)}. See its log for details.`;
	return new ServerError(server, 'crashed', message, { stderr, explanation: outputLine });
}

function describeExit(exit: ProcessExit | undefined): string {
	if (!exit) return 'it closed its stdin or stdout';
	return exit.signal ? `killed by ${exit.signal}` : `exit code ${exit.code}`;
}

/** The end of a sentence that quotes the output; empty if there is none. */
function quotedOutput(said: string | undefined): string {
	return said === undefined ? '' : `: ${said.replace(/[.:\s]+$/, '')}`;
}

/** The server did not complete the handshake in time. `isFirst`: it has never answered before. */
export function connectTimeout(
	server: string,
	ms: number,
	isFirst: boolean,
	{ stderr, garbage }: ProcessOutput,
): ServerError {
	const outputLine = garbage ?? explanatoryLine(stderr);
	const outputLabel =
		garbage === undefined ? 'Its last output was' : 'It wrote something other than an MCP message to stdout';
	const output = outputLine === undefined ? '' : sentence` ${outputLabel}: "${outputLine}".`;
	const what = isFirst
		? sentence`Server "${server}" did not answer within ${ms / 1000} s, the limit for a first start, which may have to install the server.`
		: sentence`Server "${server}" did not complete the MCP handshake within ${ms / 1000} s.`;
	const advice = isFirst
		? 'Start it again if it was still installing. If it listens on a port, start it yourself and enter its URL. Otherwise run its command in a terminal to see what it waits for.'
		: 'Check that it is an MCP server with the configured transport, and see its log.';
	const reason = isFirst ? 'never-answered' : 'connect-timeout';
	return new ServerError(server, reason, `${what}${output} ${advice}`, { stderr, explanation: outputLine });
}

/** The server did not send a page of its list in time. */
export function listTimeout(server: string, ms: number): ServerError {
	const message = sentence`Server "${server}" did not list its tools within ${ms / 1000} s. Restart it, or see its log.`;
	return new ServerError(server, 'list-timeout', message);
}
