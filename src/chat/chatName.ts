import * as l10n from '@vscode/l10n';
import { oneLine } from '../common/text.ts';
import type { TimelineEntry } from '../discovery/session/timeline.ts';

/** Characters of a chat's first message that name it. */
const nameLength = 60;

/** Names the chat that views show, as VS Code does not tell which one is in front; empty before it has a message. */
export function chatName(timeline: readonly TimelineEntry[]): string {
	const first = timeline.find((entry) => entry.kind === 'turn');
	return first?.kind === 'turn' ? l10n.t('Last used chat: “{0}”', oneLine(first.message, nameLength)) : '';
}
