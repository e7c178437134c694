import * as l10n from '@vscode/l10n';
import { assertNever } from '../../common/assertNever.ts';
import { RegistryError } from '../../mcp/registry.ts';

/** What the user can do about a failed search. */
export type FailureAction = 'retry' | 'openSettings';

/** What happened, and what to do. */
interface FailureLabels {
	readonly what: string;
	readonly advice?: string;
	readonly actions: readonly FailureAction[];
}

/** Why a registry could not be searched. `host`: of the registry. */
export function registryFailureLabels(error: unknown, host: string): FailureLabels {
	if (!(error instanceof RegistryError)) {
		return { what: error instanceof Error ? error.message : String(error), actions: ['retry'] };
	}
	const { failure } = error;
	const wrongAddress = {
		advice: l10n.t('Check the setting “mcpDiscovery.registry”.'),
		actions: ['openSettings'],
	} as const;
	switch (failure.kind) {
		case 'unreachable':
			return {
				what: l10n.t('{0} cannot be reached', host),
				advice: l10n.t('Check your connection and the setting “mcpDiscovery.registry”.'),
				actions: ['retry', 'openSettings'],
			};
		case 'slow':
			return { what: l10n.t('{0} did not answer within {1} s', host, failure.seconds), actions: ['retry'] };
		case 'large':
			return {
				what: l10n.t('{0} answered with more than {1} MB', host, failure.megabytes),
				advice: l10n.t('Enter more of the name.'),
				actions: [],
			};
		case 'failed':
			return {
				what: l10n.t('{0} answered with HTTP {1}', host, failure.status),
				advice: l10n.t('The registry cannot answer now. Try again later.'),
				actions: ['retry'],
			};
		case 'refused':
			return { what: l10n.t('{0} answered with HTTP {1}', host, failure.status), ...wrongAddress };
		case 'redirected':
			return {
				what: l10n.t('{0} redirects to another URL', host),
				advice: l10n.t('Enter that URL in the setting “mcpDiscovery.registry”.'),
				actions: ['openSettings'],
			};
		case 'malformed':
			return { what: l10n.t('{0} did not return a list of servers', host), ...wrongAddress };
		default:
			return assertNever(failure);
	}
}
