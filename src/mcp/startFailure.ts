import { exitError, ServerError } from './serverError.ts';

/** What a failed attempt to start is told as. To the pool a server starts until its tools are listed; what ends it before then is no crash. */
export function startFailure(server: string, error: unknown, exitedAtOnceMs: number): ServerError {
	if (!(error instanceof ServerError)) {
		const message = `Server "${server}" cannot start: ${error instanceof Error ? error.message : error}`;
		return new ServerError(server, 'protocol', message, { cause: error });
	}
	if (error.reason !== 'crashed') return error;
	return exitError(server, error.exit, error.stderr, { phase: 'starting', exitedAtOnceMs });
}
