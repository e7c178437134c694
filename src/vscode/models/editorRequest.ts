import * as vscode from 'vscode';
import type { ChatMessage } from '../../discovery/catalog/message.ts';
import { plainAnswer } from '../../models/answerParts.ts';
import type { ChatRequest } from '../../models/chatModel.ts';
import { callFrom } from '../../models/wireCalls.ts';
import { imagesOf, partText, resultFromParts } from '../ui/editorParts.ts';
import { isErrorResult, isSystemMessage } from '../ui/unsupported.ts';
import { answerSettingsIn, joinedToolResults } from './callerRequest.ts';

/** A request from VS Code in our own types. */
export function chatRequest(
	messages: readonly vscode.LanguageModelChatRequestMessage[],
	{ tools = [], toolMode, modelOptions }: Partial<vscode.ProvideLanguageModelChatResponseOptions> = {},
): ChatRequest {
	const answers = answerSettingsIn(modelOptions);
	return {
		system: messages
			.filter(isSystemMessage)
			.map(({ content }) => textsOf(content))
			.join('\n\n'),
		messages: joinedToolResults(
			messages.filter((message) => !isSystemMessage(message)).flatMap(chatMessages),
		),
		tools: tools.map(({ name, description, inputSchema }) => ({
			name,
			description,
			inputSchema: { ...inputSchema },
		})),
		...(toolMode === vscode.LanguageModelChatToolMode.Required && { mustCall: true }),
		...(answers && { answers }),
	};
}

/** A message may contain tool results, text and images. An empty one is dropped. */
function chatMessages({ role, content }: vscode.LanguageModelChatRequestMessage): ChatMessage[] {
	const text = textsOf(content);
	if (role === vscode.LanguageModelChatMessageRole.Assistant) {
		const toolCalls = content
			.filter((part) => part instanceof vscode.LanguageModelToolCallPart)
			.map(({ callId, name, input }) => callFrom(callId, name, input));
		return text || toolCalls.length > 0 ? [plainAnswer(text, toolCalls)] : [];
	}
	const results = content
		.filter((part) => part instanceof vscode.LanguageModelToolResultPart)
		.map((part) => ({
			callId: part.callId,
			result: resultFromParts(part.content, isErrorResult(part)),
		}));
	const images = imagesOf(content);
	return [
		...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
		...(text || images.length > 0
			? [{ role: 'user' as const, text, ...(images.length > 0 && { images }) }]
			: []),
	];
}

function textsOf(parts: readonly unknown[]): string {
	return parts.map((part) => partText(part) ?? '').join('');
}
