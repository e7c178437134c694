import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord, recordOf } from '../../common/json.ts';
import { quoted } from '../file/jsonPath.ts';
import type { SignInEntry } from '../salvage.ts';
import { hijacksProcess } from '../secrets/environmentNames.ts';
import { schemeFault } from '../servers/address.ts';
import { type ServerDraft, type ServerJson, textsIn } from './serverDraft.ts';

/** An entry that can be imported, or why it cannot: the end of a sentence, without a full stop. */
export type ReadEntry = Pick<ServerDraft, 'entry' | 'envFile' | 'notes'> | { readonly fault: string };

/** Longest text in an entry, in UTF-16 units: about the limit of a command line on Windows. */
const maxTextLength = 32_768;
/** Most arguments, variables and headers together: the search for secrets compares each with each. */
export const maxTexts = 500;

/** Keys that do not affect how a server runs: its origin, and how the other program displays it. */
const meaningless = new Set([
	'gallery',
	'version',
	'name',
	'description',
	'icon',
	'$schema',
	'display_name',
	'bundled',
	'source',
	'key',
]);
/** Roo Code, Windsurf, Kiro and Codex; Gemini CLI; Hermes; LiteLLM. */
const disabledToolsKeys = [
	'disabledTools',
	'disabled_tools',
	'excludeTools',
	'exclude_tools',
	'disallowed_tools',
];
/** Codex and others; Gemini CLI and Amp; LangChain and LiteLLM; Copilot's agents. */
const enabledToolsKeys = [
	'enabledTools',
	'enabled_tools',
	'includeTools',
	'allowedTools',
	'allowed_tools',
	'tools',
];
/** Tools that run without asking: Roo Code; Cline and Kiro. */
const approvedToolsKeys = ['alwaysAllow', 'autoApprove'];
const keysOfTools = [...disabledToolsKeys, ...enabledToolsKeys, ...approvedToolsKeys];
const keysOfBoth = ['type', 'transport', 'disabled', 'enabled', ...keysOfTools];
const stdioKeys = [...keysOfBoth, 'command', 'args', 'env', 'inherit_env', 'cwd', 'envFile'];
const remoteKeys = [...keysOfBoth, 'url', 'headers', 'auth', 'oauth', 'scopes'];

/** Reads one entry of any program's file. */
export function readEntry(entry: unknown): ReadEntry {
	if (!isRecord(entry)) return { fault: l10n.t('it is not an object') };
	const notes: string[] = [];
	const launch = stdioLaunch(entry, notes) ?? remoteLaunch(entry, notes);
	if (!launch) return { fault: l10n.t('it has neither a "command" nor a "url"') };
	if ('fault' in launch) return launch;
	const isStdio = launch.command !== undefined;
	const envFile = isStdio && typeof entry.envFile === 'string' ? entry.envFile.trim() : '';
	const texts = [...textsIn(launch), envFile];
	if (texts.length > maxTexts)
		return { fault: l10n.t('it has more than {0} arguments, variables and headers', maxTexts) };
	if (texts.some((text) => text.length > maxTextLength)) {
		return { fault: l10n.t('it has a string of more than {0} characters', maxTextLength) };
	}
	const usableKeys = isStdio ? stdioKeys : remoteKeys;
	const unusedKeys = Object.keys(entry).filter((key) => !usableKeys.includes(key) && !meaningless.has(key));
	notes.push(...unusedKeys.map((key) => untranslatedText(key, isStdio)));
	if (approvedToolsKeys.some((key) => isSet(entry[key]))) {
		notes.push(l10n.t('Its auto-approved tools are not imported. You decide here what runs without asking.'));
	}
	const isDisabled = entry.disabled === true || entry.enabled === false;
	return {
		entry: { ...launch, ...(isDisabled && { disabled: true }), ...toolsOf(entry, notes) },
		...(envFile !== '' && { envFile }),
		notes,
	};
}

/** Whether a key says anything: `false`, `null`, empty lists and empty texts do not. */
function isSet(value: unknown): boolean {
	return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Most tools that an entry names, and the longest name of one. */
const maxToolNames = 500;
const maxToolNameLength = 128;

/** Which tools the other program uses, under our names. */
function toolsOf(entry: JsonRecord, notes: string[]): Pick<ServerJson, 'enabled_tools' | 'tools'> {
	const namesUnder = (keys: readonly string[]) => {
		const lists = keys
			.filter((key) => entry[key] != null)
			.map((key) => [key, toolNamesIn(entry[key])] as const);
		for (const [key, names] of lists)
			if (!names) notes.push(l10n.t('{0} is ignored: it is not a list of names.', quoted(key)));
		return lists.flatMap(([, names]) => names ?? []);
	};
	const [disabled, enabled] = [namesUnder(disabledToolsKeys), namesUnder(enabledToolsKeys)];
	// An empty list of enabled tools enables none; an empty list of tools says nothing.
	const isForAll =
		enabled.includes('*') ||
		(enabled.length === 0 && !enabledToolsKeys.some((key) => key !== 'tools' && toolNamesIn(entry[key])));
	const tools = disabled.map((tool) => [tool, { disabled: true }] as const);
	return {
		...(!isForAll && { enabled_tools: enabled }),
		...(tools.length > 0 && { tools: Object.fromEntries(tools) }),
	};
}

/** Amp and LangChain also allow patterns, which are no names here, except the one for all. */
function toolNamesIn(value: unknown): readonly string[] | undefined {
	const names = namesIn(value);
	return names?.every((name) => name === '*' || !/[*?[]/.test(name)) ? names : undefined;
}

function namesIn(value: unknown): readonly string[] | undefined {
	if (!Array.isArray(value) || value.length > maxToolNames) return undefined;
	const isName = (name: unknown): name is string =>
		typeof name === 'string' && name !== '' && name.length <= maxToolNameLength;
	return value.every(isName) ? [...new Set(value)] : undefined;
}

function untranslatedText(key: string, isStdio: boolean): string {
	if (key === 'sandbox' || key === 'sandboxEnabled')
		return l10n.t('{0} is ignored: the server runs here without a sandbox.', quoted(key));
	if (key === 'headersHelper')
		return l10n.t(
			'{0} is ignored: no program is run to get headers. Write them into "headers".',
			quoted(key),
		);
	if (!stdioKeys.includes(key) && !remoteKeys.includes(key))
		return l10n.t('{0} is ignored: it is not supported.', quoted(key));
	return isStdio
		? l10n.t('{0} is ignored: it has no effect on a process.', quoted(key))
		: l10n.t('{0} is ignored: it has no effect on a remote server.', quoted(key));
}

function stdioLaunch(entry: JsonRecord, notes: string[]): ServerJson | { fault: string } | undefined {
	const { command, cwd } = entry;
	if (typeof command !== 'string' || command.trim() === '') return undefined;
	if (/\p{Cc}/u.test(command))
		return { fault: l10n.t('it has a "command" with line breaks or control characters') };
	const argWords = commandWords(entry.args);
	if (!argWords) return { fault: l10n.t('its "args" are not a list of strings') };
	const env = textsOf(entry.env, 'env', notes);
	const inherited = namesIn(entry.inherit_env) ?? [];
	notes.push(...hijackingNotes(Object.keys(env ?? {})));
	const [program = '', ...leading] = argWords.length === 0 ? wordsOfCommand(command) : [command];
	if (leading.length > 0) notes.push(l10n.t('Its "command" contains arguments. They are moved to "args".'));
	const args = [...leading, ...argWords];
	return {
		command: program,
		...(args.length > 0 && { args }),
		...(env && { env }),
		...(inherited.length > 0 && { inherit_env: inherited }),
		...(typeof cwd === 'string' && cwd !== '' && { cwd }),
		defer_loading: true,
	};
}

/** Warnings about variables that decide what code a process runs. */
export function hijackingNotes(names: Iterable<string>): string[] {
	return [...names]
		.filter(hijacksProcess)
		.map((name) =>
			l10n.t(
				'It sets {0}, which decides what code the process runs. Make sure that this is intended.',
				quoted(name),
			),
		);
}

/** Cursor passes `npx -y thing` to a shell. Commands that need a shell, and paths, which may contain spaces, are not split. */
function wordsOfCommand(command: string): string[] {
	const parts = command.trim().split(/\s+/);
	const isForShell = /["'`$|&;<>]/.test(command.replace(/\$\{\S*?\}/g, ''));
	return isForShell || /[\\/]/.test(parts[0] ?? '') ? [command] : parts;
}

function commandWords(args: unknown): string[] | undefined {
	if (args === undefined || args === null) return [];
	if (!Array.isArray(args)) return undefined;
	const texts = args.map(scalarText);
	return texts.every((text) => text !== undefined) ? texts : undefined;
}

function remoteLaunch(entry: JsonRecord, notes: string[]): ServerJson | { fault: string } | undefined {
	const { url } = entry;
	if (typeof url !== 'string' || url.trim() === '') return undefined;
	const scheme = /^\s*([a-z][\w+.-]*:)\/\//i.exec(url)?.[1]?.toLowerCase() ?? 'https:';
	if (scheme !== 'https:' && scheme !== 'http:') return { fault: schemeFault(scheme) };
	const signInKey = entry.oauth == null ? 'auth' : 'oauth';
	const signIn = entry[signInKey];
	// Codex has the scopes beside the client.
	const oauth = signInOf(
		entry.scopes === undefined ? signIn : { ...recordOf(signIn), scopes: entry.scopes },
		signInKey,
		notes,
	);
	const headers = textsOf(entry.headers, 'headers', notes);
	return {
		url: url.trim(),
		...(isSse(entry.type ?? entry.transport, url, notes) && { transport: 'sse' }),
		...(headers && { headers }),
		...(oauth && { oauth }),
		defer_loading: true,
	};
}

/** The spellings of VS Code and Claude Code, of Cursor, and our own. */
const signInKeys: Readonly<Record<keyof SignInEntry, readonly string[]>> = {
	client_id: ['clientId', 'CLIENT_ID', 'client_id'],
	client_secret: ['clientSecret', 'CLIENT_SECRET', 'client_secret'],
	scopes: ['scopes', 'scope'],
	redirect_port: ['callbackPort', 'redirect_port'],
	redirect_host: ['redirect_host'],
	client_metadata_url: ['clientMetadataUrl', 'client_metadata_url'],
};

/** Reads the sign-in settings of a file. Whether to sign in at all is not for the file to decide. */
function signInOf(entry: unknown, place: 'auth' | 'oauth', notes: string[]): SignInEntry | undefined {
	if (!isRecord(entry)) return undefined;
	const knownKeys = new Set(['enabled', ...Object.values(signInKeys).flat()]);
	for (const key of Object.keys(entry))
		if (!knownKeys.has(key))
			notes.push(l10n.t('{0} in {1} is ignored: it is not known here.', quoted(key), quoted(place)));
	const writtenValue = (key: keyof SignInEntry) =>
		signInKeys[key].map((name) => entry[name]).find((value) => value != null);
	const textOf = (key: keyof SignInEntry) => {
		const value = writtenValue(key);
		return typeof value === 'string' && value.trim() !== '' ? { [key]: value } : {};
	};
	const [scopes, port] = [writtenValue('scopes'), Number(writtenValue('redirect_port'))];
	const names = (
		typeof scopes === 'string' ? scopes.split(/\s+/) : Array.isArray(scopes) ? scopes : []
	).filter((name): name is string => typeof name === 'string' && name !== '');
	const read: SignInEntry = {
		...textOf('client_id'),
		...textOf('client_secret'),
		...(names.length > 0 && { scopes: names }),
		...(Number.isInteger(port) && port > 0 && port <= 65_535 && { redirect_port: port }),
		...(writtenValue('redirect_host') === 'localhost' && { redirect_host: 'localhost' }),
		...textOf('client_metadata_url'),
	};
	if (read.client_id !== undefined)
		notes.push(
			l10n.t(
				'Its OAuth client must also be registered for {0}.',
				quoted(`http://${read.redirect_host ?? '127.0.0.1'}:${read.redirect_port ?? 'PORT'}/callback`),
			),
		);
	return Object.keys(read).length > 0 ? read : undefined;
}

function isSse(kind: unknown, url: string, notes: string[]): boolean {
	if (kind === undefined || kind === null) {
		const isLikely = /\/sse\/?([?#]|$)/.test(url);
		if (isLikely) notes.push(l10n.t('No transport is set. The URL suggests SSE.'));
		return isLikely;
	}
	// "http", "streamable-http", Cline's "streamableHttp", "streamable_http"; "mcp" in requests to OpenAI, "url" in those to Anthropic.
	const isHttp = typeof kind === 'string' && /^((streamable[-_]?)?http|mcp|url)$/i.test(kind);
	if (kind !== 'sse' && !isHttp) notes.push(l10n.t('Its transport is unknown; "http" is used.'));
	return kind === 'sse';
}

function textsOf(
	values: unknown,
	key: 'env' | 'headers',
	notes: string[],
): Readonly<Record<string, string>> | undefined {
	if (values === undefined || values === null) return undefined;
	if (!isRecord(values)) {
		notes.push(l10n.t('{0} is ignored: it is not an object.', quoted(key)));
		return undefined;
	}
	const texts = Object.entries(values).flatMap(([name, value]) => {
		const text = scalarText(value);
		if (text !== undefined) return [[name, text] as const];
		notes.push(l10n.t('{0} in {1} is ignored: it is not a string.', quoted(name), quoted(key)));
		return [];
	});
	return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

/** VS Code allows numbers in "env", and everybody uses them. */
function scalarText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (JSON.isRawJSON(value)) return value.rawJSON;
	return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined;
}
