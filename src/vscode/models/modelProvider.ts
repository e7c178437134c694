import * as vscode from 'vscode';
import { estimateTokens } from '../../discovery/tokens.ts';
import type { ChatMessage, ChatModel, ToolCall, ToolCallResult } from '../../models/chatModel.ts';
import { signalOf } from '../cancellation.ts';
import { resultFromParts } from './languageModel.ts';

/** What VS Code's model picker shows of one of our models. */
export interface OfferedModel {
	readonly information: vscode.LanguageModelChatInformation;
	/** Makes the model when it is first asked something: its code need not be there for the extension to activate. */
	readonly load: () => Promise<ChatModel>;
}

/** Offers our models to VS Code: its model picker, other participants and other extensions. */
export class ModelProvider implements vscode.LanguageModelChatProvider {
	readonly #offered: ReadonlyMap<string, OfferedModel>;
	readonly #loaded = new Map<string, Promise<ChatModel>>();

	constructor(offered: readonly OfferedModel[]) {
		this.#offered = new Map(offered.map((entry) => [entry.information.id, entry]));
	}

	/**
	 * The model itself, so that `@discovery` can call it without a detour through the editor's types; `undefined`: there is none of
	 * that id.
	 */
	async get(id: string): Promise<ChatModel | undefined> {
		const offered = this.#offered.get(id);
		if (!offered) return undefined;
		const loaded = this.#loaded.get(id) ?? offered.load();
		this.#loaded.set(id, loaded);
		return loaded;
	}

	provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
		return [...this.#offered.values()].map(({ information }) => information);
	}

	async provideLanguageModelChatResponse(
		information: vscode.LanguageModelChatInformation,
		messages: readonly vscode.LanguageModelChatRequestMessage[],
		options: vscode.ProvideLanguageModelChatResponseOptions,
		progress: vscode.Progress<vscode.LanguageModelResponsePart>,
		token: vscode.CancellationToken,
	): Promise<void> {
		const model = await this.get(information.id);
		if (!model) throw vscode.LanguageModelError.NotFound(`There is no model ${information.id}.`);
		const stop = signalOf(token);
		const request = {
			system: '',
			messages: messages.flatMap(chatMessages),
			tools: (options.tools ?? []).map((tool) => ({
				name: tool.name,
				description: tool.description,
				inputSchema: { ...tool.inputSchema },
			})),
		};
		try {
			for await (const event of model.stream(request, stop.signal)) {
				if (event.type === 'text') progress.report(new vscode.LanguageModelTextPart(event.text));
				else if (event.type === 'toolCall') {
					const { id, name, input } = event.call;
					progress.report(new vscode.LanguageModelToolCallPart(id, name, input));
				}
			}
		} finally {
			stop.dispose();
		}
	}

	async provideTokenCount(
		_information: vscode.LanguageModelChatInformation,
		text: string | vscode.LanguageModelChatRequestMessage,
	): Promise<number> {
		return estimateTokens(typeof text === 'string' ? text : textOf(text.content));
	}
}

/** One message of the editor may hold both answers to calls and words of the user. */
function chatMessages(message: vscode.LanguageModelChatRequestMessage): ChatMessage[] {
	const text = textOf(message.content);
	if (message.role === vscode.LanguageModelChatMessageRole.Assistant) {
		return [{ role: 'assistant', text, toolCalls: message.content.flatMap(toolCall) }];
	}
	const results = message.content.flatMap(toolResult);
	return [
		...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
		...(text ? [{ role: 'user' as const, text }] : []),
	];
}

function textOf(parts: readonly unknown[]): string {
	return parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

function toolCall(part: unknown): ToolCall[] {
	if (!(part instanceof vscode.LanguageModelToolCallPart)) return [];
	return [{ id: part.callId, name: part.name, input: { ...part.input } }];
}

function toolResult(part: unknown): ToolCallResult[] {
	if (!(part instanceof vscode.LanguageModelToolResultPart)) return [];
	return [{ callId: part.callId, result: resultFromParts(part.content) }];
}
