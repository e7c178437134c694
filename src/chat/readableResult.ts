import { visible } from '../common/invisible.ts';
import type { ToolResult } from '../discovery/toolResult.ts';

/** A server's result without what a person would not see in it: text that only models can read is never for the user's good. */
export function readable(result: ToolResult): ToolResult {
	const content = result.content.map((part) =>
		part.type === 'text' ? { ...part, text: visible(part.text) } : part,
	);
	return { ...result, content };
}
