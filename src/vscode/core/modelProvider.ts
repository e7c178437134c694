import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { estimateTokens } from '../../common/tokens.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { ids } from '../ui/ids.ts';
import type { OfferedModel } from './modelInformation.ts';

/** A model, and its definition if the configuration has one: both of the same entry, whatever the files say later. */
export interface PickedModel {
	readonly model: ChatModel;
	readonly definition: ModelDefinition | undefined;
}

/** What the first request needs of the application. */
export interface ModelRequestParts {
	/** Adapts a model of another extension to the tool loop. */
	readonly editorModel: (picked: vscode.LanguageModelChat) => ChatModel;
	readonly answering: {
		answer(
			model: ChatModel,
			messages: readonly vscode.LanguageModelChatRequestMessage[],
			options: vscode.ProvideLanguageModelChatResponseOptions,
			progress: vscode.Progress<vscode.LanguageModelResponsePart>,
			token: vscode.CancellationToken,
		): Promise<void>;
		tokens(message: vscode.LanguageModelChatRequestMessage): number;
	};
}

/** Offers our models to VS Code's model picker, to participants and to other extensions. */
export class ModelProvider implements vscode.LanguageModelChatProvider, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeLanguageModelChatInformation = this.#changed.event;
	readonly #always: readonly OfferedModel[];
	#offered: readonly OfferedModel[];
	/** Settles with the first {@link offer}. VS Code preselects one of the first models that it gets, so it gets all at once. */
	readonly #ready = Promise.withResolvers<void>();
	/** By loader: a model's picker entry may change while the model stays. */
	readonly #loaded = new WeakMap<OfferedModel['load'], Promise<ChatModel>>();
	readonly #asked = new vscode.EventEmitter<void>();
	/** VS Code asks which models there are, for example for its picker. */
	readonly onDidAsk = this.#asked.event;
	readonly #answers: () => Promise<ModelRequestParts>;

	/** `always`: offered with any configuration. */
	constructor(always: readonly OfferedModel[], answers: () => Promise<ModelRequestParts>) {
		this.#answers = answers;
		this.#always = always;
		this.#offered = always;
	}

	/** Offers these models, followed by the models that are always offered. */
	offer(models: readonly OfferedModel[]): void {
		this.#ready.resolve();
		const entries = [...models, ...this.#always];
		const isSame =
			entries.length === this.#offered.length && entries.every((model, at) => model === this.#offered[at]);
		if (isSame) return;
		this.#offered = entries;
		this.#changed.fire();
		// VS Code asks for changed models only after one of ours was selected.
		void vscode.lm.selectChatModels({ vendor: ids.vendor });
	}

	/** The picked model, for the tool loop: our own directly, any other through VS Code. */
	async picked(picked: vscode.LanguageModelChat): Promise<PickedModel> {
		const entry = picked.vendor === ids.vendor ? this.#find(picked.id) : undefined;
		if (!entry) return { model: (await this.#answers()).editorModel(picked), definition: undefined };
		return { model: await this.#load(entry), definition: entry.definition };
	}

	dispose(): void {
		this.#changed.dispose();
		this.#asked.dispose();
	}

	async provideLanguageModelChatInformation(): Promise<vscode.LanguageModelChatInformation[]> {
		this.#asked.fire();
		await this.#ready.promise;
		return this.#offered.map(({ information }) => information);
	}

	async provideLanguageModelChatResponse(
		information: vscode.LanguageModelChatInformation,
		messages: readonly vscode.LanguageModelChatRequestMessage[],
		options: vscode.ProvideLanguageModelChatResponseOptions,
		progress: vscode.Progress<vscode.LanguageModelResponsePart>,
		token: vscode.CancellationToken,
	): Promise<void> {
		const entry = this.#find(information.id);
		if (!entry) throw vscode.LanguageModelError.NotFound(l10n.t('Unknown model: {0}', information.name));
		const model = await this.#load(entry);
		const { answering } = await this.#answers();
		await answering.answer(model, messages, options, progress, token);
	}

	async provideTokenCount(
		_information: vscode.LanguageModelChatInformation,
		text: string | vscode.LanguageModelChatRequestMessage,
	): Promise<number> {
		if (typeof text === 'string') return estimateTokens(text);
		return (await this.#answers()).answering.tokens(text);
	}

	async #load({ load }: OfferedModel): Promise<ChatModel> {
		const loaded = this.#loaded.get(load) ?? load();
		this.#loaded.set(load, loaded);
		// The next request retries a model that could not be loaded.
		loaded.catch(() => this.#loaded.delete(load));
		return loaded;
	}

	#find(id: string): OfferedModel | undefined {
		return this.#offered.find(({ information }) => information.id === id);
	}
}
