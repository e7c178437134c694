import { sentence } from '../../common/text.ts';
import { ServerError } from '../serverError.ts';

/** The process could not even be started; `error` is what spawn gave. */
export function spawnError(
	server: string,
	launch: { readonly command: string; readonly cwd: string },
	error: { readonly code?: string | undefined; readonly message: string },
	folderExists: boolean,
): ServerError {
	const cause = { cause: error };
	if (!folderExists) {
		return new ServerError(
			server,
			'folder-missing',
			sentence`Server "${server}" cannot start: the folder ${launch.cwd} does not exist. Create it or correct "cwd".`,
			cause,
		);
	}
	switch (error.code) {
		case 'ENOENT':
			return new ServerError(
				server,
				'command-not-found',
				sentence`Server "${server}" cannot start: the command "${launch.command}" was not found. ` +
					'Install it, or give its full path as "command".',
				cause,
			);
		case 'EACCES':
		case 'EPERM':
		case 'ENOEXEC':
			return new ServerError(
				server,
				'not-executable',
				sentence`Server "${server}" cannot start: "${launch.command}" may not be executed. ` +
					'Make the file executable, or name the program that runs it as "command".',
				cause,
			);
		default:
			return new ServerError(
				server,
				'spawn-failed',
				sentence`Server "${server}" cannot start: ${error.message}. Check "command", "args" and "env".`,
				cause,
			);
	}
}

/** The server has not shaken hands in time. */
export function connectTimeout(server: string, ms: number, stderr: readonly string[]): ServerError {
	const message =
		sentence`Server "${server}" did not complete the MCP handshake within ${ms / 1000} s. ` +
		'Check that it is an MCP server and of the configured transport, and look at its log.';
	return new ServerError(server, 'connect-timeout', message, { stderr });
}

/** The server has not answered with a page of its list in time. */
export function listTimeout(server: string, ms: number): ServerError {
	const message = sentence`Server "${server}" did not list its tools within ${ms / 1000} s. Restart it, or look at its log.`;
	return new ServerError(server, 'list-timeout', message);
}
