import { isDeepStrictEqual } from 'node:util';
import type { ClientDefinition, ModelDefinition } from '../../config/config.ts';
import type { Endpoint } from '../../models/endpoint.ts';
import { modelLimits } from '../../models/knownLimits.ts';
import type { ListedModel, ModelFacts } from '../../models/listing.ts';
import type { Destinations } from '../keys/destinations.ts';
import { type KeyStore, keyRequest } from '../keys/keyStore.ts';
import { clientEndpoint } from './clientEndpoint.ts';
import { ConfiguredModel, type RequestLog } from './configuredModel.ts';
import { listedId, modelId, modelInformation } from './modelInformation.ts';
import type { ModelLists } from './modelLists.ts';
import type { OfferedModel } from './offeredModel.ts';

/** Where the models of the configuration get their keys. */
export type KeySupply = Pick<KeyStore, 'keyFor' | 'keyAfterRefusal' | 'mayUse' | 'signIn'>;

/** What is known of models besides the configuration. */
export type ModelKnowledge = Pick<ModelLists, 'stateOf' | 'factsOf' | 'learnedContext' | 'learn'>;

/** What models are made with. */
export interface ConfiguredModelsParts {
	readonly keys: KeySupply;
	readonly destinations: Pick<Destinations, 'mayReceive'>;
	readonly lists: ModelKnowledge;
	readonly log: RequestLog;
}

/** Something made from a definition, which stays as long as the definition does. */
interface Made<D, T> {
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
	#endpoints: ReadonlyMap<string, Made<ClientDefinition, Endpoint>> = new Map();
	/** By id. */
	#models: ReadonlyMap<string, Made<Recipe, OfferedModel>> = new Map();

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
		const { models } = this.#parts.lists.stateOf(client);
		return models.filter(callsTools).map(({ model, title = model }) => {
			const definition: ModelDefinition = { name: `${client.name}/${model}`, client, model };
			return { id: listedId(definition.name), definition, title };
		});
	}

	#offer(id: string, definition: ModelDefinition, title: string): Made<Recipe, OfferedModel> {
		const { lists } = this.#parts;
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
		const { keys, destinations, lists, log } = this.#parts;
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
			keyAfterRefusal: async () => client.auth !== 'microsoft' && keys.keyAfterRefusal(keyRequest(client)),
			mayReceive: () => destinations.mayReceive(keyRequest(client)),
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
