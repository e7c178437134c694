import { hostOf } from './hosts.ts';

/** The protocol of an endpoint. */
export type Provider = 'openai' | 'anthropic' | 'ollama';

/** Default addresses, from the providers' SDKs and Ollama. */
export const defaultBaseUrls: Readonly<Record<Provider, string>> = {
	openai: 'https://api.openai.com/v1',
	anthropic: 'https://api.anthropic.com',
	ollama: 'http://localhost:11434',
};

/** The protocol of a request; `chat` and `responses` are both OpenAI's. */
export type Protocol = 'chat' | 'responses' | 'anthropic' | 'ollama';

/** The parts of a client that decide its protocol. */
interface AskedClient {
	readonly provider: Provider;
	readonly baseUrl: string;
}

/** The protocol for a client's models: OpenAI's own endpoint gets its newer one, unless the user says otherwise. */
export function protocolOf(client: AskedClient & { readonly api?: 'chat' | 'responses' }): Protocol {
	if (client.provider !== 'openai') return client.provider;
	return client.api ?? (isProvidersOwn(client) ? 'responses' : 'chat');
}

/** Whether an endpoint belongs to the provider itself rather than only speaking its protocol. */
export function isProvidersOwn({ provider, baseUrl }: AskedClient): boolean {
	return URL.parse(baseUrl)?.origin === new URL(defaultBaseUrls[provider]).origin;
}

/** Whether an address is OpenAI's own, or Azure's of its models. */
export function isOpenAiUrl(baseUrl = ''): boolean {
	return isProvidersOwn({ provider: 'openai', baseUrl }) || isAzureUrl(baseUrl);
}

/** Whether an address is one of Azure's for models of OpenAI's (https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle). */
export function isAzureUrl(baseUrl = ''): boolean {
	return hostIs(baseUrl, /\.(openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.(com|us|cn)$/);
}

export function isOpenRouterUrl(baseUrl = ''): boolean {
	return hostIs(baseUrl, /(^|\.)openrouter\.ai$/);
}

/** Whether `prompt_cache_key` is known at an address: OpenAI's, and Moonshot's (https://platform.kimi.ai/docs/api/chat). */
export function takesCacheKey(baseUrl: string): boolean {
	return isOpenAiUrl(baseUrl) || hostIs(baseUrl, /(^|\.)moonshot\.(ai|cn)$/);
}

function hostIs(baseUrl: string, pattern: RegExp): boolean {
	return pattern.test(hostOf(baseUrl) ?? '');
}
