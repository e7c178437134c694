import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources';
import { type ImageContent, resultText, type ToolResult } from '../../../discovery/toolResult.ts';
import {
	type ChatMessage,
	type ChatRequest,
	type ToolCall,
	type ToolCallResult,
	userText,
} from '../../chatModel.ts';
import { missingResult, resultsAfter } from '../../resultsAfter.ts';
import { legalName } from '../../wireName.ts';
import { imageUrl } from '../imageUrl.ts';

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;
type UserMessage = Extract<ChatMessage, { role: 'user' }>;

/** A call with what it came to. */
interface AnsweredCall {
	readonly call: ToolCall;
	readonly result: ToolResult;
}

/**
 * A conversation as Chat Completions has it. Nothing in it is refused: each call is followed by its one result, in the order of
 * the calls, and no message is empty. `images`: the model takes pictures; else a placeholder stands for each.
 */
export function chatMessages(
	{ system, messages }: Pick<ChatRequest, 'system' | 'messages'>,
	images: boolean,
): ChatCompletionMessageParam[] {
	const said = messages.flatMap((message, index): ChatCompletionMessageParam[] => {
		if (message.role === 'user') return userMessage(message, images);
		// Results are sent along with the calls that they answer.
		if (message.role === 'tool') return [];
		return assistantMessages(message, resultsAfter(messages, index), images);
	});
	return [...(system.trim() ? [{ role: 'system' as const, content: system.toWellFormed() }] : []), ...said];
}

function userMessage(message: UserMessage, takesImages: boolean): ChatCompletionMessageParam[] {
	const { images = [] } = message;
	const parts = takesImages ? images.flatMap(imagePart) : [];
	const unseen = images.filter((image) => !takesImages || imageUrl(image) === undefined);
	const words = [
		userText(message),
		...unseen.map((image) => resultText({ content: [image], isError: false })),
	]
		.filter((line) => line.trim() !== '')
		.join('\n')
		.toWellFormed();
	if (parts.length === 0) return words ? [{ role: 'user', content: words }] : [];
	return [{ role: 'user', content: [...(words ? [{ type: 'text' as const, text: words }] : []), ...parts] }];
}

function assistantMessages(
	{ text, toolCalls }: AssistantMessage,
	results: ReadonlyMap<string, ToolCallResult>,
	images: boolean,
): ChatCompletionMessageParam[] {
	const content = text.trim() ? text.toWellFormed() : null;
	if (toolCalls.length === 0) return content === null ? [] : [{ role: 'assistant', content }];
	const answered = toolCalls.map((call) => ({
		call,
		result: (results.get(call.id) ?? missingResult(call)).result,
	}));
	return [
		{ role: 'assistant', content, tool_calls: toolCalls.map(sentCall) },
		...answered.map(toolMessage),
		...(images ? picturesMessage(answered) : []),
	];
}

function sentCall({ id, name, input }: ToolCall) {
	return {
		id,
		type: 'function' as const,
		function: { name: legalName(name), arguments: JSON.stringify(input) },
	};
}

function toolMessage({ call, result }: AnsweredCall): ChatCompletionMessageParam {
	const text = resultText(result).toWellFormed();
	return { role: 'tool', tool_call_id: call.id, content: text.trim() ? text : 'The tool returned nothing.' };
}

/** A tool's message takes text only, so the pictures of a turn follow in a message of the user's. */
function picturesMessage(answered: readonly AnsweredCall[]): ChatCompletionMessageParam[] {
	const content = answered.flatMap(({ call, result }): ChatCompletionContentPart[] => {
		const parts = result.content.filter((part) => part.type === 'image').flatMap(imagePart);
		return parts.length === 0
			? []
			: [{ type: 'text', text: `From the result of ${legalName(call.name)} (call ${call.id}):` }, ...parts];
	});
	return content.length === 0 ? [] : [{ role: 'user', content }];
}

function imagePart(image: ImageContent): ChatCompletionContentPart[] {
	const url = imageUrl(image);
	return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }];
}
