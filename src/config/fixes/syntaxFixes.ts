import * as l10n from '@vscode/l10n';
import { syntaxErrorsIn, tokenKind, tokensOf } from '../file/document.ts';
import { type ConfigFix, editFix } from './configFix.ts';

/** Fixes for a syntax error where only one character or the end of the file is missing. */
export function fixesForSyntax(text: string, offset: number): readonly ConfigFix[] {
	return [...comma(text, offset), ...closing(text, offset)];
}

function comma(text: string, offset: number): ConfigFix[] {
	const place = endOfTokenBefore(text, offset);
	const after = `${text.slice(0, place)},${text.slice(place)}`;
	const isMended = place > 0 && syntaxErrorsIn(after) < syntaxErrorsIn(text);
	return isMended ? editFix(l10n.t('Insert a comma'), text, after) : [];
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
	return syntaxErrorsIn(after) === 0 ? editFix(l10n.t('Close the open brackets'), text, after) : [];
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
