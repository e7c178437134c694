import type { Redactor } from '../common/secrets/redactor.ts';
import { sentence } from '../discovery/text.ts';
import { exitError, ServerError } from './serverError.ts';

/** What a failed attempt to start is told as. To the pool a server starts until its tools are listed; what ends it before then is no crash. */
export function startFailure(
	server: string,
	error: unknown,
	exitedAtOnceMs: number,
	redactor: Redactor,
): ServerError {
	if (!(error instanceof ServerError)) {
		const said = redactor.hide(error instanceof Error ? error.message : String(error));
		const message = sentence`Server "${server}" cannot start: ${said}`;
		return new ServerError(server, 'protocol', message, { cause: error });
	}
	if (error.reason !== 'crashed') return error;
	return exitError(server, error.exit, error.stderr, { phase: 'starting', exitedAtOnceMs });
}
