import * as l10n from '@vscode/l10n';
import type { Provider } from '../../common/providers.ts';
import { isAzures } from '../../common/providers.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import { isLoopback } from '../../config/servers/address.ts';

/** A client and where its key would go. */
export type KeyClient = Pick<ClientDefinition, 'file' | 'name' | 'provider' | 'baseUrl'>;

/** Scheme, host and port, for example `https://api.openai.com`. Keys are stored by it. */
export function originOf({ baseUrl }: Pick<ClientDefinition, 'baseUrl'>): string {
	return new URL(baseUrl).origin;
}

/** The environment variable of each origin's key. It goes only there, without asking. */
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

/** What the choice of a key depends on. */
export interface KeySituation {
	/** Where the key would be sent. */
	readonly origin: string;
	readonly provider: Provider;
	/** The stored key of this origin. */
	readonly stored: string | undefined;
	readonly environment: (name: string) => string | undefined;
	/** Variables that the user has agreed to send to this origin. */
	readonly agreed: readonly string[];
	/** The user declined to send a variable's key. */
	readonly declined: boolean;
	/** The origin refused a request without a valid key. */
	readonly refused: boolean;
}

export type KeyVerdict =
	| { readonly kind: 'stored'; readonly key: string }
	| { readonly kind: 'variable'; readonly key: string; readonly variable: string }
	/** The user must agree first. */
	| { readonly kind: 'ask'; readonly key: string; readonly variable: string }
	/** The user did not agree. */
	| { readonly kind: 'declined'; readonly variable: string }
	| { readonly kind: 'none' };

/** A stored key comes before one of the environment. */
export function keyVerdict(situation: KeySituation): KeyVerdict {
	const stored = usable(situation.stored);
	if (stored !== undefined) return { kind: 'stored', key: stored };
	const own = fromVariable(variableOfOrigin.get(situation.origin), situation);
	return own ? { kind: 'variable', ...own } : borrowedVerdict(situation);
}

/** The verdict on a key that was made for another address. */
function borrowedVerdict(situation: KeySituation): KeyVerdict {
	const { provider, origin, agreed, declined, refused } = situation;
	// Each Azure resource has its own address and key.
	const variable = isAzures(origin) ? 'AZURE_OPENAI_API_KEY' : variableOfProvider[provider];
	const borrowed = fromVariable(variable, situation);
	if (!borrowed) return { kind: 'none' };
	if (agreed.includes(borrowed.variable)) return { kind: 'variable', ...borrowed };
	if (declined) return { kind: 'declined', variable: borrowed.variable };
	// Most local servers need no key, so the first request goes without one.
	const isTriedFirst = isLoopback(origin) && !refused;
	return isTriedFirst ? { kind: 'none' } : { kind: 'ask', ...borrowed };
}

/** Why a text is not a key, or nothing. A key is sent in a header, so it must be one word of ASCII. */
export function keyFault(text: string): string | undefined {
	const key = text.trim();
	if (key === '') return l10n.t('Enter a key.');
	if (/\s/.test(key)) return l10n.t('A key cannot contain spaces or line breaks.');
	return /^[\x21-\x7e]+$/.test(key) ? undefined : l10n.t('A key can only contain ASCII characters.');
}

function fromVariable(
	variable: string | undefined,
	{ environment }: KeySituation,
): { readonly key: string; readonly variable: string } | undefined {
	const key = variable === undefined ? undefined : usable(environment(variable));
	return variable === undefined || key === undefined ? undefined : { key, variable };
}

export function isKeyOf(origin: string, variable: string): boolean {
	return variableOfOrigin.get(origin) === variable;
}

/** Whether it is a provider's own address. */
export function isProvidersOwn(origin: string): boolean {
	return variableOfOrigin.has(origin);
}

function usable(text: string | undefined): string | undefined {
	return text === undefined || keyFault(text) ? undefined : text.trim();
}
