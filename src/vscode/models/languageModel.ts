import * as vscode from 'vscode';
import { type ResultContent, resultText, type ToolResult } from '../../discovery/toolResult.ts';
import type { ChatMessage, ChatModel, ChatModelEvent, ChatRequest } from '../../models/chatModel.ts';
import { tokenOf } from '../cancellation.ts';

/** Most tools that VS Code passes to a language model in one request. */
export const editorToolLimit = 128;

/** A model that the user picked in VS Code, as the tool loop knows models. */
export class EditorChatModel implements ChatModel {
	readonly id: string;
	readonly name: string;
	readonly maxTools = editorToolLimit;
	readonly maxInputTokens: number;
	readonly loadings = ['append', 'call'] as const;
	readonly #model: vscode.LanguageModelChat;

	constructor(model: vscode.LanguageModelChat) {
		this.#model = model;
		this.id = model.id;
		this.name = model.name;
		this.maxInputTokens = model.maxInputTokens;
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		const cancellation = tokenOf(signal);
		try {
			const response = await this.#model.sendRequest(
				editorMessages(request),
				{ tools: request.tools.map((tool) => ({ ...tool })) },
				cancellation.token,
			);
			for await (const part of response.stream) {
				if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
				else if (part instanceof vscode.LanguageModelToolCallPart) {
					const { callId: id, name, input } = part;
					yield { type: 'toolCall', call: { id, name, input: { ...input } } };
				}
			}
		} finally {
			cancellation.dispose();
		}
	}
}

/** The editor's messages for a request. They know no system prompt, so it goes first, as the user's. */
function editorMessages(request: ChatRequest): vscode.LanguageModelChatMessage[] {
	return [vscode.LanguageModelChatMessage.User(request.system), ...request.messages.map(editorMessage)];
}

function editorMessage(message: ChatMessage): vscode.LanguageModelChatMessage {
	switch (message.role) {
		case 'user':
			return vscode.LanguageModelChatMessage.User(message.text);
		case 'assistant':
			return vscode.LanguageModelChatMessage.Assistant([
				...(message.text ? [new vscode.LanguageModelTextPart(message.text)] : []),
				...message.toolCalls.map(
					({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, input),
				),
			]);
		case 'tool':
			return vscode.LanguageModelChatMessage.User(
				message.results.map(
					({ callId, result }) =>
						new vscode.LanguageModelToolResultPart(callId, result.content.map(resultPart)),
				),
			);
	}
}

/** A piece of a tool's answer in the editor's own types. */
export function resultPart(part: ResultContent): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
	if (part.type === 'text') return new vscode.LanguageModelTextPart(part.text);
	if (part.type === 'image') {
		return vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
	}
	return new vscode.LanguageModelTextPart(resultText({ content: [part], isError: false }));
}

/** The editor's parts of a tool's answer in our own types; what is neither text nor image is left out. */
export function resultFromParts(parts: readonly unknown[], isError = false): ToolResult {
	const content = parts.flatMap((part): ResultContent[] => {
		if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
		if (part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith('image/')) {
			return [{ type: 'image', data: Buffer.from(part.data).toString('base64'), mimeType: part.mimeType }];
		}
		return [];
	});
	return { content, isError };
}
