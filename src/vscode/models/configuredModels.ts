import { isDeepStrictEqual } from 'node:util';
import type { TokenUsage } from '../../common/cost.ts';
import { englishToolCount } from '../../common/text.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import type { ChatModel, ChatModelEvent } from '../../models/chatModel.ts';
import type { ModelFacts } from '../../models/knownLimits.ts';
import { modelLimits } from '../../models/knownLimits.ts';
import type { ListedModel } from '../../models/listing.ts';
import { ModelError } from '../../models/modelError.ts';
import { clientEndpoint } from '../core/clientEndpoint.ts';
import type { KeyStore } from '../core/keyStore.ts';
import { listedId, modelId, modelInformation, type OfferedModel } from '../core/modelInformation.ts';
import type { ModelLists } from '../core/modelLists.ts';

export type KeySupply = Pick<
	KeyStore,
	'keyFor' | 'keyAfterRefusal' | 'mayUse' | 'mayReceiveChats' | 'signIn'
>;

type ModelKnowledge = Pick<ModelLists, 'stateOf' | 'factsOf' | 'learnedContext' | 'learn' | 'modelMissing'>;

export interface ModelServices {
	readonly keys: KeySupply;
	readonly modelLists: ModelKnowledge;
	/** Gets a line per request, without its content. */
	readonly log: { debug(message: string): void };
}

/** What a model is built from. If that changes, the model is rebuilt. */
interface Recipe {
	readonly model: ModelDefinition;
	readonly facts: Omit<ModelFacts, 'tools' | 'price'>;
}

interface BuiltModel {
	readonly recipe: Recipe;
	readonly offer: OfferedModel;
}

/** The models of the configuration and of its clients. A model whose settings stay equal is reused, with what it has learned. */
export class ConfiguredModels {
	readonly #services: ModelServices;
	#models: ReadonlyMap<string, BuiltModel> = new Map();

	constructor(services: ModelServices) {
		this.#services = services;
	}

	/** Models of the configuration in its order, then those of clients without configured models. */
	update(
		definitions: ReadonlyMap<string, ModelDefinition>,
		clientsWithoutModels: readonly ClientDefinition[] = [],
	): readonly OfferedModel[] {
		const namedModels = [...definitions.values()].map((definition) => ({
			id: modelId(definition.name),
			definition,
			title: definition.name,
		}));
		const listedModels = clientsWithoutModels.flatMap((client) => this.#modelsListedBy(client));
		this.#models = new Map(
			[...namedModels, ...listedModels].map(({ id, definition, title }) => [
				id,
				this.#offer(id, definition, title),
			]),
		);
		return [...this.#models.values()].map(({ offer }) => offer);
	}

	/** A client's models, except those without tool calling. */
	#modelsListedBy(client: ClientDefinition) {
		const callsTools = ({ tools }: ListedModel) => tools !== false;
		const { models } = this.#services.modelLists.stateOf(client);
		return models.filter(callsTools).map(({ model, title = model }) => {
			const { file, name } = client;
			const definition: ModelDefinition = { file, name: `${name}/${model}`, client, model };
			return { id: listedId(client, model), definition, title };
		});
	}

	#offer(id: string, definition: ModelDefinition, title: string): BuiltModel {
		const { modelLists: lists } = this.#services;
		const { client, model } = definition;
		const facts = lists.factsOf(client, model);
		const learned = lists.learnedContext(client, model);
		const information = modelInformation({ id, definition, title, facts, learned });
		const { tools: _, price: __, ...limits } = facts;
		const recipe: Recipe = { model: definition, facts: limits };
		const previous = this.#models.get(id);
		if (!previous || !isDeepStrictEqual(previous.recipe, recipe)) {
			const load = () => this.#load(recipe, information);
			return { recipe, offer: { information, definition, load } };
		}
		if (isDeepStrictEqual(previous.offer.information, information)) return previous;
		return { recipe, offer: { ...previous.offer, information } };
	}

	async #load(
		recipe: Recipe,
		{ id, name }: Pick<OfferedModel['information'], 'id' | 'name'>,
	): Promise<ConfiguredModel> {
		const { model: definition, facts } = recipe;
		const { client } = definition;
		const endpoint = clientEndpoint(client, this.#services.keys);
		const settings = { ...definition, id, name, facts, ...(client.api && { api: client.api }) };
		const { createModel } = await import('../../models/createModel.ts');
		return new ConfiguredModel(await createModel(settings, endpoint), recipe, this.#services);
	}
}

/** A configured model that logs its requests, and retries a request that was refused for lack of a key. */
export class ConfiguredModel implements ChatModel {
	readonly #model: ChatModel;
	readonly #definition: ModelDefinition;
	readonly #facts: Recipe['facts'];
	readonly #services: ModelServices;

	constructor(model: ChatModel, { model: definition, facts }: Recipe, services: ModelServices) {
		this.#model = model;
		this.#definition = definition;
		this.#facts = facts;
		this.#services = services;
	}

	get id(): ChatModel['id'] {
		return this.#model.id;
	}

	get name(): ChatModel['name'] {
		return this.#model.name;
	}

	get maxTools(): ChatModel['maxTools'] {
		return this.#model.maxTools;
	}

	get maxInputTokens(): ChatModel['maxInputTokens'] {
		const { client, model } = this.#definition;
		const learned = this.#services.modelLists.learnedContext(client, model);
		if (learned === undefined) return this.#model.maxInputTokens;
		return modelLimits(client.provider, model, this.#definition, this.#facts, learned).maxInputTokens;
	}

	get price(): ChatModel['price'] {
		const { price, client, model } = this.#definition;
		return price ?? this.#services.modelLists.factsOf(client, model).price;
	}

	get loadings(): ChatModel['loadings'] {
		return this.#model.loadings;
	}

	refusalOf(tool: ToolDefinition): string | undefined {
		return this.#model.refusalOf?.(tool);
	}

	async answer(...args: Parameters<ChatModel['answer']>): ReturnType<ChatModel['answer']> {
		const [request, signal, emit] = args;
		const { client } = this.#definition;
		if (!(await this.#services.keys.mayReceiveChats(client, this.#definition))) throw notAgreed(this.name);
		let isRead = false;
		const heard = (event: ChatModelEvent) => {
			isRead ||= event.type === 'text';
			emit(event);
		};
		try {
			return await this.#answerLogged(request, signal, heard);
		} catch (error) {
			// A client that uses the user's account has no key to replace.
			const wantsKey = error instanceof ModelError && error.reason === 'unauthorized';
			const mayHelp = wantsKey && !isRead && !signal.aborted && client.auth !== 'microsoft';
			if (!mayHelp || !(await this.#services.keys.keyAfterRefusal(client))) throw error;
			// The first try reported the dropped tools.
			return await this.#answerLogged(request, signal, (event) => {
				if (event.type !== 'toolDropped') emit(event);
			});
		}
	}

	async #answerLogged(...args: Parameters<ChatModel['answer']>): ReturnType<ChatModel['answer']> {
		const [request, signal, emit] = args;
		const { modelLists, log } = this.#services;
		const { client, model } = this.#definition;
		const started = performance.now();
		let usage: TokenUsage | undefined;
		let outcome = 'stopped';
		try {
			const parts = await this.#model.answer(request, signal, (event) => {
				if (event.type === 'usage') usage = event.usage;
				emit(event);
			});
			outcome = 'answered';
			return parts;
		} catch (error) {
			if (!signal.aborted) outcome = `failed (${reasonOf(error)})`;
			if (error instanceof ModelError) modelLists.learn(client, model, error.limits);
			if (error instanceof ModelError && error.reason === 'notFound') modelLists.modelMissing(client);
			throw error;
		} finally {
			const ms = Math.round(performance.now() - started);
			const size = `${request.messages.length} messages, ${englishToolCount(request.tools.length)}`;
			log.debug(`${this.name}: ${size}, ${outcome} after ${ms} ms${usageText(usage)}`);
		}
	}
}

function notAgreed(model: string): ModelError {
	return new ModelError(
		'refused',
		`Nothing was sent: you did not agree to send this chat to ${model}. Pick another model, set a key with the command “Discovery: Set API Key or Secret…”, or send your message again.`,
	);
}

/** Without the message, which may contain the provider's text. */
function reasonOf(error: unknown): string {
	if (!(error instanceof ModelError)) return error instanceof Error ? error.name : 'error';
	return error.status === undefined ? error.reason : `${error.reason}, ${error.status}`;
}

function usageText(usage: TokenUsage | undefined): string {
	if (!usage) return '';
	const { inputTokens, cachedInputTokens = 0, outputTokens, thoughtTokens = 0 } = usage;
	const thought = thoughtTokens > 0 ? ` (${thoughtTokens} thought)` : '';
	return `, ${inputTokens} tokens in (${cachedInputTokens} cached), ${outputTokens} out${thought}`;
}
