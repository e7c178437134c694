import * as l10n from '@vscode/l10n';
import { sha256 } from '../../common/digest.ts';
import { stableJson } from '../../common/json.ts';
import type { Provider } from '../../common/providers.ts';
import { isAzureUrl } from '../../common/providers.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { FoundVariable } from '../../config/secrets/dotenv.ts';
import { isLoopback } from '../../config/servers/address.ts';

/** A client, where its key would go, and what goes along. */
export type KeyClient = Pick<
	ClientDefinition,
	'file' | 'ofUser' | 'name' | 'provider' | 'baseUrl' | 'auth' | 'headers' | 'organization'
>;

/** What a model's own entry adds to its requests. */
export type ModelFields = Pick<ModelDefinition, 'file' | 'ofUser' | 'extraBody'>;

/** The environment variable of each provider's key, by the provider's origin. It goes only there, without asking. */
const variableOfOrigin: ReadonlyMap<string, string> = new Map([
	['https://api.openai.com', 'OPENAI_API_KEY'],
	['https://api.anthropic.com', 'ANTHROPIC_API_KEY'],
	['https://openrouter.ai', 'OPENROUTER_API_KEY'],
	['https://generativelanguage.googleapis.com', 'GEMINI_API_KEY'],
	['https://models.github.ai', 'GITHUB_TOKEN'],
]);

/** The variable that people use for servers with a provider's protocol. It goes there only with consent. */
const variableOfProvider: Readonly<Record<Provider, string | undefined>> = {
	openai: 'OPENAI_API_KEY',
	anthropic: 'ANTHROPIC_API_KEY',
	ollama: undefined,
};

/** A variable whose value may be sent to an address. */
export interface VariableSecret extends FoundVariable {
	readonly variable: string;
	/** What an agreement is for: the user's own variable with any value, but only this value of a workspace's. */
	readonly id: string;
}

export function variableSecret(variable: string, foundVariable: FoundVariable): VariableSecret {
	const id = foundVariable.isOfWorkspace ? `${variable} ${sha256(foundVariable.value)}` : variable;
	return { variable, id, ...foundVariable };
}

/** What the choice of a key depends on. */
export interface KeySituation {
	/** The URL that the key would be sent to. */
	readonly address: string;
	readonly provider: Provider;
	readonly auth: ClientDefinition['auth'];
	/** The stored key of this address. */
	readonly stored: string | undefined;
	readonly environment: (name: string) => FoundVariable | undefined;
	/** Ids of the secrets that the user has agreed to send to this address. */
	readonly agreed: readonly string[];
	/** Ids of the secrets that they declined to send. */
	readonly declined: readonly string[];
	/** The address refused a request without a valid key. */
	readonly isRefused: boolean;
}

export type KeyVerdict =
	| { readonly kind: 'stored'; readonly key: string }
	| ({ readonly kind: 'variable' } & VariableSecret)
	/** The user must agree first. */
	| ({ readonly kind: 'ask' } & VariableSecret)
	/** The user did not agree. */
	| ({ readonly kind: 'declined' } & VariableSecret)
	| { readonly kind: 'none' };

/**
 * A stored key comes before one of the environment. A provider's own key needs no consent, unless a workspace brings it: it would send the
 * user's chats to somebody else's account.
 */
export function keyVerdict(situation: KeySituation): KeyVerdict {
	const stored = usable(situation.stored);
	if (stored !== undefined) return { kind: 'stored', key: stored };
	const { address, provider, auth, agreed, declined, isRefused } = situation;
	if (auth === 'microsoft') return { kind: 'none' };
	const ownSecret = fromVariable(ownVariable(address), situation);
	if (ownSecret && !ownSecret.isOfWorkspace) return { kind: 'variable', ...ownSecret };
	// Each Azure resource has its own address and key.
	const borrowed = isAzureUrl(address) ? 'AZURE_OPENAI_API_KEY' : variableOfProvider[provider];
	const secret = ownSecret ?? fromVariable(borrowed, situation);
	if (!secret) return { kind: 'none' };
	if (agreed.includes(secret.id)) return { kind: 'variable', ...secret };
	if (declined.includes(secret.id)) return { kind: 'declined', ...secret };
	// Most local servers need no key, so the first request goes without one.
	const isTriedFirst = isLoopback(address) && !isRefused;
	return isTriedFirst ? { kind: 'none' } : { kind: 'ask', ...secret };
}

/** The key to send, if the user has been asked about it or need not be. */
export function sendableKey(verdict: KeyVerdict): string | undefined {
	if (verdict.kind === 'stored') return verdict.key;
	return verdict.kind === 'variable' ? verdict.value : undefined;
}

/** What a workspace's file adds to requests. Many gateways let it decide whose account they use, or where the gateway sends them. */
export interface Additions {
	readonly file: string;
	/** Names of headers and of fields of the body. */
	readonly names: readonly string[];
	/** What an agreement is for; empty: nothing is added. */
	readonly id: string;
}

/** Nothing in the user's own file is an addition. */
export function additionsOf(client: KeyClient, { file, ofUser, extraBody = {} }: ModelFields): Additions {
	const { headers = [], organization } = client;
	const ofClient = [
		...headers.map(({ name, value }) => [name, value] as const),
		...(organization === undefined ? [] : [['OpenAI-Organization', organization] as const]),
	];
	const sent = [client.ofUser ? [] : ofClient, ofUser ? [] : Object.entries(extraBody)];
	const names = sent.flat().map(([name]) => name);
	return { file, names, id: names.length > 0 ? sha256(stableJson(sent)) : '' };
}

/** What decides whether a chat may go to an address. */
interface ChatSituation {
	readonly address: string;
	readonly key: KeyVerdict;
	/** The id of what is added. */
	readonly added: string;
	/** Ids of the additions at this address that the user has agreed to; empty: the address alone. */
	readonly agreed: readonly string[];
}

/** Whether chats may go to an address: if it is this machine, if the user agreed, or if nothing is added and the user knows the address. */
export function mayGetChats({ address, key, added, agreed }: ChatSituation): boolean {
	if (isLoopback(address) || agreed.includes(added)) return true;
	return added === '' && (ownVariable(address) !== undefined || sendableKey(key) !== undefined);
}

/** Whether an address may be asked for its models. The request reveals nothing about the user, so any known address may. */
export function mayBeAskedForModels({ address, key, agreed }: Omit<ChatSituation, 'added'>): boolean {
	return agreed.length > 0 || mayGetChats({ address, key, added: '', agreed });
}

/** Why a text is not a key, or nothing. A key is sent in a header, so it must be one word of ASCII. */
export function keyFault(text: string): string | undefined {
	const key = text.trim();
	if (key === '') return l10n.t('Enter a key.');
	if (/\s/.test(key)) return l10n.t('A key cannot contain spaces or line breaks.');
	return /^[\x21-\x7e]+$/.test(key) ? undefined : l10n.t('A key can only contain ASCII characters.');
}

/** The variable of the key of the provider that owns an address. */
export function ownVariable(address: string): string | undefined {
	return variableOfOrigin.get(new URL(address).origin);
}

function fromVariable(
	variable: string | undefined,
	{ environment }: KeySituation,
): VariableSecret | undefined {
	const foundVariable = variable === undefined ? undefined : environment(variable);
	const value = usable(foundVariable?.value);
	if (variable === undefined || !foundVariable || value === undefined) return undefined;
	return variableSecret(variable, { ...foundVariable, value });
}

function usable(text: string | undefined): string | undefined {
	return text === undefined || keyFault(text) ? undefined : text.trim();
}
