import { isDeepStrictEqual } from 'node:util';
import type { ClientDefinition, ModelDefinition } from '../../config/config.ts';
import type { Endpoint } from '../../models/endpoint.ts';
import type { Destinations } from '../keys/destinations.ts';
import { type KeyStore, keyRequest } from '../keys/keyStore.ts';
import { ConfiguredModel, type RequestLog } from './configuredModel.ts';
import { modelInformation } from './modelInformation.ts';
import type { OfferedModel } from './offeredModel.ts';

/** Where the models of the configuration get their keys. */
export type KeySupply = Pick<KeyStore, 'keyFor' | 'keyAfterRefusal'>;

/** Something made from a definition, which stays as long as the definition does. */
interface Made<D, T> {
	readonly definition: D;
	readonly made: T;
}

/** The models of the configuration as it changes: whose settings stay the same keeps its model, and with it what that has learned. */
export class ConfiguredModels {
	readonly #keys: KeySupply;
	readonly #destinations: Pick<Destinations, 'mayReceive'>;
	readonly #log: RequestLog;
	#endpoints: ReadonlyMap<string, Made<ClientDefinition, Endpoint>> = new Map();
	#models: ReadonlyMap<string, Made<ModelDefinition, OfferedModel>> = new Map();

	constructor(keys: KeySupply, destinations: Pick<Destinations, 'mayReceive'>, log: RequestLog) {
		this.#keys = keys;
		this.#destinations = destinations;
		this.#log = log;
	}

	/** The models of a configuration, in its order. */
	update(definitions: ReadonlyMap<string, ModelDefinition>): readonly OfferedModel[] {
		const clients = new Map([...definitions.values()].map(({ client }) => [client.name, client]));
		this.#endpoints = remade(this.#endpoints, clients, (client) => this.#endpoint(client));
		this.#models = remade(this.#models, definitions, (definition) => this.#offer(definition));
		return [...this.#models.values()].map(({ made }) => made);
	}

	#endpoint(client: ClientDefinition): Endpoint {
		const { name, provider, baseUrl } = client;
		return { name, provider, baseUrl, key: () => this.#keys.keyFor(keyRequest(client)) };
	}

	#offer(definition: ModelDefinition): OfferedModel {
		const { client, model, contextTokens, maxOutputTokens } = definition;
		const endpoint = this.#endpoints.get(client.name)?.made ?? this.#endpoint(client);
		const information = modelInformation(definition);
		const settings = {
			id: information.id,
			name: information.name,
			model,
			...(client.api !== undefined && { api: client.api }),
			...(contextTokens !== undefined && { contextTokens }),
			...(maxOutputTokens !== undefined && { maxOutputTokens }),
		};
		const load = async () => {
			const { createModel } = await import('../../models/createModel.ts');
			const keyAfterRefusal = () => this.#keys.keyAfterRefusal(keyRequest(client));
			const mayReceive = () => this.#destinations.mayReceive(keyRequest(client));
			const parts = { mayReceive, keyAfterRefusal, log: this.#log };
			return new ConfiguredModel(await createModel(settings, endpoint), parts);
		};
		return { information, definition, load };
	}
}

function remade<D, T>(
	before: ReadonlyMap<string, Made<D, T>>,
	definitions: ReadonlyMap<string, D>,
	make: (definition: D) => T,
): ReadonlyMap<string, Made<D, T>> {
	return new Map(
		[...definitions].map(([name, definition]) => {
			const known = before.get(name);
			const isSame = known && isDeepStrictEqual(known.definition, definition);
			return [name, isSame ? known : { definition, made: make(definition) }];
		}),
	);
}
