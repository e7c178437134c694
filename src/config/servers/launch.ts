import { defined } from '../../common/json.ts';
import type { SecretSpan } from '../../common/secrets/secretSpan.ts';
import { secretIn, spansInText, spansOfArguments, spansOfValue } from '../../common/secrets/secretSpans.ts';
import { percentDecoded } from '../../common/text.ts';
import type { Path } from '../file/jsonPath.ts';

/** A server that runs as a child process and speaks over its stdin and stdout. */
export interface StdioLaunch extends LaunchOrigin<'command' | 'args' | 'env' | 'cwd'> {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	/** Added to what a server inherits from our environment. */
	readonly env: Readonly<Record<string, string>>;
	/** What it inherits in addition to every server's variables: everything, or these, sorted. */
	readonly inherits?: true | readonly string[];
	/** Absolute path of the folder in which the process starts. */
	readonly cwd: string;
}

export interface RemoteLaunch extends LaunchOrigin<'url' | 'headers'> {
	readonly kind: 'remote';
	readonly url: string;
	readonly transport: 'streamable-http' | 'sse';
	readonly headers: Readonly<Record<string, string>>;
	/** Sign-in settings that the server does not announce itself. */
	readonly oauth?: SignInOptions;
}

/** The file's sign-in settings for a server. */
export interface SignInOptions {
	/** A client that the user has registered. */
	readonly clientId?: string;
	readonly clientSecret?: string;
	readonly scopes?: readonly string[];
	/** Local port of the redirect URL. */
	readonly redirectPort?: number;
	/** Its host; both are this machine. */
	readonly redirectHost?: '127.0.0.1' | 'localhost';
	/** Address of a document that describes the client, which some issuers accept instead of a registration. */
	readonly clientMetadataUrl?: string;
}

/** How to reach one server. Variables are resolved, so two equal launches reach the same server. */
export type ServerLaunch = StdioLaunch | RemoteLaunch;

/** Where the texts of a launch come from, if it reads environment variables. */
interface LaunchOrigin<Key extends string> {
	/**
	 * Its texts as in the file, such as `Bearer ${env:NOTES_KEY}`, with other variables replaced. They show whose key a server gets, which
	 * the value does not.
	 */
	readonly written?: WrittenTexts<Key>;
	/** The environment variables in them, by name. */
	readonly reads?: Readonly<Record<string, ReadVariable>>;
	/** It is in the user's own file and the same in all workspaces, and so is its approval. */
	readonly ofUser?: true;
	/** It is in the user's own file, but uses the workspace folder, so it is approved per workspace. */
	readonly usesFolder?: true;
}

type WrittenTexts<Key extends string> = {
	readonly [K in Key]: K extends 'args'
		? readonly string[]
		: K extends 'env' | 'headers'
			? Readonly<Record<string, string>>
			: string;
} & {
	/** {@link signInTexts}, if the entry has any. */
	readonly oauth?: Readonly<Record<string, string>>;
};

export interface ReadVariable {
	readonly value: string;
	/** It comes from secret storage, and so is secret whatever its name. */
	readonly isStored: boolean;
	/** It comes from the `.env` of a workspace, and so is not the user's own. */
	readonly isOfWorkspace?: true;
}

/** Whether the value of a variable must not be shown. */
export function isSecretVariable(name: string, { value, isStored }: ReadVariable): boolean {
	return isStored || secretIn(name, value) !== undefined;
}

/** The texts by which a server is started or reached. */
export interface LaunchTexts {
	readonly command?: string | undefined;
	readonly args?: readonly string[] | undefined;
	readonly env?: Texts | undefined;
	readonly url?: string | undefined;
	readonly headers?: Texts | undefined;
	readonly oauth?: { readonly client_secret?: string | undefined } | undefined;
}

type Texts = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

function entriesOf(texts: Texts = {}): Iterable<readonly [name: string, text: string]> {
	return texts instanceof Map ? texts : Object.entries(texts);
}

/** A text of an entry with its secrets. `path`: keys from the entry, such as `['args', 1]`. */
interface LaunchText {
	readonly path: Path;
	readonly text: string;
	readonly spans: readonly SecretSpan[];
}

/** The texts of an entry, each searched according to what it is. `server` is prepended to the names of variables for its secrets. */
export function* secretsOfLaunch(
	server: string,
	{ command, args = [], env, url, headers, oauth }: LaunchTexts,
): Generator<LaunchText> {
	if (command !== undefined) yield { path: ['command'], text: command, spans: spansInText(server, command) };
	const spans = spansOfArguments(server, args);
	for (const [index, text] of args.entries())
		yield { path: ['args', index], text, spans: spans[index] ?? [] };
	// Variables of the process have their own names and need no prefix.
	for (const [name, text] of entriesOf(env))
		yield { path: ['env', name], text, spans: spansOfValue('', name, text) };
	if (url !== undefined) yield { path: ['url'], text: url, spans: spansInText(server, url) };
	for (const [name, text] of entriesOf(headers))
		yield { path: ['headers', name], text, spans: spansOfValue(server, name, text) };
	const key = 'client_secret';
	const text = oauth?.[key];
	if (text !== undefined) yield { path: ['oauth', key], text, spans: spansOfValue(server, key, text) };
}

/** Looks up the secrets of an entry's texts by their paths in the entry. */
export function secretsAt(server: string, entry: LaunchTexts): (path: Path) => readonly SecretSpan[] {
	const byPath = new Map(
		[...secretsOfLaunch(server, entry)].map(({ path, spans }) => [JSON.stringify(path), spans]),
	);
	return (path) => byPath.get(JSON.stringify(path)) ?? [];
}

/** Sign-in settings under the file's names. */
export function signInTexts(oauth: SignInOptions | undefined): Readonly<Record<string, string>> {
	const { clientId, clientSecret, scopes, redirectPort, redirectHost, clientMetadataUrl } = oauth ?? {};
	return defined({
		client_id: clientId,
		client_secret: clientSecret,
		scopes: scopes?.join(' '),
		redirect_port: redirectPort?.toString(),
		redirect_host: redirectHost,
		client_metadata_url: clientMetadataUrl,
	});
}

export function launchSecrets(launch: ServerLaunch): readonly string[] {
	const secrets = new Set<string>();
	const take = (text: string, spans: readonly SecretSpan[]) => {
		for (const { kind, start, end } of spans)
			if (kind === 'secret') addSecret(secrets, text.slice(start, end));
	};
	for (const [name, variable] of Object.entries(launch.reads ?? {})) {
		if (isSecretVariable(name, variable)) addSecret(secrets, variable.value);
		// A variable that is not a secret itself may contain one, such as the password in an address.
		take(variable.value, spansOfValue('', name, variable.value));
	}
	const texts =
		launch.kind === 'stdio' ? launch : { ...launch, oauth: { client_secret: launch.oauth?.clientSecret } };
	for (const { text, spans } of secretsOfLaunch('', texts)) take(text, spans);
	return [...secrets];
}

/** Values from secret storage that launches read. */
export function storedSecrets(launches: Iterable<ServerLaunch>): readonly string[] {
	const read = [...launches].flatMap(({ reads = {} }) => Object.values(reads));
	return [...new Set(read.filter(({ isStored }) => isStored).map(({ value }) => value))];
}

/**
 * Adds a secret and the forms in which a server may repeat it: the password in the Base64 of a `Basic …` header, and a percent-encoded text
 * decoded.
 */
function addSecret(secrets: Set<string>, secret: string): void {
	secrets.add(secret);
	const password = /^[A-Za-z0-9+/]{8,}=*$/.test(secret)
		? /^[\x21-\x7e]*?:([\x20-\x7e]+)$/.exec(Buffer.from(secret, 'base64').toString('latin1'))?.[1]
		: undefined;
	if (password !== undefined) secrets.add(password);
	if (secret.includes('%')) secrets.add(percentDecoded(secret));
	// In a text that is a JSON object, such as the credentials of a service account, the members are the secrets.
	if (secret.trimStart().startsWith('{')) {
		for (const { start, end, kind } of spansInText('', secret)) {
			if (kind === 'secret') secrets.add(secret.slice(start, end));
		}
	}
}
