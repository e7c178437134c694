import { isDeepStrictEqual } from 'node:util';
import type { TokenPrice, TokenUsage } from '../../common/cost.ts';
import { toolCount } from '../../common/text.ts';
import type { ClientDefinition } from '../../config/models/clients.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../models/chatModel.ts';
import type { ModelFacts, NamedLimits } from '../../models/knownLimits.ts';
import { modelLimits } from '../../models/knownLimits.ts';
import type { ListedModel } from '../../models/listing.ts';
import { ModelError } from '../../models/modelError.ts';
import type { Endpoint } from '../../models/provider.ts';
import type { Services } from '../../services.ts';
import { clientEndpoint } from './clientEndpoint.ts';
import { listedId, modelId, modelInformation } from './modelInformation.ts';
import type { ModelLists } from './modelLists.ts';
import type { OfferedModel } from './modelProvider.ts';

/** Where the models of the configuration get their keys. */
export type KeySupply = Pick<Services['keys'], 'keyFor' | 'keyAfterRefusal' | 'mayUse' | 'signIn'>;

/** What is known of models besides the configuration. */
export type ModelKnowledge = Pick<ModelLists, 'stateOf' | 'factsOf' | 'learnedContext' | 'learn'>;

/** What models are made with. */
export interface ConfiguredModelsParts {
	readonly keys: KeySupply;
	readonly consents: Pick<Services['consents'], 'mayReceive'>;
	readonly modelLists: ModelKnowledge;
	readonly log: RequestLog;
}

/** Something made from a definition, which stays as long as the definition does. */
interface Cached<D, T> {
	readonly definition: D;
	readonly made: T;
}

/** All that a model, once it is loaded, cannot change any more. */
interface Recipe {
	readonly model: ModelDefinition;
	readonly facts: Omit<ModelFacts, 'tools' | 'price'>;
}

/**
 * The models of the configuration, and those that its clients have, as both change: whose settings stay the same keeps its model, and with it
 * what that has learned.
 */
export class ConfiguredModels {
	readonly #parts: ConfiguredModelsParts;
	#endpoints: ReadonlyMap<string, Cached<ClientDefinition, Endpoint>> = new Map();
	/** By id. */
	#models: ReadonlyMap<string, Cached<Recipe, OfferedModel>> = new Map();

	constructor(parts: ConfiguredModelsParts) {
		this.#parts = parts;
	}

	/** The models of a configuration, in its order, and behind them those of the clients that it names no models of. */
	update(
		definitions: ReadonlyMap<string, ModelDefinition>,
		clientsWithoutModels: readonly ClientDefinition[] = [],
	): readonly OfferedModel[] {
		const clients = [...[...definitions.values()].map(({ client }) => client), ...clientsWithoutModels];
		this.#endpoints = new Map(
			clients.map((client) => {
				const known = this.#endpoints.get(client.name);
				const isSame = known && isDeepStrictEqual(known.definition, client);
				return [
					client.name,
					isSame ? known : { definition: client, made: clientEndpoint(client, this.#parts.keys) },
				];
			}),
		);
		const named = [...definitions.values()].map((definition) => ({
			id: modelId(definition.name),
			definition,
			title: definition.name,
		}));
		const listed = clientsWithoutModels.flatMap((client) => this.#listed(client));
		this.#models = new Map(
			[...named, ...listed].map(({ id, definition, title }) => [id, this.#offer(id, definition, title)]),
		);
		return [...this.#models.values()].map(({ made }) => made);
	}

	/** What a client's endpoint has; a model that cannot call tools is no use here. */
	#listed(client: ClientDefinition) {
		const callsTools = ({ tools }: ListedModel) => tools !== false;
		const { models } = this.#parts.modelLists.stateOf(client);
		return models.filter(callsTools).map(({ model, title = model }) => {
			const definition: ModelDefinition = { name: `${client.name}/${model}`, client, model };
			return { id: listedId(definition.name), definition, title };
		});
	}

	#offer(id: string, definition: ModelDefinition, title: string): Cached<Recipe, OfferedModel> {
		const { modelLists: lists } = this.#parts;
		const { client, model } = definition;
		const facts = lists.factsOf(client, model);
		const learned = lists.learnedContext(client, model);
		const information = modelInformation({ id, definition, title, facts, learned });
		const { tools: _, price: __, ...limits } = facts;
		const recipe: Recipe = { model: definition, facts: limits };
		const before = this.#models.get(id);
		if (!before || !isDeepStrictEqual(before.definition, recipe)) {
			const load = () => this.#load(recipe, information);
			return { definition: recipe, made: { information, definition, load } };
		}
		if (isDeepStrictEqual(before.made.information, information)) return before;
		return { definition: recipe, made: { ...before.made, information } };
	}

	async #load(
		{ model: definition, facts }: Recipe,
		{ id, name }: Pick<OfferedModel['information'], 'id' | 'name'>,
	): Promise<ConfiguredModel> {
		const { keys, consents, modelLists: lists, log } = this.#parts;
		const { client, model, contextTokens, maxOutputTokens, images, answers, extraBody } = definition;
		const endpoint = this.#endpoints.get(client.name)?.made ?? clientEndpoint(client, this.#parts.keys);
		const settings = {
			id,
			name,
			model,
			facts,
			...(client.api !== undefined && { api: client.api }),
			...(contextTokens !== undefined && { contextTokens }),
			...(maxOutputTokens !== undefined && { maxOutputTokens }),
			...(images !== undefined && { images }),
			...(answers && { answers }),
			...(extraBody && { extraBody }),
		};
		const { createModel } = await import('../../models/createModel.ts');
		return new ConfiguredModel(await createModel(settings, endpoint), {
			// Who signs in has no key that could help.
			keyAfterRefusal: async () => client.auth !== 'microsoft' && keys.keyAfterRefusal(client),
			mayReceive: () => consents.mayReceive(client),
			log,
			price: () => definition.price ?? lists.factsOf(client, model).price,
			learnedInputTokens: () => {
				const learned = lists.learnedContext(client, model);
				if (learned === undefined) return undefined;
				return modelLimits(client.provider, model, definition, facts, learned).maxInputTokens;
			},
			learn: (limits) => lists.learn(client, model, limits),
		});
	}
}

/** Where each request is noted, without its content. */
export interface RequestLog {
	debug(message: string): void;
}

/** What a model of the configuration needs of its surroundings. */
export interface ConfiguredModelCallbacks {
	/** Whether what is said may go to the provider's address; asks the user where they do not know it. */
	readonly mayReceive: () => Promise<boolean>;
	/** To be called when the provider wants a key; true if there is one now that was not sent before. */
	readonly keyAfterRefusal: () => Promise<boolean>;
	readonly log: RequestLog;
	/** What the model's tokens cost; `undefined`: nobody has told. */
	readonly price: () => TokenPrice | undefined;
	/** Most tokens of a request, as far as the provider has named them in refusing one; `undefined`: it has not. */
	readonly learnedInputTokens: () => number | undefined;
	/** To be told of limits that the provider has named. */
	readonly learn: (limits: NamedLimits) => void;
}

/** A model of the configuration: its requests are noted in the log, and one that was refused for want of a key is made again with it. */
export class ConfiguredModel implements ChatModel {
	readonly #model: ChatModel;
	readonly #parts: ConfiguredModelCallbacks;

	constructor(model: ChatModel, parts: ConfiguredModelCallbacks) {
		this.#model = model;
		this.#parts = parts;
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
		return this.#parts.learnedInputTokens() ?? this.#model.maxInputTokens;
	}

	get price(): ChatModel['price'] {
		return this.#parts.price();
	}

	get loadings(): ChatModel['loadings'] {
		return this.#model.loadings;
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		if (!(await this.#parts.mayReceive())) throw notAgreed(this.name);
		let isAnswered = false;
		try {
			for await (const event of this.#noted(request, signal)) {
				isAnswered ||= event.type === 'text' || event.type === 'toolCall';
				yield event;
			}
		} catch (error) {
			const mayHelp = !isAnswered && !signal.aborted && isUnauthorized(error);
			if (!mayHelp || !(await this.#parts.keyAfterRefusal())) throw error;
			for await (const event of this.#noted(request, signal)) {
				// What was dropped then is dropped again, and known.
				if (event.type !== 'toolDropped') yield event;
			}
		}
	}

	async *#noted(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		const started = performance.now();
		let usage: TokenUsage | undefined;
		let outcome = 'stopped';
		try {
			for await (const event of this.#model.stream(request, signal)) {
				if (event.type === 'usage') usage = event.usage;
				yield event;
			}
			if (!signal.aborted) outcome = 'answered';
		} catch (error) {
			if (!signal.aborted) outcome = `failed (${reasonOf(error)})`;
			if (error instanceof ModelError) this.#parts.learn(error.limits);
			throw error;
		} finally {
			const ms = Math.round(performance.now() - started);
			this.#parts.log.debug(`${this.name}: ${sizeOf(request)}, ${outcome} after ${ms} ms${usageText(usage)}`);
		}
	}
}

function notAgreed(model: string): ModelError {
	return new ModelError(
		'refused',
		`Nothing was sent: you have not agreed that ${model} gets this chat. Pick another model, or ask again.`,
	);
}

function isUnauthorized(error: unknown): boolean {
	return error instanceof ModelError && error.reason === 'unauthorized';
}

/** The bare reason: a message may hold what the provider says. */
function reasonOf(error: unknown): string {
	if (!(error instanceof ModelError)) return error instanceof Error ? error.name : 'error';
	return error.status === undefined ? error.reason : `${error.reason}, ${error.status}`;
}

function sizeOf({ messages, tools }: ChatRequest): string {
	return `${messages.length} messages, ${toolCount(tools.length)}`;
}

function usageText(usage: TokenUsage | undefined): string {
	if (!usage) return '';
	const { inputTokens, cachedInputTokens = 0, outputTokens, thoughtTokens = 0 } = usage;
	const thought = thoughtTokens > 0 ? ` (${thoughtTokens} thought)` : '';
	return `, ${inputTokens} tokens in (${cachedInputTokens} cached), ${outputTokens} out${thought}`;
}
