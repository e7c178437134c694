import * as l10n from '@vscode/l10n';
import type { CallProgress } from '../mcp/connection/connection.ts';

/** `3 of 10: copying`, as far as the server says so. */
export function progressText({ progress, total, message }: CallProgress): string {
	const count = total === undefined ? `${progress}` : l10n.t('{0} of {1}', progress, total);
	return message ? l10n.t('{0}: {1}', count, message) : count;
}
