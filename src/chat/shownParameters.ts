import * as l10n from '@vscode/l10n';
import type { JsonSchema } from '../common/jsonSchema.ts';
import { parameterList } from '../discovery/tools/toolText.ts';
import { wholeNumber } from './counts.ts';

/** A tool's parameters for the user: `a (string, required), b (string)`. */
export function shownParameters(schema: JsonSchema): string {
	return parameterList(schema, {
		required: (type) => l10n.t('{0}, required', type),
		none: l10n.t('none'),
		more: (count) => l10n.t('… and {0} more', wholeNumber(count)),
	});
}
