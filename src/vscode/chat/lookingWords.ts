import * as l10n from '@vscode/l10n';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { readResultName } from '../../discovery/syntheticTool.ts';
import type { ToolCall } from '../../models/chatModel.ts';

/** What a model is doing that only looks, in half a sentence. */
export function lookingWords({ name }: ToolCall): string {
	return name === readResultName
		? l10n.t('reading on in a large result…')
		: l10n.t('looking at the tools that there are…');
}

/** Why a model is asked once more, and when. */
export function retryWords({ reason, afterMs }: LoopEvent & { readonly type: 'retrying' }): string {
	return l10n.t('{0} Asking again in {1} s…', reason, Math.ceil(afterMs / 1000));
}
