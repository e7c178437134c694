import { readResultName } from '../../discovery/syntheticTool.ts';
import type { ToolCall } from '../../models/chatModel.ts';

/** What a model is doing that only looks, in half a sentence. */
export function lookingWords({ name }: ToolCall): string {
	return name === readResultName ? 'reading on in a large result…' : 'looking at the tools that there are…';
}
