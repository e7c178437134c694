import * as l10n from '@vscode/l10n';
import { assertNever } from '../../common/assertNever.ts';
import { configTemplate } from '../assist/templates.ts';
import { syntaxErrorsIn, tokenKind, tokensOf, unfinishedRoot } from '../file/document.ts';
import type { ConfigProblem, FaultReason } from '../file/problemReport.ts';
import type { VariableScope } from '../secrets/variables.ts';
import { type ConfigFix, editFix, type FaultPlace } from './configFix.ts';
import { fixesForKey } from './keyFixes.ts';
import { fixesForLaunch } from './launchFixes.ts';
import { fixesForName } from './nameFixes.ts';
import { fixesForSecret } from './secretFixes.ts';
import { fixesForValue } from './valueFixes.ts';

/** Fixes for a problem found in this text, the best first. */
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
	const root = unfinishedRoot(text);
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

/** Fixes for a syntax error where only one character or the end of the file is missing. */
export function fixesForSyntax(text: string, offset: number): readonly ConfigFix[] {
	return [...comma(text, offset), ...closing(text, offset)];
}

function comma(text: string, offset: number): ConfigFix[] {
	const place = endOfTokenBefore(text, offset);
	const after = `${text.slice(0, place)},${text.slice(place)}`;
	const isMended = place > 0 && syntaxErrorsIn(after) < syntaxErrorsIn(text);
	return isMended ? editFix(l10n.t('Insert a comma'), text, after, true) : [];
}

/** The end of the last token before an offset that is not white space or a comment. */
function endOfTokenBefore(text: string, offset: number): number {
	let end = 0;
	for (const token of tokensOf(text, 0, offset)) if (token.kind < tokenKind.lineComment) end = token.end;
	return end;
}

function closing(text: string, offset: number): ConfigFix[] {
	const written = text.trimEnd();
	if (offset < written.length) return [];
	const after = `${written}\n${missingBrackets(written)}\n`;
	return syntaxErrorsIn(after) === 0 ? editFix(l10n.t('Close the open brackets'), text, after, true) : [];
}

function missingBrackets(text: string): string {
	const missing: string[] = [];
	for (const { kind } of tokensOf(text)) {
		if (kind === tokenKind.openBrace) missing.unshift('}');
		if (kind === tokenKind.openBracket) missing.unshift(']');
		if (kind === tokenKind.closeBrace || kind === tokenKind.closeBracket) missing.shift();
	}
	return missing.join('');
}
