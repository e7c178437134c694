import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ArgumentCheck } from './loopOptions.ts';

/** Checks arguments where a server's schema can do no harm; where it cannot be checked there, the server will say what is wrong. */
export function argumentCheck(sandbox: Sandbox): ArgumentCheck {
	return async (schema, input, server) => {
		const outcome = await sandbox.validate(schema, input, server);
		return outcome.kind === 'invalid' ? outcome.faults : [];
	};
}
