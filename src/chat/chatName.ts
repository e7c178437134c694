import * as l10n from '@vscode/l10n';
import { oneLine } from '../common/text.ts';

/** Characters of a chat's first prompt that name it. */
const nameLength = 60;

/** Names the chat that views show, because VS Code does not say which one is visible; empty before the first prompt. */
export function chatName(firstPrompt = ''): string {
	return firstPrompt && l10n.t('Last used chat: “{0}”', oneLine(firstPrompt, nameLength));
}
