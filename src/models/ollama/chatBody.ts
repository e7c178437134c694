import type { ToolDefinition } from '../../discovery/tool.ts';
import { type ImageContent, type ResultContent, resultText } from '../../discovery/toolResult.ts';
import { type ChatMessage, type ToolCall, type ToolCallResult, userText } from '../chatModel.ts';
import type { WireMessage, WireTool } from './wire.ts';

/** A conversation as Ollama takes it. Images go to models that see (`images`) only; others get a placeholder for them. */
export function wireMessages(
	system: string,
	messages: readonly ChatMessage[],
	images: boolean,
): WireMessage[] {
	const wire: WireMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
	let calls: readonly ToolCall[] = [];
	for (const message of messages) {
		switch (message.role) {
			case 'user':
				wire.push(userMessage(userText(message), message.images ?? [], images));
				break;
			case 'assistant':
				calls = message.toolCalls;
				wire.push(assistantMessage(message.text, calls));
				break;
			case 'tool':
				wire.push(...toolMessages(calls, message.results, images));
				break;
		}
	}
	return wire;
}

/** Tools as Ollama takes them. */
export function wireTools(tools: readonly ToolDefinition[]): WireTool[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: 'function',
		function: { name, description, parameters: inputSchema },
	}));
}

/** The ids of all calls in a conversation. */
export function callIdsOf(messages: readonly WireMessage[]): string[] {
	return messages.flatMap((message) =>
		message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
	);
}

function userMessage(text: string, shown: readonly ImageContent[], images: boolean): WireMessage {
	if (shown.length === 0) return { role: 'user', content: text };
	if (images) return { role: 'user', content: text, images: shown.map(({ data }) => data) };
	return { role: 'user', content: [text, resultText({ content: shown, isError: false })].join('\n') };
}

function assistantMessage(text: string, calls: readonly ToolCall[]): WireMessage {
	if (calls.length === 0) return { role: 'assistant', content: text };
	const tool_calls = calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } }));
	return { role: 'assistant', content: text, tool_calls };
}

/** The results of an answer's calls, in the order of the calls: many chat templates pair them by position only. */
function toolMessages(
	calls: readonly ToolCall[],
	results: readonly ToolCallResult[],
	images: boolean,
): WireMessage[] {
	const byId = new Map(results.map(({ callId, result }) => [callId, result]));
	return calls.flatMap((call): WireMessage[] => {
		const result = byId.get(call.id);
		if (!result) return [];
		const shown = images ? result.content.filter(isImage) : [];
		const rest = images ? result.content.filter((part) => !isImage(part)) : result.content;
		const content = resultText({ ...result, content: rest });
		return [
			{
				role: 'tool',
				content,
				...(shown.length > 0 && { images: shown.map(({ data }) => data) }),
				tool_name: call.name,
				tool_call_id: call.id,
			},
		];
	});
}

function isImage(part: ResultContent): part is ImageContent {
	return part.type === 'image';
}
