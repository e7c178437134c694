import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AnswerPart } from '../../discovery/catalog/message.ts';
import { Answer } from '../../models/answer.ts';
import {
	type ChatModel,
	type ChatModelEvent,
	type ChatRequest,
	withCallInWords,
} from '../../models/chatModel.ts';
import { failureOfEditorModel } from '../../models/http/failure.ts';
import { Refusals } from '../../models/http/refusals.ts';
import { withRetries } from '../../models/http/retries.ts';
import type { ModelError } from '../../models/modelError.ts';
import { RefusedPictures } from '../../models/pictures.ts';
import { type SentAnswer, type SentUser, sentMessages } from '../../models/sentMessages.ts';
import { tokenOf } from '../ui/cancellation.ts';
import { editorToolLimit, imagesOf, partText, resultPart } from '../ui/editorParts.ts';
import { takesImages } from '../ui/unsupported.ts';

/** A model picked in VS Code, for the tool loop. */
export class EditorChatModel implements ChatModel {
	readonly id: string;
	readonly name: string;
	readonly maxTools = editorToolLimit;
	readonly loadings = ['append', 'call'] as const;
	readonly #model: vscode.LanguageModelChat;
	/** As the editor says, or less, if a refusal named a lower limit. */
	#maxInputTokens: number;
	readonly #pictures = new RefusedPictures();
	readonly #refused: Refusals;

	constructor(model: vscode.LanguageModelChat) {
		this.#model = model;
		this.id = model.id;
		this.name = model.name;
		this.#maxInputTokens = model.maxInputTokens;
		this.#refused = new Refusals([], model.name);
	}

	get maxInputTokens(): number {
		return this.#maxInputTokens;
	}

	async answer(
		request: ChatRequest,
		signal: AbortSignal,
		emit: (event: ChatModelEvent) => void,
	): Promise<readonly AnswerPart[]> {
		const ask = (answer: Answer) => this.#ask(request, signal, answer);
		const recovery = this.#refused.recovery([this.#pictures.remedy(request.messages)]);
		const recover = (failure: ModelError) => recovery(failure, {});
		return (await withRetries(() => new Answer(emit), ask, signal, { recover })).parts;
	}

	async #ask(request: ChatRequest, signal: AbortSignal, answer: Answer): Promise<void> {
		using cancellation = tokenOf(signal);
		try {
			const response = await this.#model.sendRequest(
				editorMessages(
					withCallInWords({ ...request, messages: this.#pictures.without(request.messages) }),
					takesImages(this.#model),
				),
				{ tools: request.tools.map((tool) => ({ ...tool })) },
				cancellation.token,
			);
			for await (const part of response.stream) {
				if (part instanceof vscode.LanguageModelToolCallPart) {
					// Each part is a whole call.
					answer.call({ id: part.callId, name: part.name, input: part.input, step: 'begins' });
				} else if (imagesOf([part]).length > 0) {
					const text = l10n.t('{0} sent an image, which cannot be shown here.', this.name);
					answer.emit({ type: 'notice', text });
				} else {
					answer.speak(partText(part) ?? '');
				}
			}
		} catch (error) {
			signal.throwIfAborted();
			const failure = failureOfEditorModel(`${this.name} (${this.#model.vendor})`, error);
			const { contextTokens = this.maxInputTokens } = failure.limits;
			this.#maxInputTokens = Math.min(this.maxInputTokens, contextTokens);
			throw failure;
		}
		answer.finish();
	}
}

/**
 * The editor's messages for a request. They have no system role, so the system prompt becomes the first user message. Also repairs what
 * providers refuse: empty messages, calls without exactly one result, illegal names and ids.
 */
function editorMessages(request: ChatRequest, acceptsImages: boolean): vscode.LanguageModelChatMessage[] {
	const messages = sentMessages(request.messages, { images: acceptsImages }).flatMap((message) =>
		message.role === 'user' ? userMessages(message) : answerMessages(message),
	);
	const system = request.system.trim() ? [vscode.LanguageModelChatMessage.User(request.system)] : [];
	return [...system, ...messages];
}

function userMessages({ text, pictures }: SentUser): vscode.LanguageModelChatMessage[] {
	const parts = [...(text ? [new vscode.LanguageModelTextPart(text)] : []), ...pictures.map(resultPart)];
	return parts.length > 0 ? [vscode.LanguageModelChatMessage.User(parts)] : [];
}

function answerMessages({ text, calls }: SentAnswer): vscode.LanguageModelChatMessage[] {
	const answer = [
		...(text.trim() ? [new vscode.LanguageModelTextPart(text)] : []),
		...calls.map(({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, input)),
	];
	if (answer.length === 0) return [];
	const results = calls.map(({ id, result: { text, content } }) => {
		const parts = content.length > 0 ? content : [{ type: 'text' as const, text }];
		return new vscode.LanguageModelToolResultPart(id, parts.map(resultPart));
	});
	return [
		vscode.LanguageModelChatMessage.Assistant(answer),
		...(results.length > 0 ? [vscode.LanguageModelChatMessage.User(results)] : []),
	];
}
