import { emptyConfig } from '../../config/config.ts';
import { SecretMask } from '../../config/secrets/secretMask.ts';
import { launchSecrets } from '../../config/servers/launch.ts';
import type { Configuration } from '../core/configuration.ts';
import type { KeyStore } from '../core/keyStore.ts';
import type { SecretVariables } from '../core/secretVariables.ts';

/**
 * Values that are always secret: stored secrets, secret variables of the environment and `.env`, and what servers and clients are given.
 */
export class KnownSecrets {
	readonly #configFile: Configuration;
	readonly #keys: KeyStore;
	readonly #secrets: SecretVariables;

	constructor(configFile: Configuration, keys: KeyStore, secrets: SecretVariables) {
		this.#configFile = configFile;
		this.#keys = keys;
		this.#secrets = secrets;
	}

	/** Masks them in texts for models. Rejects if one cannot be read: it could not be found in a text. */
	async mask(): Promise<SecretMask> {
		const { state, files } = this.#configFile;
		const { launches, clients } = state.kind === 'ok' ? state.config : emptyConfig;
		const scopes = await Promise.all(files.map((file) => file.scope()));
		const stored = await Promise.all(files.map(({ folder }) => this.#secrets.values(folder)));
		const sent = await Promise.all(clients.map((client) => this.#keys.knownKeyFor(client)));
		const headers = clients.flatMap(({ headers = [] }) =>
			headers.filter(({ secrets }) => secrets.length > 0).map(({ value }) => value),
		);
		return new SecretMask([
			...scopes.flatMap(({ env }) => secretsOfEnvironment(env)),
			...stored.flatMap((values) => Object.values(values)),
			...[...launches.values()].flatMap(launchSecrets),
			...sent.filter((key) => key !== undefined),
			...headers,
		]);
	}
}

/** Treats the environment like a server's. */
function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): readonly string[] {
	const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
	return launchSecrets({ kind: 'stdio', command: '', args: [], cwd: '', env: Object.fromEntries(set) });
}
