import * as l10n from '@vscode/l10n';
import { sha256 } from '../../common/digest.ts';
import type { Provider } from '../../common/providers.ts';
import { isAzures } from '../../common/providers.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import type { FoundVariable } from '../../config/secrets/dotenv.ts';
import { isLoopback } from '../../config/servers/address.ts';

/** A client, where its key would go, and what goes along. */
export type KeyClient = Pick<
	ClientDefinition,
	'file' | 'ofUser' | 'name' | 'provider' | 'baseUrl' | 'headers' | 'organization'
>;

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

export function variableSecret(variable: string, found: FoundVariable): VariableSecret {
	const id = found.isOfWorkspace ? `${variable} ${sha256(found.value)}` : variable;
	return { variable, id, ...found };
}

/** What the choice of a key depends on. */
export interface KeySituation {
	/** The URL that the key would be sent to. */
	readonly address: string;
	readonly provider: Provider;
	/** The stored key of this address. */
	readonly stored: string | undefined;
	readonly environment: (name: string) => FoundVariable | undefined;
	/** Ids of the secrets that the user has agreed to send to this address, and of those that they declined to. */
	readonly agreed: readonly string[];
	readonly declined: readonly string[];
	/** The address refused a request without a valid key. */
	readonly refused: boolean;
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
	const { address, provider, agreed, declined, refused } = situation;
	const own = fromVariable(ownVariable(address), situation);
	if (own && !own.isOfWorkspace) return { kind: 'variable', ...own };
	// Each Azure resource has its own address and key.
	const borrowed = isAzures(address) ? 'AZURE_OPENAI_API_KEY' : variableOfProvider[provider];
	const secret = own ?? fromVariable(borrowed, situation);
	if (!secret) return { kind: 'none' };
	if (agreed.includes(secret.id)) return { kind: 'variable', ...secret };
	if (declined.includes(secret.id)) return { kind: 'declined', ...secret };
	// Most local servers need no key, so the first request goes without one.
	const isTriedFirst = isLoopback(address) && !refused;
	return isTriedFirst ? { kind: 'none' } : { kind: 'ask', ...secret };
}

/** The key to send, if the user has been asked about it or need not be. */
export function sendableKey(verdict: KeyVerdict): string | undefined {
	if (verdict.kind === 'stored') return verdict.key;
	return verdict.kind === 'variable' ? verdict.value : undefined;
}

/**
 * What decides, besides the URL and the key, whose account a chat goes to: the headers and the organization of a workspace's client. Empty if
 * there is nothing, and for the user's own clients.
 */
export function accountOf({ ofUser, headers = [], organization = '' }: KeyClient): string {
	const sent = headers.map(({ name, value }) => [name, value]);
	const isUsers = ofUser || (sent.length === 0 && organization === '');
	return isUsers ? '' : sha256(JSON.stringify([sent, organization]));
}

/** What decides whether a chat may go to an address. */
interface ChatSituation {
	readonly address: string;
	readonly key: KeyVerdict;
	readonly account: string;
	/** Accounts at this address that the user has agreed to. */
	readonly agreed: readonly string[];
}

/** Whether chats may go there: to this machine, where the user agreed, and else to the user's own account at an address that they know. */
export function mayGetChats({ address, key, account, agreed }: ChatSituation): boolean {
	if (isLoopback(address) || agreed.includes(account)) return true;
	return account === '' && (ownVariable(address) !== undefined || sendableKey(key) !== undefined);
}

/** Whether an address may be asked for its models, which tells it nothing of the user's: any that the user knows. */
export function mayBeAskedForModels({ address, key, agreed }: Omit<ChatSituation, 'account'>): boolean {
	return agreed.length > 0 || mayGetChats({ address, key, account: '', agreed });
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
	const found = variable === undefined ? undefined : environment(variable);
	const value = usable(found?.value);
	if (variable === undefined || !found || value === undefined) return undefined;
	return variableSecret(variable, { ...found, value });
}

function usable(text: string | undefined): string | undefined {
	return text === undefined || keyFault(text) ? undefined : text.trim();
}
