import { isDeepStrictEqual } from 'node:util';
import type { ClientDefinition, ModelDefinition } from '../../config/config.ts';
import type { Endpoint, EndpointHeader } from '../../models/endpoint.ts';
import { ModelError } from '../../models/modelError.ts';
import type { Destinations } from '../keys/destinations.ts';
import { type KeyStore, keyRequest } from '../keys/keyStore.ts';
import { ConfiguredModel, type RequestLog } from './configuredModel.ts';
import { modelInformation } from './modelInformation.ts';
import type { OfferedModel } from './offeredModel.ts';

/** Where the models of the configuration get their keys. */
export type KeySupply = Pick<KeyStore, 'keyFor' | 'keyAfterRefusal' | 'mayUse' | 'signIn'>;

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
		const { name, provider, baseUrl, auth } = client;
		const headers = () => this.#headers(client);
		const signedIn = { key: () => this.#signedIn(name), keyHeader: 'authorization' } as const;
		const keyed = { key: () => this.#keys.keyFor(keyRequest(client)) };
		return { name, provider, baseUrl, headers, ...(auth === 'microsoft' ? signedIn : keyed) };
	}

	async #signedIn(client: string): Promise<string> {
		const token = await this.#keys.signIn();
		if (token !== undefined) return token;
		throw new ModelError(
			'unauthorized',
			`Nothing was sent: the client “${client}” wants you to sign in at Microsoft. Ask again to do so.`,
		);
	}

	/** Without those whose secrets the user does not want to go there. */
	async #headers(client: ClientDefinition): Promise<EndpointHeader[]> {
		const { organization, headers = [] } = client;
		const own = { name: 'OpenAI-Organization', value: organization ?? '', isSecret: false };
		const sent: EndpointHeader[] = organization === undefined ? [] : [own];
		for (const { name, value, secrets } of headers) {
			const answers = await Promise.all(secrets.map((name) => this.#keys.mayUse(keyRequest(client), name)));
			if (answers.every(Boolean)) sent.push({ name, value, isSecret: secrets.length > 0 });
		}
		return sent;
	}

	#offer(definition: ModelDefinition): OfferedModel {
		const { client, model, contextTokens, maxOutputTokens, images, answers, extraBody } = definition;
		const endpoint = this.#endpoints.get(client.name)?.made ?? this.#endpoint(client);
		const information = modelInformation(definition);
		const settings = {
			id: information.id,
			name: information.name,
			model,
			...(client.api !== undefined && { api: client.api }),
			...(contextTokens !== undefined && { contextTokens }),
			...(maxOutputTokens !== undefined && { maxOutputTokens }),
			...(images !== undefined && { images }),
			...(answers && { answers }),
			...(extraBody && { extraBody }),
		};
		const load = async () => {
			const { createModel } = await import('../../models/createModel.ts');
			// Who signs in has no key that could help.
			const keyAfterRefusal = async () =>
				client.auth !== 'microsoft' && this.#keys.keyAfterRefusal(keyRequest(client));
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
