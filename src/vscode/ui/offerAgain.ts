import * as l10n from '@vscode/l10n';
import { notify, sayFailed } from './messages.ts';

/**
 * Says that what was missing is there, and offers to do again what had failed without it. Nobody waits for the answer: a command that did
 * could not be called again before it.
 */
export function offerAgain(text: string, again: (() => Thenable<unknown>) | undefined): void {
	const tryAgain = l10n.t('Try Again');
	const answered = async () => {
		if ((await notify(text, ...(again ? [tryAgain] : []))) === tryAgain) await again?.();
	};
	answered().catch(sayFailed);
}
