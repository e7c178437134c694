import * as l10n from '@vscode/l10n';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { code } from '../../discovery/markdown.ts';

/** What was loaded before the model was asked, in one line of the chat. */
export function prefetchLine({ reason, tools }: LoopEvent & { type: 'prefetched' }): string {
	const names = tools.map(({ id }) => code(id)).join(', ');
	const words =
		reason === 'reference'
			? l10n.t('Loaded as you name it: {0}', names)
			: l10n.t('Loaded for your words: {0}', names);
	return `$(search) ${words}`;
}
