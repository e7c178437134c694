import * as vscode from 'vscode';
import { requestTokens } from '../../chat/requestSize.ts';
import { faultlessCalls, repeatableParts } from '../../models/answerParts.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { ModelError } from '../../models/modelError.ts';
import { OriginMemory } from '../../models/originMemory.ts';
import { signalOf } from '../ui/cancellation.ts';
import { chatRequest } from './editorRequest.ts';

/** Answers requests that reach our models through VS Code. */
export class Answering {
	/** VS Code's messages cannot carry origins. */
	readonly #origins = new OriginMemory();

	tokens(message: vscode.LanguageModelChatRequestMessage): number {
		return requestTokens(chatRequest([message]));
	}

	async answer(
		model: ChatModel,
		messages: readonly vscode.LanguageModelChatRequestMessage[],
		options: vscode.ProvideLanguageModelChatResponseOptions,
		progress: vscode.Progress<vscode.LanguageModelResponsePart>,
		token: vscode.CancellationToken,
	): Promise<void> {
		using stop = signalOf(token);
		const incoming = chatRequest(messages, options);
		const request = {
			...incoming,
			messages: incoming.messages.map((message) => this.#origins.recall(message)),
		};
		try {
			const parts = await model.answer(request, stop.signal, (event) => {
				if (event.type === 'text') progress.report(new vscode.LanguageModelTextPart(event.text));
			});
			for (const { id, name, input } of faultlessCalls(parts, model.name))
				progress.report(new vscode.LanguageModelToolCallPart(id, name, input));
			this.#origins.remember({ role: 'assistant', parts: repeatableParts(parts) });
		} catch (error) {
			if (!stop.signal.aborted) throw editorError(error);
		}
	}
}

/** A failure as VS Code's error, with our message only: the cause may contain the provider's text. */
function editorError(error: unknown): unknown {
	if (!(error instanceof ModelError)) return error;
	switch (error.reason) {
		case 'unauthorized':
		case 'forbidden':
			return vscode.LanguageModelError.NoPermissions(error.message);
		case 'notFound':
			return vscode.LanguageModelError.NotFound(error.message);
		case 'refused':
			return vscode.LanguageModelError.Blocked(error.message);
		default:
			return new Error(error.message);
	}
}
