import * as l10n from '@vscode/l10n';
import type { FlowedText } from '../../chat/resultFlow.ts';
import { plain } from '../../discovery/markdown.ts';

/** What a call would carry on from other servers, in Markdown, a paragraph for each piece. */
export function flowWords(flows: readonly FlowedText[]): readonly string[] {
	return flows.map(({ server, excerpt }) =>
		l10n.t('Contains text that came from {0}: “{1}”', plain(server, 60), plain(excerpt)),
	);
}
