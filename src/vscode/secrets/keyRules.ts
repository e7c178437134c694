import * as l10n from '@vscode/l10n';
import type { Provider } from '../../common/providers.ts';
import { isAzures } from '../../common/providers.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import { isLoopback } from '../../config/servers/address.ts';

/** Who wants a key, and where it would go. */
export type KeyClient = Pick<ClientDefinition, 'name' | 'provider' | 'baseUrl'>;

/** Scheme, host and port of a client's address, e.g. `https://api.openai.com`: what keys are kept by. */
export function originOf({ baseUrl }: Pick<ClientDefinition, 'baseUrl'>): string {
	return new URL(baseUrl).origin;
}

/** Which environment variable holds the key of which origin. It goes there unasked, and nowhere else. */
const variableOfOrigin: ReadonlyMap<string, string> = new Map([
	['https://api.openai.com', 'OPENAI_API_KEY'],
	['https://api.anthropic.com', 'ANTHROPIC_API_KEY'],
	['https://openrouter.ai', 'OPENROUTER_API_KEY'],
	['https://generativelanguage.googleapis.com', 'GEMINI_API_KEY'],
	['https://models.github.ai', 'GITHUB_TOKEN'],
]);

/** Which variable people set for a server that speaks a provider's protocol; it goes there once they have agreed. */
const variableOfProvider: Readonly<Record<Provider, string | undefined>> = {
	openai: 'OPENAI_API_KEY',
	anthropic: 'ANTHROPIC_API_KEY',
	ollama: undefined,
};

/** All that the choice of a key depends on. */
export interface KeySituation {
	/** Scheme, host and port that the key would be sent to. */
	readonly origin: string;
	readonly provider: Provider;
	/** The key that the user has stored for this origin. */
	readonly stored: string | undefined;
	/** Value of an environment variable. */
	readonly environment: (name: string) => string | undefined;
	/** Variables whose keys the user has agreed to send to this origin. */
	readonly agreed: readonly string[];
	/** The user does not want to send it any variable's key. */
	readonly declined: boolean;
	/** It has refused a request for want of a key. */
	readonly refused: boolean;
}

/** What comes of a situation. */
export type KeyVerdict =
	| { readonly kind: 'stored'; readonly key: string }
	| { readonly kind: 'variable'; readonly key: string; readonly variable: string }
	/** A variable's key may go there only if the user says so. */
	| { readonly kind: 'ask'; readonly key: string; readonly variable: string }
	/** The user was asked, and did not say so. */
	| { readonly kind: 'declined'; readonly variable: string }
	| { readonly kind: 'none' };

/** Which key may go to an origin: a stored one first, then that of the environment. */
export function keyVerdict(situation: KeySituation): KeyVerdict {
	const stored = usable(situation.stored);
	if (stored !== undefined) return { kind: 'stored', key: stored };
	const own = fromVariable(variableOfOrigin.get(situation.origin), situation);
	return own ? { kind: 'variable', ...own } : borrowedVerdict(situation);
}

/** The verdict on a key that was made for another address than this. */
function borrowedVerdict(situation: KeySituation): KeyVerdict {
	const { provider, origin, agreed, declined, refused } = situation;
	// Each resource at Azure has an address and a key of its own.
	const variable = isAzures(origin) ? 'AZURE_OPENAI_API_KEY' : variableOfProvider[provider];
	const borrowed = fromVariable(variable, situation);
	if (!borrowed) return { kind: 'none' };
	if (agreed.includes(borrowed.variable)) return { kind: 'variable', ...borrowed };
	if (declined) return { kind: 'declined', variable: borrowed.variable };
	// Most servers on this machine want no key: they are tried without one before anybody is asked.
	const isTriedFirst = isLoopback(origin) && !refused;
	return isTriedFirst ? { kind: 'none' } : { kind: 'ask', ...borrowed };
}

/** Why a text cannot be a key, as a sentence, or nothing. A key is sent in a header, so it is one word of ASCII. */
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

/** Whether a variable is that of an origin's own key. */
export function isKeyOf(origin: string, variable: string): boolean {
	return variableOfOrigin.get(origin) === variable;
}

/** Whether an address is the own one of a provider that keys are made for. */
export function isProvidersOwn(origin: string): boolean {
	return variableOfOrigin.has(origin);
}

function usable(text: string | undefined): string | undefined {
	return text === undefined || keyFault(text) ? undefined : text.trim();
}
