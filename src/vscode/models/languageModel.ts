import * as vscode from 'vscode';
import { isRecord } from '../../discovery/record.ts';
import {
	type ImageContent,
	type ResultContent,
	resultText,
	type ToolResult,
} from '../../discovery/toolResult.ts';
import { NewCalls } from '../../models/callIds.ts';
import {
	type ChatMessage,
	type ChatModel,
	type ChatModelEvent,
	type ChatRequest,
	userText,
} from '../../models/chatModel.ts';
import { ThinkTags } from '../../models/thought.ts';
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
				editorMessages(request, takesImages(this.#model)),
				{ tools: request.tools.map((tool) => ({ ...tool })) },
				cancellation.token,
			);
			const calls = new NewCalls();
			const tags = new ThinkTags();
			for await (const part of response.stream) {
				if (part instanceof vscode.LanguageModelTextPart) yield* tags.add(part.value);
				else if (part instanceof vscode.LanguageModelToolCallPart) {
					const { callId: id, name, input } = part;
					const call = calls.add({ id, name, input: { ...input } });
					if (call) yield { type: 'toolCall', call };
				}
			}
			yield* tags.end();
		} finally {
			cancellation.dispose();
		}
	}
}

/** Whether a model can be shown pictures. The stable API does not tell, though the editor does; where it does not either, they are sent. */
function takesImages(model: vscode.LanguageModelChat): boolean {
	const capabilities = 'capabilities' in model ? model.capabilities : undefined;
	return !isRecord(capabilities) || capabilities.supportsImageToText !== false;
}

/** The editor's messages for a request. They know no system prompt, so it goes first, as the user's. */
function editorMessages(request: ChatRequest, withImages: boolean): vscode.LanguageModelChatMessage[] {
	return [
		vscode.LanguageModelChatMessage.User(request.system),
		...request.messages.map((message) => editorMessage(message, withImages)),
	];
}

function editorMessage(message: ChatMessage, withImages: boolean): vscode.LanguageModelChatMessage {
	switch (message.role) {
		case 'user':
			return vscode.LanguageModelChatMessage.User([
				new vscode.LanguageModelTextPart(userText(message)),
				...(message.images ?? []).map((image) => (withImages ? resultPart(image) : placeholder(image))),
			]);
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
	return placeholder(part);
}

function placeholder(part: ResultContent): vscode.LanguageModelTextPart {
	return new vscode.LanguageModelTextPart(resultText({ content: [part], isError: false }));
}

/** The editor's parts of a tool's answer in our own types; what is neither text nor image is left out. */
export function resultFromParts(parts: readonly unknown[], isError = false): ToolResult {
	const content = parts.flatMap((part): ResultContent[] =>
		part instanceof vscode.LanguageModelTextPart ? [{ type: 'text', text: part.value }] : imagesOf([part]),
	);
	return { content, isError };
}

/** The pictures among the editor's parts. Other data, such as marks that Copilot sets for its own models, is none of ours. */
export function imagesOf(parts: readonly unknown[]): ImageContent[] {
	return parts.flatMap((part): ImageContent[] => {
		if (!(part instanceof vscode.LanguageModelDataPart) || !part.mimeType.startsWith('image/')) return [];
		return [{ type: 'image', data: Buffer.from(part.data).toString('base64'), mimeType: part.mimeType }];
	});
}
