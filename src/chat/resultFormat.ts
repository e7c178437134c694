import { cut } from '../discovery/text.ts';
import type { ResultContent, ToolResult, ToolResultFormat } from '../discovery/toolResult.ts';
import type { ToolCall } from '../models/chatModel.ts';

/** Characters of the arguments that are repeated in front of a result. */
const argumentCharacters = 500;

/**
 * A result in the form that is set. The line is `Result of files__read_file:`, with arguments
 * `Result of files__read_file({"path":"a.txt"}):`; it begins the first text, or stands before other content.
 */
export function formatResult(
	result: ToolResult,
	call: Pick<ToolCall, 'name' | 'input'>,
	format: ToolResultFormat,
): ToolResult {
	if (format === 'result') return result;
	const args =
		format === 'function_args_result' ? `(${cut(JSON.stringify(call.input), argumentCharacters)})` : '';
	return { ...result, content: withLine(`Result of ${call.name}${args}:`, result.content) };
}

function withLine(line: string, content: readonly ResultContent[]): ResultContent[] {
	const [first, ...others] = content;
	if (first?.type !== 'text') return [{ type: 'text', text: line }, ...content];
	return [{ type: 'text', text: `${line}\n${first.text}` }, ...others];
}
