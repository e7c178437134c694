import * as l10n from '@vscode/l10n';
import { oneLine } from '../../common/text.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import type { ModelLists } from '../core/modelLists.ts';

type ListState = ReturnType<ModelLists['stateOf']>;

const nameCharacters = 60;
const messageCharacters = 400;

/** The remark in the Servers view about a client whose models cannot be listed; `undefined`: nothing is wrong. */
export function missingModels(
	{ name, auth }: ClientDefinition,
	{ models, failure }: ListState,
): string | undefined {
	if (!failure || models.length > 0) return undefined;
	const reason =
		failure.kind === 'failed'
			? oneLine(failure.message, messageCharacters)
			: auth === 'microsoft'
				? l10n.t('name them in the configuration.')
				: l10n.t('name them in the configuration, or set an API key for this URL.');
	return l10n.t('Models of “{0}” could not be listed: {1}', oneLine(name, nameCharacters), reason);
}
