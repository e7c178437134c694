import * as l10n from '@vscode/l10n';
import { unprintable } from './serverName.ts';

/** Longest name of a model or client: it stands in pickers and questions. */
const maxNameLength = 64;

/** Why a model, or a client, cannot have this name, or nothing. */
export function modelNameFault(name: string): string | undefined {
	if (name.trim() === '') return l10n.t('the name must not be empty');
	if (name.length > maxNameLength) {
		return l10n.t('the name has at most {0} characters, this one has {1}', maxNameLength, name.length);
	}
	if (unprintable.test(name)) {
		return l10n.t('the name can hold no control characters and no invisible ones');
	}
	// Legal as a key, but no place that shows or stores it should have to be tried with it.
	return name === '__proto__' ? l10n.t('choose another name') : undefined;
}
