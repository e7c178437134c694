import { createHash } from 'node:crypto';
import { errorMessage } from '../../common/errors.ts';
import { Emitter } from '../../common/event.ts';
import { stableJson } from '../../common/json.ts';
import { loadOnce } from '../../common/loadOnce.ts';
import type { Config } from '../../config/config.ts';
import { addressOf, type ClientDefinition } from '../../config/models/clientDefinition.ts';
import { isLoopback } from '../../config/servers/address.ts';
import type { ModelFacts, NamedLimits } from '../../models/knownLimits.ts';
import type { ListedModel } from '../../models/listing.ts';
import { ModelError } from '../../models/modelError.ts';
import { silentEndpoint } from './clientEndpoint.ts';
import type { KeyStore } from './keyStore.ts';

interface ModelListParts {
	/** Where lists are stored, for all workspaces. */
	readonly folder: string;
	readonly keys: Pick<KeyStore, 'knownKeyFor' | 'mayUseUnasked' | 'mayBeAskedForModels'>;
	readonly now: () => number;
	readonly log: { debug(message: string): void };
}

/** Why a list is missing or outdated. */
export type ListFailure =
	/** The user has not agreed that the address may be contacted, or would have to sign in. */
	| { readonly kind: 'notAsked' }
	/** `message`: what happened and what to do. */
	| { readonly kind: 'failed'; readonly message: string };

export interface ListState {
	/** Includes models without tool calling. */
	readonly models: readonly ListedModel[];
	/** Absent: never listed. */
	readonly listedAt?: number;
	readonly failure?: ListFailure;
}

interface Entry {
	state: ListState;
	/** Context lengths that providers named when they refused a request, by model. */
	readonly learned: Map<string, number>;
	/** When this window last asked the endpoint, in milliseconds since 1970; minus infinity: never. */
	askedAt: number;
	asking: Promise<void> | undefined;
}

/** Ages at which a list is stale, in milliseconds. On this machine models come and go, and asking is free. */
const staleMs = { elsewhere: 24 * 60 * 60_000, onThisMachine: 5 * 60_000 };
/** Shortest time after which an endpoint is asked again, in milliseconds. */
const pauseMs = 60_000;
/** Remembered limits per client. */
const keptLimits = 200;

const nothing: ListState = { models: [] };

/**
 * Lists of the models of the configuration's clients, and what is known about models. Lists are stored by client. Endpoints are asked when
 * their list is stale, a file was saved, their key has changed, or a model is missing. The user is never asked for this.
 */
export class ModelLists {
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #parts: ModelListParts;
	/** By {@link keyOf}. */
	readonly #entries = new Map<string, Entry>();
	readonly #restoring = new Map<string, Promise<void>>();
	readonly #stop = new AbortController();
	readonly #files = loadOnce(async () => {
		const { storedModelLists } = await import('./storedModelLists.ts');
		return storedModelLists(this.#parts.folder);
	});
	#followed: readonly ClientDefinition[] = [];

	constructor(parts: ModelListParts) {
		this.#parts = parts;
	}

	/** Reads the stored lists of all clients, and refreshes stale ones. */
	async follow({ clients }: Pick<Config, 'clients'>): Promise<void> {
		this.#followed = clients;
		await Promise.all(clients.map((client) => this.#restore(client)));
		this.refreshStale();
	}

	refreshStale(): void {
		const now = this.#parts.now();
		for (const client of this.#followed) {
			const { listedAt = Number.NEGATIVE_INFINITY } = this.#entry(client).state;
			const allowed = isLoopback(client.baseUrl) ? staleMs.onThisMachine : staleMs.elsewhere;
			if (now - listedAt >= allowed) this.#askUnlessJustAsked(client);
		}
	}

	/** The key of an address has changed: the endpoint may list other models, or list some at last. */
	keyChanged(address: string): void {
		for (const client of this.#followed) {
			if (addressOf(client) !== address) continue;
			// A request that is under way may have the old key.
			const { asking = Promise.resolve() } = this.#entry(client);
			void asking.then(() => this.#ask(client));
		}
	}

	/** A file was saved: refreshes lists, and forgets limits that were learned from refusals. */
	fileSaved(): void {
		for (const client of this.#followed) {
			const { learned, state } = this.#entry(client);
			if (learned.size > 0) {
				learned.clear();
				void this.#keep(client);
				this.#changed.fire();
			}
			if (state.failure) void this.#ask(client);
			else this.#askUnlessJustAsked(client);
		}
	}

	/** An endpoint did not know one of its models. */
	modelMissing(client: ClientDefinition): void {
		this.#askUnlessJustAsked(client);
	}

	stateOf(client: ClientDefinition): ListState {
		return this.#entry(client).state;
	}

	factsOf(client: ClientDefinition, model: string): ModelFacts {
		const listedModel = this.#entry(client).state.models.find((entry) => entry.model === model);
		const { model: _, title: __, ...facts } = listedModel ?? { model };
		return facts;
	}

	learnedContext(client: ClientDefinition, model: string): number | undefined {
		return this.#entry(client).learned.get(model);
	}

	/** Ollama's context is as long as requested, so refusals teach nothing. */
	learn(client: ClientDefinition, model: string, { contextTokens }: NamedLimits): void {
		const { learned } = this.#entry(client);
		if (contextTokens === undefined || client.provider === 'ollama') return;
		if (learned.get(model) === contextTokens) return;
		learned.delete(model);
		learned.set(model, contextTokens);
		for (const oldest of learned.keys()) {
			if (learned.size <= keptLimits) break;
			learned.delete(oldest);
		}
		void this.#keep(client);
		this.#changed.fire();
	}

	dispose(): void {
		this.#stop.abort();
		this.#changed.dispose();
	}

	#entry(client: ClientDefinition): Entry {
		const key = keyOf(client);
		const entry = this.#entries.get(key) ?? {
			state: nothing,
			learned: new Map(),
			askedAt: Number.NEGATIVE_INFINITY,
			asking: undefined,
		};
		this.#entries.set(key, entry);
		return entry;
	}

	#askUnlessJustAsked(client: ClientDefinition): void {
		if (this.#parts.now() - this.#entry(client).askedAt >= pauseMs) void this.#ask(client);
	}

	/** Joins a request that is under way. */
	#ask(client: ClientDefinition): Promise<void> {
		const entry = this.#entry(client);
		entry.asking ??= this.#askNow(client, entry).finally(() => {
			entry.asking = undefined;
			if (!this.#stop.signal.aborted) this.#changed.fire();
		});
		return entry.asking;
	}

	async #askNow(client: ClientDefinition, entry: Entry): Promise<void> {
		const { keys, now, log } = this.#parts;
		const { failure: _, ...previous } = entry.state;
		entry.askedAt = now();
		try {
			if (client.auth === 'microsoft' || !(await keys.mayBeAskedForModels(client))) {
				entry.state = { ...previous, failure: { kind: 'notAsked' } };
				return;
			}
			const { listModels } = await import('../../models/listing.ts');
			const { models, leftOut } = await listModels(silentEndpoint(client, keys), this.#stop.signal);
			entry.state = { models, listedAt: now() };
			log.debug(`${client.name}: lists ${models.length} models, ${leftOut} left out`);
			await this.#keep(client);
		} catch (error) {
			const message = errorMessage(error);
			entry.state = { ...previous, failure: { kind: 'failed', message } };
			log.debug(`${client.name}: lists no models (${error instanceof ModelError ? error.reason : 'error'})`);
		}
	}

	#restore(client: ClientDefinition): Promise<void> {
		const key = keyOf(client);
		const reading = this.#restoring.get(key) ?? this.#restoreNow(client, key);
		this.#restoring.set(key, reading);
		return reading;
	}

	async #restoreNow(client: ClientDefinition, key: string): Promise<void> {
		const stored = await (await this.#files()).read(key);
		if (!stored) return;
		const entry = this.#entry(client);
		const { models, learned } = stored;
		if (stored.listedAt !== undefined) {
			// After the clock was set back, a future time would keep the list for too long.
			entry.state = { models, listedAt: Math.min(stored.listedAt, this.#parts.now()) };
		}
		for (const [model, tokens] of learned) entry.learned.set(model, tokens);
	}

	/** If writing fails, the next start fetches the list again. */
	async #keep(client: ClientDefinition): Promise<void> {
		const { state, learned } = this.#entry(client);
		const { models, listedAt } = state;
		const stored = { listedAt, models: [...models], learned: [...learned] };
		try {
			await (await this.#files()).store(keyOf(client), stored);
		} catch (error) {
			this.#parts.log.debug(`models of ${client.name} are not kept: ${error}`);
		}
	}
}

/**
 * Identifies a client without naming it: a SHA-256 prefix in hex. Clients of two files never share a list, even with the same name and URL:
 * their headers and keys decide what the endpoint lists. A secret in a header does not count.
 */
function keyOf({ headers = [], ...client }: ClientDefinition): string {
	const sent = headers.map(({ name, value, secrets }) => [name, secrets.length > 0 ? secrets : value]);
	return createHash('sha256')
		.update(stableJson([client, sent]))
		.digest('hex')
		.slice(0, 32);
}
