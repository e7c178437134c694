import * as l10n from '@vscode/l10n';
import { parseTree } from 'jsonc-parser';
import { assertNever } from '../../discovery/assertNever.ts';
import type { ConfigProblem } from '../config.ts';
import type { FaultReason } from '../faultReason.ts';
import { configTemplate } from '../template.ts';
import type { VariableScope } from '../variables.ts';
import { type ConfigFix, editFix, type FaultPlace } from './configFix.ts';
import { fixesForKey } from './keyFixes.ts';
import { fixesForLaunch } from './launchFixes.ts';
import { fixesForName } from './nameFixes.ts';
import { fixesForSecret } from './secretFixes.ts';
import { fixesForSyntax } from './syntaxFixes.ts';
import { fixesForValue } from './valueFixes.ts';

/** What can be done about a problem that was found in this very text, the best first. */
export function fixesFor(
	text: string,
	problem: ConfigProblem,
	env: VariableScope['env'],
): readonly ConfigFix[] {
	const { reason, path } = problem;
	if (!reason) return [];
	if (reason.kind === 'empty-file') {
		return editFix(l10n.t('Insert a starter configuration'), text, text + configTemplate, true);
	}
	if (reason.kind === 'syntax') return fixesForSyntax(text, reason.offset);
	const root = parseTree(text, [], { allowTrailingComma: true });
	return root ? fixesAt({ text, root, path, env }, reason) : [];
}

function fixesAt(
	place: FaultPlace,
	reason: Exclude<FaultReason, { kind: 'empty-file' | 'syntax' }>,
): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'doubled-key':
		case 'unknown-key':
		case 'missing-key':
		case 'useless-key':
		case 'hijacking-variable':
		case 'no-folder':
			return fixesForKey(place, reason);
		case 'wrong-type':
		case 'not-one-of':
		case 'out-of-range':
		case 'control-characters':
		case 'no-template':
			return fixesForValue(place, reason);
		case 'no-client':
		case 'no-server':
		case 'no-tool':
		case 'server-name':
			return fixesForName(place, reason);
		case 'no-launch':
		case 'two-launches':
		case 'command-line':
		case 'unencrypted':
		case 'added-path':
			return fixesForLaunch(place, reason);
		case 'unset-variable':
		case 'unknown-variable':
		case 'literal-key':
		case 'credentials':
			return fixesForSecret(place, reason);
		default:
			return assertNever(reason);
	}
}
