import type { LoopEvent } from '../../chat/loopEvent.ts';
import { code } from '../../discovery/markdown.ts';

/** What was loaded before the model was asked, in one line of the chat. */
export function prefetchLine({ reason, tools }: LoopEvent & { type: 'prefetched' }): string {
	const why = reason === 'reference' ? 'as you name it' : 'for your words';
	return `$(search) Loaded ${why}: ${tools.map(({ id }) => code(id)).join(', ')}`;
}
