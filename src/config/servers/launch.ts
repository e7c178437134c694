import type { SecretSpan } from '../../common/secrets/secretSpan.ts';
import { secretIn, spansInText, spansOfArguments, spansOfValue } from '../../common/secrets/secretSpans.ts';
import type { Path } from '../file/jsonPath.ts';
import { percentDecoded } from './address.ts';

/** A server that runs as a child process and speaks over its stdin and stdout. */
export interface StdioLaunch extends LaunchOrigin<'command' | 'args' | 'env' | 'cwd'> {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	/** Added to what a server inherits of our own environment. */
	readonly env: Readonly<Record<string, string>>;
	/** What it inherits beside what every server does: everything, or the variables of these names, sorted. */
	readonly inherits?: true | readonly string[];
	/** Absolute folder the process starts in. */
	readonly cwd: string;
}

/** A server that runs elsewhere and is reached by address. */
export interface RemoteLaunch extends LaunchOrigin<'url' | 'headers'> {
	readonly kind: 'remote';
	readonly url: string;
	readonly transport: 'streamable-http' | 'sse';
	readonly headers: Readonly<Record<string, string>>;
	/** How to sign in, where the server does not tell all of it. */
	readonly oauth?: SignInOptions;
}

/** What the file says about signing in to a server. */
export interface SignInOptions {
	/** A client that the user has registered. */
	readonly clientId?: string;
	readonly clientSecret?: string;
	readonly scopes?: readonly string[];
	/** Port of this machine that the browser comes back to. */
	readonly redirectPort?: number;
	/** Address of a document about the client, which stands for a registration where the issuer takes one. */
	readonly clientMetadataUrl?: string;
}

/** How to reach one server; variables are resolved, so two equal launches reach the same server. */
export type ServerLaunch = StdioLaunch | RemoteLaunch;

/** Where the texts of a launch come from, if it reads variables of the environment. */
interface LaunchOrigin<Key extends string> {
	/**
	 * Its texts as the file has them, `Bearer ${env:NOTES_KEY}`, other variables replaced. They tell whose key a server is given, which the
	 * value itself does not.
	 */
	readonly written?: WrittenTexts<Key>;
	/** The variables of the environment in them, by name. */
	readonly reads?: Readonly<Record<string, ReadVariable>>;
	/** It stands in the user's own file, and is the same in all workspaces: so is its approval. */
	readonly ofUser?: true;
	/** It stands there, but runs what the workspace provides: so it is approved in each workspace. */
	readonly runsFolder?: true;
}

type WrittenTexts<Key extends string> = {
	readonly [K in Key]: K extends 'args'
		? readonly string[]
		: K extends 'env' | 'headers'
			? Readonly<Record<string, string>>
			: string;
} & {
	/** {@link signInTexts}, where the entry has any. */
	readonly oauth?: Readonly<Record<string, string>>;
};

/** A variable of the environment that a launch reads. */
export interface ReadVariable {
	readonly value: string;
	/** It comes from secret storage, and so is a secret whatever its name. */
	readonly isStored: boolean;
}

/** Whether the value of a variable that a launch reads is to be shown nowhere. */
export function isSecretVariable(name: string, { value, isStored }: ReadVariable): boolean {
	return isStored || secretIn(name, value) !== undefined;
}

/** The texts by which a server is started or reached, whichever of them an entry has. */
export interface LaunchTexts {
	readonly command?: string | undefined;
	readonly args?: readonly string[] | undefined;
	readonly env?: ReadonlyMap<string, string> | undefined;
	readonly url?: string | undefined;
	readonly headers?: ReadonlyMap<string, string> | undefined;
	readonly oauth?: { readonly client_secret?: string | undefined } | undefined;
}

/** A text of an entry with the secrets in it. `path`: keys from the entry, e.g. `['args', 1]`. */
interface LaunchText {
	readonly path: Path;
	readonly text: string;
	readonly spans: readonly SecretSpan[];
}

/** The texts of an entry, each read as what it is. `server` goes before the names that variables for its secrets would have. */
export function* secretsOfLaunch(
	server: string,
	{ command, args = [], env = new Map(), url, headers = new Map(), oauth }: LaunchTexts,
): Generator<LaunchText> {
	if (command !== undefined) yield { path: ['command'], text: command, spans: spansInText(server, command) };
	const spans = spansOfArguments(server, args, command);
	for (const [index, text] of args.entries())
		yield { path: ['args', index], text, spans: spans[index] ?? [] };
	// Variables of the process have names of their own, which need no prefix.
	for (const [name, text] of env) yield { path: ['env', name], text, spans: spansOfValue('', name, text) };
	if (url !== undefined) yield { path: ['url'], text: url, spans: spansInText(server, url) };
	for (const [name, text] of headers)
		yield { path: ['headers', name], text, spans: spansOfValue(server, name, text) };
	const key = 'client_secret';
	const text = oauth?.[key];
	if (text !== undefined) yield { path: ['oauth', key], text, spans: spansOfValue(server, key, text) };
}

/** What is said about signing in, by the names of the file. */
export function signInTexts(oauth: SignInOptions | undefined): Readonly<Record<string, string>> {
	const { clientId, clientSecret, scopes, redirectPort, clientMetadataUrl } = oauth ?? {};
	const texts = {
		client_id: clientId,
		client_secret: clientSecret,
		scopes: scopes?.join(' '),
		redirect_port: redirectPort === undefined ? undefined : String(redirectPort),
		client_metadata_url: clientMetadataUrl,
	};
	return Object.fromEntries(
		Object.entries(texts).filter((text): text is [string, string] => text[1] !== undefined),
	);
}

/** All values of a launch that are secrets, wherever in it they stand. */
export function launchSecrets(launch: ServerLaunch): readonly string[] {
	const found = new Set<string>();
	const take = (text: string, spans: readonly SecretSpan[]) => {
		for (const { kind, start, end } of spans) if (kind === 'secret') addSecret(found, text.slice(start, end));
	};
	for (const [name, variable] of Object.entries(launch.reads ?? {})) {
		if (isSecretVariable(name, variable)) addSecret(found, variable.value);
		// A variable that is no secret as a whole may hold one: the password of an address.
		take(variable.value, spansOfValue('', name, variable.value));
	}
	const texts =
		launch.kind === 'stdio'
			? { ...launch, env: new Map(Object.entries(launch.env)) }
			: {
					...launch,
					headers: new Map(Object.entries(launch.headers)),
					oauth: { client_secret: launch.oauth?.clientSecret },
				};
	for (const { text, spans } of secretsOfLaunch('', texts)) take(text, spans);
	return [...found];
}

/** Values of secret storage that launches read. */
export function storedSecrets(launches: Iterable<ServerLaunch>): readonly string[] {
	const read = [...launches].flatMap(({ reads = {} }) => Object.values(reads));
	return [...new Set(read.filter(({ isStored }) => isStored).map(({ value }) => value))];
}

/**
 * Adds a secret, and the forms in which a server may repeat it: the password in the base 64 of a `Basic …` header, and a percent-encoded
 * text decoded.
 */
function addSecret(found: Set<string>, secret: string): void {
	found.add(secret);
	const password = /^[A-Za-z0-9+/]{8,}=*$/.test(secret)
		? /^[\x21-\x7e]*?:([\x20-\x7e]+)$/.exec(Buffer.from(secret, 'base64').toString('latin1'))?.[1]
		: undefined;
	if (password !== undefined) found.add(password);
	if (secret.includes('%')) found.add(percentDecoded(secret));
	// A text that is a whole object, such as the credentials of a service account, has its secrets in its members.
	if (secret.trimStart().startsWith('{')) {
		for (const { start, end, kind } of spansInText('', secret)) {
			if (kind === 'secret') found.add(secret.slice(start, end));
		}
	}
}
