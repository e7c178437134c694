import type { Provider } from '../../common/providers.ts';

/**
 * An endpoint for models: an entry of `clients` with its defaults filled in. Two files may have entries with the same name, so what belongs to
 * an entry is found by the entry itself.
 */
export interface ClientDefinition {
	/** The address of its file. */
	readonly file: string;
	/** The file is the user's own. */
	readonly ofUser?: true;
	/** Its name in the file. */
	readonly name: string;
	readonly provider: Provider;
	/** An http(s) address without a trailing slash, such as `https://api.openai.com/v1`. */
	readonly baseUrl: string;
	/** Which of OpenAI's APIs to use, if the user has chosen one. */
	readonly api?: 'chat' | 'responses';
	/** `microsoft`: the user signs in there, and the token is sent. Absent: a key is sent, if there is one. */
	readonly auth?: 'microsoft';
	/** Sent with each request, besides the key's own header. */
	readonly headers?: readonly ClientHeader[];
	/** The organization at OpenAI that is billed. */
	readonly organization?: string;
}

/**
 * The URL that keys and consent are for, as requests really go there: `..` is resolved, and there is no slash at its end. One host may serve
 * several owners.
 */
export function addressOf({ baseUrl }: Pick<ClientDefinition, 'baseUrl'>): string {
	return new URL(baseUrl).href.replace(/\/+$/, '');
}

/** Names an entry of `clients` where the entry itself cannot be passed, e.g. in the arguments of a command. */
export type ClientRef = Pick<ClientDefinition, 'file' | 'name'>;

export function refOfClient({ file, name }: ClientRef): ClientRef {
	return { file, name };
}

export interface ClientHeader {
	readonly name: string;
	readonly value: string;
	/** Variables in `value` that are secrets: the header is sent only if the user has agreed that they go there. */
	readonly secrets: readonly string[];
}
