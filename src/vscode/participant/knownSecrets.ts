import { emptyConfig } from '../../config/config.ts';
import { launchSecrets } from '../../config/servers/launch.ts';
import type { Configuration } from '../core/configuration.ts';
import type { KeyStore } from '../core/keyStore.ts';
import type { SecretVariables } from '../core/secretVariables.ts';

/**
 * Values that are always secret: stored secrets, secret variables of the environment and `.env`, and what servers and clients are given. Rejects if one
 * cannot be read: it could not be found in a text.
 */
export async function knownSecrets({
	configFile,
	keys,
	secrets,
}: {
	readonly configFile: Configuration;
	readonly keys: KeyStore;
	readonly secrets: SecretVariables;
}): Promise<readonly string[]> {
	const { launches, clients } = configFile.state.kind === 'ok' ? configFile.state.config : emptyConfig;
	const scopes = await Promise.all(configFile.files.map((file) => file.scope()));
	const stored = await Promise.all(configFile.files.map(({ folder }) => secrets.values(folder)));
	const sent = await Promise.all(clients.map((client) => keys.knownKeyFor(client)));
	const headers = clients.flatMap(({ headers = [] }) =>
		headers.filter(({ secrets }) => secrets.length > 0).map(({ value }) => value),
	);
	return [
		...scopes.flatMap(({ env }) => secretsOfEnvironment(env)),
		...stored.flatMap((values) => Object.values(values)),
		...[...launches.values()].flatMap(launchSecrets),
		...sent.filter((key) => key !== undefined),
		...headers,
	];
}

/** Treats the environment like a server's. */
function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): readonly string[] {
	const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
	return launchSecrets({ kind: 'stdio', command: '', args: [], cwd: '', env: Object.fromEntries(set) });
}
