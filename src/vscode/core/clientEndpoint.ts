import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import { ModelError } from '../../models/modelError.ts';
import type { Endpoint, EndpointHeader } from '../../models/provider.ts';
import type { KeyStore } from './keyStore.ts';

type Keys = Pick<KeyStore, 'keyFor' | 'mayUse' | 'signIn'>;
type KnownKeys = Pick<KeyStore, 'knownKeyFor' | 'mayUseUnasked'>;

/** A client's endpoint. Asks the user before a key or secret goes to an address for the first time. */
export function clientEndpoint(client: ClientDefinition, keys: Keys): Endpoint {
	const { name, provider, baseUrl, auth } = client;
	const headers = () => headersOf(client, (variable) => keys.mayUse(client, variable));
	const signedIn = { key: () => signIn(name, keys), keyHeader: 'authorization' } as const;
	const keyed = { key: () => keys.keyFor(client) };
	return { name, provider, baseUrl, headers, ...(auth === 'microsoft' ? signedIn : keyed) };
}

/** Never asks the user, and sends only keys and secrets that they have agreed to. */
export function silentEndpoint(client: ClientDefinition, keys: KnownKeys): Endpoint {
	const { name, provider, baseUrl } = client;
	const headers = () => headersOf(client, async (variable) => keys.mayUseUnasked(client, variable));
	return { name, provider, baseUrl, headers, key: () => keys.knownKeyFor(client) };
}

async function signIn(client: string, keys: Keys): Promise<string> {
	const token = await keys.signIn();
	if (token !== undefined) return token;
	throw new ModelError(
		'unauthorized',
		`Nothing was sent: the client “${client}” requires a Microsoft sign-in. Send your message again to sign in.`,
	);
}

/** A client's headers, without those whose secret may not be sent there. */
async function headersOf(
	{ organization, headers = [] }: ClientDefinition,
	mayUse: (variable: string) => Promise<boolean>,
): Promise<EndpointHeader[]> {
	const organizationHeader = { name: 'OpenAI-Organization', value: organization ?? '', isSecret: false };
	const sent: EndpointHeader[] = organization === undefined ? [] : [organizationHeader];
	for (const { name, value, secrets } of headers) {
		const answers = await Promise.all(secrets.map(mayUse));
		if (answers.every(Boolean)) sent.push({ name, value, isSecret: secrets.length > 0 });
	}
	return sent;
}
