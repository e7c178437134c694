import type { ChatMessage } from '../catalog/message.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { LogEntry } from './logEntry.ts';

/**
 * The conversation of a log, with the tools that joined the current head where they joined it: after the message that the model had read last. A
 * new head has all its tools from the start.
 */
export function withAddedTools(log: readonly LogEntry[]): readonly ChatMessage[] {
	const begun = log.findLastIndex((entry) => entry.kind === 'request' && entry.anew !== undefined);
	const messages: ChatMessage[] = [];
	/** Added when the message before was an answer: the user went back to it. */
	let waiting: readonly ToolDefinition[] = [];
	const join = (tools: readonly ToolDefinition[]) => {
		const last = messages.at(-1);
		const isOpen = last !== undefined && last.role !== 'assistant';
		waiting = isOpen ? [] : tools;
		if (!isOpen || tools.length === 0) return;
		messages[messages.length - 1] = { ...last, added: [...(last.added ?? []), ...tools] };
	};
	for (const [at, entry] of log.entries()) {
		if (entry.kind === 'message') {
			messages.push(entry.message);
			join(waiting);
		} else if (entry.kind === 'request' && at > begun) join([...waiting, ...(entry.added ?? [])]);
	}
	return messages;
}
