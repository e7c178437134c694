import type { Provider } from '../../common/providers.ts';

/** Where models are asked: an entry of `clients`, its defaults filled in. */
export interface ClientDefinition {
	readonly name: string;
	readonly provider: Provider;
	/** An http(s) address without a slash at its end, e.g. `https://api.openai.com/v1`. */
	readonly baseUrl: string;
	/** Which API of OpenAI's to ask, where the user has said so. */
	readonly api?: 'chat' | 'responses';
	/** `microsoft`: the user signs in there, and the token is sent. Absent: a key is sent, if there is one. */
	readonly auth?: 'microsoft';
	/** Sent to this address with each request, besides the key's own. */
	readonly headers?: readonly ClientHeader[];
	/** The organization at OpenAI that requests are billed to. */
	readonly organization?: string;
}

/** An HTTP header of a client's requests. */
export interface ClientHeader {
	readonly name: string;
	readonly value: string;
	/** Variables whose secrets stand in `value`: it is sent only where the user has agreed that they go there. */
	readonly secrets: readonly string[];
}
