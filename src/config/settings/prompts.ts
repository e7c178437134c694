import * as l10n from '@vscode/l10n';
import { folded, visible } from '../../common/text.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import { issueText } from '../problemText.ts';

/** Prompts that count: a greeting shows no more, because they are above the input of a narrow panel. */
const maxPrompts = 3;
/** Longest prompt that counts, in UTF-16 units. Longer ones are not cut: a click must send what its button shows. */
const maxPromptLength = 200;

/**
 * Reads `prompts`, each on one line and without invisible characters. Each is a separate entry: a faulty one is reported and dropped, the
 * others count.
 */
export function readPrompts(prompts: readonly unknown[], report: ProblemReport): readonly string[] {
	const valid = prompts.flatMap((written, index) => {
		const fault = promptFault(written);
		if (fault !== undefined) report.error(['prompts', index], fault);
		return fault === undefined ? [{ index, text: shownPrompt(String(written)) }] : [];
	});
	const excess = valid[maxPrompts];
	if (excess) {
		const message = l10n.t('only the first {0} are shown', maxPrompts);
		report.warning(['prompts', excess.index], message);
	}
	return valid.slice(0, maxPrompts).map(({ text }) => text);
}

/** Why a prompt cannot be shown; `undefined`: it can. */
function promptFault(written: unknown): string | undefined {
	if (typeof written !== 'string') {
		return issueText({ code: 'invalid_type', expected: 'string', input: written });
	}
	const { length } = shownPrompt(written);
	if (length === 0) return l10n.t('must not be empty');
	if (length > maxPromptLength)
		return l10n.t('has {0} characters, at most {1} are shown', length, maxPromptLength);
	return undefined;
}

function shownPrompt(written: string): string {
	return folded(visible(written));
}
