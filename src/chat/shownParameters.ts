import * as l10n from '@vscode/l10n';
import type { JsonSchema } from '../common/jsonSchema.ts';
import { parameterList } from '../discovery/tools/toolText.ts';

/** A tool's parameters for the user: `a (string, required), b (string)`. */
export function shownParameters(schema: JsonSchema): string {
	const required = (type: string) => l10n.t('{0}, required', type);
	return parameterList(schema, { required, none: l10n.t('none') });
}
