import { isRecord, type JsonRecord, recordOf } from '../../common/json.ts';
import { addressKey } from '../servers/address.ts';

/** Other programs' keys for what we call `command`, `env` and so on. An address has a pattern. */
const spellings: readonly (readonly [ours: string, theirs: readonly string[]])[] = [
	// Goose.
	['command', ['cmd']],
	['args', ['arguments']],
	// OpenCode, Goose.
	['env', ['environment', 'envs']],
	// Codex.
	['headers', ['http_headers']],
	['inherit_env', ['env_vars']],
	// Cherry Studio, 5ire, Jan.
	['enabled', ['isActive', 'isEnabled', 'active', 'enable']],
	['disabled', ['disable']],
	['name', ['server_label']],
	['type', ['transportType']],
	// Warp.
	['cwd', ['working_directory']],
	// Goose.
	['tools', ['available_tools']],
];

/** Whether an object could be the entry of a server in any program's file. */
export function isEntry(value: JsonRecord): boolean {
	const { command, url } = normalizedEntry(value);
	return typeof command === 'string' || typeof url === 'string';
}

/** Normalizes how other programs write an entry. */
export function normalizedEntry(written: JsonRecord): JsonRecord {
	const entry = renamed(Object.fromEntries(Object.entries(unwrapped(written)).map(inSnakeCase)));
	const { command, args, type, inherit_env, env_keys } = entry;
	const [program, ...words] = Array.isArray(command) ? command : [];
	const headers = headersOf(entry);
	// Most list names there, but mcp-get has values.
	const env = { ...environmentOf(entry.env, env_keys), ...(isRecord(inherit_env) && inherit_env) };
	const isPlain = type === 'local' || type === 'remote';
	// Hermes has both lists in one object. The first counts if both are there.
	const { include, exclude } = recordOf(entry.tools);
	const all: JsonRecord = {
		...entry,
		...(Array.isArray(command) && {
			command: program,
			args: [...words, ...(Array.isArray(args) ? args : [])],
		}),
		...(isRecord(command) && { command: command.path, args: command.args, env: command.env }),
		...(headers && { headers }),
		...(Object.keys(env).length > 0 && { env }),
		...((include ?? exclude) !== undefined && {
			tools: include && [include].flat(),
			disabled_tools: include ? undefined : [exclude].flat(),
		}),
		...(Array.isArray(inherit_env) && { inherit_env: inherit_env.map(nameOfVariable) }),
	};
	const dropped = new Set([
		...takenKeys,
		...(isPlain ? ['type'] : []),
		...(isRecord(inherit_env) ? ['inherit_env'] : []),
	]);
	return Object.fromEntries(Object.entries(all).filter(([key]) => !dropped.has(key)));
}

/** Keys whose content is now under another one. */
const takenKeys = [
	...['requestInit', 'requestOptions', 'env_keys', 'env_http_headers', 'bearer_token_env_var'],
	...['bearer_token', 'authorization_token', 'api_key_env', 'api_key_header', 'api_key_format'],
];

/** Keys that one program writes as `bearer_token_env_var`, and another as `bearerTokenEnvVar`. */
const snakeCase = new Set(
	[...takenKeys, ...spellings.flatMap(([, theirs]) => theirs)].filter((key) => key.includes('_')),
);

function inSnakeCase([key, value]: readonly [string, unknown]): readonly [string, unknown] {
	const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
	return [snakeCase.has(snake) ? snake : key, value];
}

/** Continue had the launch in `transport`, and Goose in `config`. */
function unwrapped({ transport, config, ...entry }: JsonRecord): JsonRecord {
	if (isRecord(transport)) return { ...entry, ...transport };
	const isWrapped =
		isRecord(config) && [config.cmd, config.command, config.uri].some((value) => value !== undefined);
	return {
		...entry,
		...(isWrapped && config),
		...(transport !== undefined && { transport }),
		...(config !== undefined && !isWrapped && { config }),
	};
}

function renamed(entry: JsonRecord): JsonRecord {
	const renamedEntry = withAddress(entry);
	for (const [ours, theirs] of spellings) {
		for (const key of theirs) {
			const value = renamedEntry[key];
			if (value === undefined) continue;
			delete renamedEntry[key];
			if (isRecord(value))
				renamedEntry[ours] = { ...value, ...(isRecord(renamedEntry[ours]) && renamedEntry[ours]) };
			else renamedEntry[ours] ??= value;
		}
	}
	return renamedEntry;
}

/** The address of an entry, under any key of one, and the transport that the key names. */
function withAddress(entry: JsonRecord): Record<string, unknown> {
	const addressEntry = Object.entries(entry).find(
		([key, value]) => key !== 'url' && addressKey.test(key) && typeof value === 'string',
	);
	// Cherry Studio writes an empty command beside an address.
	if (addressEntry === undefined || entry.command || entry.cmd) return { ...entry };
	const { [addressEntry[0]]: address, ...rest } = entry;
	const kind = /^(sse|http)/i.exec(addressEntry[0])?.[0].toLowerCase();
	return {
		...rest,
		url: entry.url ?? address,
		...(kind !== undefined && (kind === 'http' || entry.type === undefined) && { type: kind }),
	};
}

/** The headers of an entry, including what other programs write under their own keys. Some keys name environment variables. */
function headersOf(entry: JsonRecord): JsonRecord | undefined {
	const { env_http_headers, bearer_token_env_var, bearer_token, authorization_token, api_key_env } = entry;
	const { requestInit, requestOptions, api_key_header, api_key_format } = entry;
	const nested = [requestInit, requestOptions].flatMap((options) =>
		isRecord(options) && isRecord(options.headers) ? [options.headers] : [],
	);
	const variableHeaders = isRecord(env_http_headers) ? Object.entries(env_http_headers) : [];
	const token =
		typeof bearer_token_env_var === 'string'
			? `\${env:${bearer_token_env_var}}`
			: [bearer_token, authorization_token].find((value) => typeof value === 'string');
	const format = typeof api_key_format === 'string' ? api_key_format : 'Bearer {token}';
	const derivedHeaders: JsonRecord = {
		...Object.fromEntries(variableHeaders.map(([header, name]) => [header, `\${env:${String(name)}}`])),
		...(token !== undefined && { Authorization: `Bearer ${String(token)}` }),
		...(typeof api_key_env === 'string' && {
			[typeof api_key_header === 'string' ? api_key_header : 'Authorization']: format.replace(
				'{token}',
				() => `\${env:${api_key_env}}`,
			),
		}),
	};
	const headerPairs = Array.isArray(entry.headers) ? entry.headers.flatMap(pairOf) : [];
	const hasHeaders = nested.length + headerPairs.length > 0 || Object.keys(derivedHeaders).length > 0;
	if (!hasHeaders) return undefined;
	const writtenHeaders = isRecord(entry.headers) ? entry.headers : Object.fromEntries(headerPairs);
	return Object.assign({}, ...nested, writtenHeaders, derivedHeaders);
}

/** The environment as an object: some programs have a list, and Goose the names of what its own storage holds. */
function environmentOf(env: unknown, keys: unknown): JsonRecord {
	const pairs = Array.isArray(env) ? env.flatMap(pairOf) : [];
	const stored = Array.isArray(keys) ? keys.filter((name) => typeof name === 'string') : [];
	return {
		...Object.fromEntries(stored.map((name) => [name, `\${env:${name}}`])),
		...(isRecord(env) ? env : Object.fromEntries(pairs)),
	};
}

/** `NAME=value`, `Name: value`, or an object with both. */
function pairOf(written: unknown): readonly (readonly [name: string, value: unknown])[] {
	const [, name, value] =
		typeof written === 'string' ? (/^([\w-]+)\s*[=:]\s*(.*)$/s.exec(written) ?? []) : [];
	if (name !== undefined) return [[name, value]];
	if (!isRecord(written)) return [];
	const key = [written.name, written.key].find((value) => typeof value === 'string');
	return typeof key === 'string' ? [[key, written.value]] : [];
}

/** Codex also writes `{ name = "X", source = "local" }`. */
function nameOfVariable(variable: unknown): unknown {
	return isRecord(variable) ? variable.name : variable;
}

/** A header as programs take it: `Name: value`, some also `Name=value`. `undefined`: it is no header. */
export function headerIn(text: string): readonly [name: string, value: string] | undefined {
	const [, name, value = ''] = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(text) ?? [];
	return name === undefined ? undefined : [name, value];
}
