import * as l10n from '@vscode/l10n';
import { oneLine } from '../../common/text.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import type { Services } from '../../services.ts';

type ListState = ReturnType<Services['languageModels']['modelLists']['stateOf']>;
type ListFailure = NonNullable<ListState['failure']>;

export const nameCharacters = 60;
const messageCharacters = 400;

/** The remark in the Servers view about a client without models. */
export function missingModels(client: ClientDefinition, { models, failure }: ListState): string | undefined {
	return failure && models.length === 0 ? listFailureLabel(client, failure) : undefined;
}

/** `12 models`. */
export function modelCount(n: number): string {
	return n === 1 ? l10n.t('1 model') : l10n.t('{0} models', n);
}

/** Why listing a client's models failed. */
export function listFailureLabel({ name }: ClientDefinition, failure: ListFailure): string {
	const reason =
		failure.kind === 'notAsked'
			? l10n.t('run “Discovery: Refresh Models” to list them.')
			: oneLine(failure.message, messageCharacters);
	return l10n.t('Models of “{0}” could not be listed: {1}', oneLine(name, nameCharacters), reason);
}
