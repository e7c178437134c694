import * as l10n from '@vscode/l10n';
import { oneLine } from '../../common/text.ts';
import type { ClientDefinition } from '../../config/config.ts';
import type { LensLabel } from '../config/codeLensLabels.ts';
import { commands } from '../ui/ids.ts';
import type { ListFailure, ListState } from './modelLists.ts';

/** Characters of a client's name, and of what has gone wrong, that are shown. */
export const nameCharacters = 60;
const messageCharacters = 400;

/** What the Servers view says of a client whose models it would offer, and has none; `undefined`: nothing. */
export function missingModels(client: ClientDefinition, { models, failure }: ListState): string | undefined {
	return failure && models.length === 0 ? listFailureLabel(client, failure) : undefined;
}

/** What stands over a client in the configuration file whose models are all offered, and what can be done about it. */
export function clientLens(
	client: ClientDefinition,
	{ models, leftOut, failure }: ListState,
): readonly LensLabel[] {
	const withoutTools = models.filter(({ tools }) => tools === false).length;
	const words = [
		modelCount(models.length - withoutTools),
		...(withoutTools > 0 ? [l10n.t('{0} more cannot call tools', withoutTools)] : []),
		...(leftOut > 0 ? [l10n.t('{0} left out', leftOut)] : []),
	];
	const wantsKey = failure?.kind === 'failed' && failure.wantsKey;
	return [
		...(models.length > 0 || !failure ? [{ title: `$(list-unordered) ${words.join(' · ')}` }] : []),
		...(failure ? [{ title: `$(warning) ${listFailureReason(failure)}` }] : []),
		{ title: l10n.t('Refresh Models'), command: commands.refreshModels, argument: client.name },
		...(wantsKey
			? [{ title: l10n.t('Set API Key…'), command: commands.setApiKey, argument: client.name }]
			: []),
	];
}

/** `12 models`. */
export function modelCount(n: number): string {
	return n === 1 ? l10n.t('1 model') : l10n.t('{0} models', n);
}

/** Why a client has no list of models, or no new one. */
export function listFailureLabel({ name }: ClientDefinition, failure: ListFailure): string {
	return l10n.t('No list of models of “{0}”: {1}', oneLine(name, nameCharacters), listFailureReason(failure));
}

function listFailureReason(failure: ListFailure): string {
	return failure.kind === 'notAsked'
		? l10n.t('its address is not asked before you run “Discovery: Refresh Models”.')
		: oneLine(failure.message, messageCharacters);
}
