import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { estimateTokens } from '../../common/tokens.ts';
import { emptyConfig } from '../../config/config.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { Services } from '../../services.ts';
import { ids } from '../ui/ids.ts';
import { ConfiguredModels } from './configuredModels.ts';
import type { OfferedModel } from './offeredModel.ts';

/** Offers our models to VS Code: its model picker, other participants and other extensions. */
export class ModelProvider implements vscode.LanguageModelChatProvider, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeLanguageModelChatInformation = this.#changed.event;
	readonly #always: readonly OfferedModel[];
	#offered: readonly OfferedModel[];
	/** Settles with the first {@link offer}: the editor preselects one of the models that it is told of first, so it is told all of them at once. */
	readonly #ready = Promise.withResolvers<void>();
	/** Loaded models by how they are made: what the picker shows of a model may change, and the model stays. */
	readonly #loaded = new WeakMap<OfferedModel['load'], Promise<ChatModel>>();
	readonly #asked = new vscode.EventEmitter<void>();
	/** The editor wants to know which models there are, as when its picker opens. */
	readonly onDidAsk = this.#asked.event;
	readonly #app: Services['app'];

	/** `always`: what is offered whatever the configuration says. */
	constructor(always: readonly OfferedModel[], app: Services['app']) {
		this.#app = app;
		this.#always = always;
		this.#offered = always;
	}

	/** Offers these models, and after them those that are always there. */
	offer(models: readonly OfferedModel[]): void {
		this.#ready.resolve();
		const offered = [...models, ...this.#always];
		const isSame =
			offered.length === this.#offered.length && offered.every((model, at) => model === this.#offered[at]);
		if (isSame) return;
		this.#offered = offered;
		this.#changed.fire();
		// The editor asks again for changed models only once some of ours were selected.
		void vscode.lm.selectChatModels({ vendor: ids.vendor });
	}

	/** The model that the user has picked, as the tool loop knows models: one of our own as it is, any other called through the editor. */
	async chatModelOf(picked: vscode.LanguageModelChat): Promise<ChatModel> {
		const own = picked.vendor === ids.vendor ? await this.#get(picked.id) : undefined;
		return own ?? (await this.#app()).editorModel(picked);
	}

	/** What the configuration says of the model that the user has picked; `undefined`: it is not of the configuration. */
	definitionOf({ vendor, id }: vscode.LanguageModelChat): ModelDefinition | undefined {
		return vendor === ids.vendor ? this.#find(id)?.definition : undefined;
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
		const model = await this.#get(information.id);
		if (!model) throw vscode.LanguageModelError.NotFound(l10n.t('Unknown model: {0}', information.id));
		const { answering } = await this.#app();
		await answering.answer(model, messages, options, progress, token);
	}

	async provideTokenCount(
		_information: vscode.LanguageModelChatInformation,
		text: string | vscode.LanguageModelChatRequestMessage,
	): Promise<number> {
		if (typeof text === 'string') return estimateTokens(text);
		return (await this.#app()).answering.tokens(text);
	}

	async #get(id: string): Promise<ChatModel | undefined> {
		const offered = this.#find(id);
		if (!offered) return undefined;
		const { load } = offered;
		const loaded = this.#loaded.get(load) ?? load();
		this.#loaded.set(load, loaded);
		// What could not be loaded is tried again with the next request.
		loaded.catch(() => this.#loaded.delete(load));
		return loaded;
	}

	#find(id: string): OfferedModel | undefined {
		return this.#offered.find(({ information }) => information.id === id);
	}
}

/**
 * Offers VS Code the models that the configuration names, and those of its clients; none in an untrusted workspace, so that nothing leaves the
 * machine. Old lists of models are asked for again when the user comes back to the window and when the editor asks for models.
 */
export function registerModels(
	services: Pick<Services, 'languageModels' | 'configFile' | 'keyring' | 'log'>,
): vscode.Disposable {
	const {
		languageModels: { models, modelLists },
		configFile,
		keyring: { keys },
	} = services;
	const configured = new ConfiguredModels({ ...services.keyring, ...services.languageModels, ...services });
	const config = () => configFile.inForce?.config ?? emptyConfig;
	const offer = () => {
		if (configFile.state.kind === 'loading') return;
		const { models: definitions, clientsWithoutModels } = config();
		models.offer(configured.update(definitions, clientsWithoutModels));
	};
	const apply = async () => {
		if (configFile.state.kind === 'loading') return;
		// First the lists that are kept on disk: the editor preselects one of the models that it is told of first.
		await modelLists.follow(config());
		offer();
	};
	return vscode.Disposable.from(
		configFile.onDidChange(apply),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
		modelLists.onDidChange(offer),
		keys.onDidChange(() => modelLists.keysChanged()),
		models.onDidAsk(() => modelLists.askWhereOld()),
		vscode.window.onDidChangeWindowState(({ focused }) => {
			if (focused) modelLists.askWhereOld();
		}),
	);
}
