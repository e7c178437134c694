import type { ToolDefinition } from '../../discovery/tool.ts';
import { type ImageContent, type ResultContent, resultText } from '../../discovery/toolResult.ts';
import { answeredCalls, WireIds } from '../callIds.ts';
import { type ChatMessage, type ToolCall, type ToolCallResult, userText } from '../chatModel.ts';
import { thoughtOf } from '../thought.ts';
import type { WireMessage, WireTool } from './wire.ts';

/** What a model behind Ollama gets back of an answer. */
export interface OllamaThought {
	/** What came apart from the answer. */
	readonly thinking: string;
	/** What stood before the answer in its text, tags and all. */
	readonly before: string;
	/** What Ollama called the calls; empty where it gave them no id. */
	readonly calls: readonly string[];
}

/** A call with what it came to, and what both are called on the wire. */
interface SentCall {
	readonly id: string;
	readonly call: ToolCall;
	readonly result: ToolCallResult | undefined;
}

/**
 * A conversation as Ollama takes it. Images go to models that see (`images`) only; others get a placeholder for them. `thinker`: whose
 * thoughts are sent back, see `thinkerOf`.
 */
export function wireMessages(
	system: string,
	messages: readonly ChatMessage[],
	images: boolean,
	thinker?: string,
): WireMessage[] {
	const ids = new WireIds();
	const wire: WireMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
	for (const [index, message] of messages.entries()) {
		if (message.role === 'user') wire.push(userMessage(userText(message), message.images ?? [], images));
		// Results are sent along with the calls that they answer.
		if (message.role !== 'assistant') continue;
		const thought = thinker === undefined ? undefined : thoughtOf<OllamaThought>(message, thinker);
		const calls = answeredCalls(messages, index).map(({ call, result }, i) => ({
			id: ids.next(call.id, thought?.calls[i]),
			call,
			result,
		}));
		wire.push(assistantMessage(message.text, calls, thought), ...toolMessages(calls, images));
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

function userMessage(text: string, shown: readonly ImageContent[], images: boolean): WireMessage {
	if (shown.length === 0) return { role: 'user', content: text };
	if (images) return { role: 'user', content: text, images: shown.map(({ data }) => data) };
	return { role: 'user', content: [text, resultText({ content: shown, isError: false })].join('\n') };
}

function assistantMessage(
	text: string,
	calls: readonly SentCall[],
	{ thinking = '', before = '' }: Partial<OllamaThought> = {},
): WireMessage {
	const tool_calls = calls.map(({ id, call: { name, input } }) => ({
		id,
		function: { name, arguments: input },
	}));
	return {
		role: 'assistant',
		content: before + text,
		...(thinking && { thinking }),
		...(calls.length > 0 && { tool_calls }),
	};
}

/** The results of an answer's calls, in the order of the calls: many chat templates pair them by position only. */
function toolMessages(calls: readonly SentCall[], images: boolean): WireMessage[] {
	return calls.flatMap(({ id, call, result: answer }): WireMessage[] => {
		if (!answer) return [];
		const { result } = answer;
		const shown = images ? result.content.filter(isImage) : [];
		const rest = images ? result.content.filter((part) => !isImage(part)) : result.content;
		const content = resultText({ ...result, content: rest });
		return [
			{
				role: 'tool',
				content,
				...(shown.length > 0 && { images: shown.map(({ data }) => data) }),
				tool_name: call.name,
				tool_call_id: id,
			},
		];
	});
}

function isImage(part: ResultContent): part is ImageContent {
	return part.type === 'image';
}
