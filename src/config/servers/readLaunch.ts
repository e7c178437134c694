import * as l10n from '@vscode/l10n';
import { defined } from '../../common/json.ts';
import { holdsSecret } from '../../common/secrets/secretSpans.ts';
import { compareStrings } from '../../common/text.ts';
import type { Path } from '../file/jsonPath.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import type { ServerEntry, SignInEntry } from '../salvage.ts';
import { environmentNameFault, hijacksProcess } from '../secrets/environmentNames.ts';
import {
	expandAt,
	expandList,
	expandValues,
	expandVariables,
	launchOrigin,
	pathIn,
	type VariableScope,
} from '../secrets/variables.ts';
import { addressFault, addressReason, holdsControls, isUnencrypted } from './address.ts';
import { usesFolder } from './folderUse.ts';
import {
	type LaunchTexts,
	type RemoteLaunch,
	type ServerLaunch,
	type SignInOptions,
	type StdioLaunch,
	secretsOfLaunch,
	signInTexts,
} from './launch.ts';

/** Reads how to start a server's process. If errors are reported, do not use the result. */
export function readStdioLaunch(
	entry: ServerEntry & { readonly command: string },
	path: Path,
	scope: VariableScope,
	report: ProblemReport,
): StdioLaunch {
	warnOfSecrets(entry, path, report);
	const env = entry.env ?? new Map<string, string>();
	const inherits = readInherited(entry.inherit_env, [...path, 'inherit_env'], report);
	const origin = originOf(entry, scope);
	const launch: StdioLaunch = {
		kind: 'stdio',
		command: expandAt([...path, 'command'], entry.command, scope, report),
		args: expandList([...path, 'args'], entry.args ?? [], scope, report),
		env: expandValues([...path, 'env'], env, scope, report),
		cwd: pathIn(scope, expandAt([...path, 'cwd'], entry.cwd ?? '', scope, report)),
		...(inherits && { inherits }),
		...launchOrigin(
			[entry.command, ...(entry.args ?? []), entry.cwd ?? '', ...env.values()],
			scope,
			(keepVariables) => ({
				command: keepVariables(entry.command),
				args: (entry.args ?? []).map(keepVariables),
				env: Object.fromEntries([...env].map(([name, text]) => [name, keepVariables(text)])),
				cwd: pathIn(scope, keepVariables(entry.cwd ?? '')),
			}),
			origin.ofUser,
		),
		...origin,
	};
	// Check the expanded texts, with which the process is started.
	checkCommand(launch.command, [...path, 'command'], report);
	for (const name of Object.keys(launch.env)) checkName(name, [...path, 'env', name], report);
	for (const [place, text] of textsOf(launch)) {
		if (text.includes('\0')) report.error([...path, ...place], l10n.t('cannot contain a NUL character'));
	}
	return launch;
}

/** Whether a launch is one of the user's own file, and where its approval applies. */
function originOf(entry: ServerEntry, scope: VariableScope): Pick<ServerLaunch, 'ofUser' | 'usesFolder'> {
	if (scope.ofUser === undefined) return {};
	return usesFolder(entry, scope) ? { usesFolder: true } : { ofUser: true };
}

function* textsOf({ args, env, cwd }: StdioLaunch): Generator<readonly [place: Path, text: string]> {
	for (const [index, text] of args.entries()) yield [['args', index], text];
	for (const [name, text] of Object.entries(env)) yield [['env', name], text];
	yield [['cwd'], cwd];
}

function checkCommand(command: string, path: Path, report: ProblemReport): void {
	if (command.trim() === '') {
		report.error(path, l10n.t('must not be empty; name the program to run'));
	} else if (holdsControls(command)) {
		const message = l10n.t('a command cannot contain line breaks or other control characters');
		report.error(path, message);
	} else if (holdsArguments(command)) {
		report.warning(
			path,
			l10n.t('this runs as one program name, without a shell; move its arguments into "args"'),
			{ reason: { kind: 'command-line' } },
		);
	}
}

/** Words that hardly occur in a path with spaces: an option, a shell operator, something in quotes. */
const foreignToPaths = /^-{1,2}[A-Za-z]|^(&&|\|\|?|;|[0-9]?>{1,2}|<)|;$|^["']/;

/** True for `npx -y thing`, false for `/opt/my tools/run` and `C:\Program Files\node.exe`: a path may contain spaces. */
function holdsArguments(command: string): boolean {
	const [program = '', ...rest] = command.trim().split(/\s+/);
	if (rest.length === 0) return false;
	return rest.some((word) => foreignToPaths.test(word)) || !/[\\/$]/.test(program);
}

/** Absent if nothing is inherited beyond what every server gets. */
function readInherited(
	written: ServerEntry['inherit_env'],
	path: Path,
	report: ProblemReport,
): StdioLaunch['inherits'] {
	if (written === true) return true;
	for (const [index, name] of (written || []).entries()) {
		const fault = /[*?]/.test(name)
			? l10n.t('name each variable, or write true for all of them; patterns are not supported')
			: environmentNameFault(name);
		if (fault) report.error([...path, index], fault);
	}
	return written && written.length > 0 ? [...new Set(written)].sort(compareStrings) : undefined;
}

function checkName(name: string, path: Path, report: ProblemReport): void {
	const fault = environmentNameFault(name);
	if (fault) report.error(path, fault, 'key');
	if (!hijacksProcess(name)) return;
	const message = l10n.t('this variable decides what code the process runs; make sure that this is intended');
	report.warning(path, message, 'key');
}

/** Names of HTTP headers (RFC 9110, `token`). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What `fetch` cannot send in a header: control characters, and everything beyond Latin-1. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** Reads where a remote server is. If errors are reported, do not use the result. */
export function readRemoteLaunch(
	entry: ServerEntry & { readonly url: string },
	path: Path,
	scope: VariableScope,
	report: ProblemReport,
): RemoteLaunch {
	const url = expandAt([...path, 'url'], entry.url, scope, report);
	// With an unset variable, which has been reported, it is not an address yet.
	const isSet = expandVariables(entry.url, scope).unset.length === 0;
	const fault = isSet ? addressFault(url) : undefined;
	if (fault) report.error([...path, 'url'], fault, addressReason(url));
	// An unusable address has an error already, which may be about the very password in it.
	warnOfSecrets({ ...entry, url: fault === undefined ? entry.url : undefined }, path, report);
	const headers = expandValues([...path, 'headers'], entry.headers ?? new Map(), scope, report);
	for (const [name, text] of Object.entries(headers))
		checkHeader(name, text, [...path, 'headers', name], report);
	if (!fault && isSet && entry.headers?.size && isUnencrypted(url)) {
		const message = l10n.t('the headers are sent unencrypted; use https');
		report.warning([...path, 'url'], message);
	}
	const oauth = entry.oauth && readSignIn(entry.oauth, [...path, 'oauth'], scope, report);
	if (oauth && !fault && isSet && isUnencrypted(url)) {
		const message = l10n.t('sign-in requires an encrypted connection; use https');
		report.warning([...path, 'url'], message);
	}
	const texts = [...(entry.headers ?? [])];
	const signIn = Object.entries(signInTexts(entry.oauth && signInOptions(entry.oauth)));
	const read = [entry.url, ...texts.map(([, text]) => text), ...signIn.map(([, text]) => text)];
	const written = launchOrigin(read, scope, (keepVariables) => ({
		url: keepVariables(entry.url),
		headers: Object.fromEntries(texts.map(([name, text]) => [name, keepVariables(text)])),
		...(oauth && { oauth: Object.fromEntries(signIn.map(([name, text]) => [name, keepVariables(text)])) }),
	}));
	return {
		kind: 'remote',
		url,
		transport: (entry.transport ?? entry.type) === 'sse' ? 'sse' : 'streamable-http',
		headers,
		...(oauth && { oauth }),
		...written,
		...originOf(entry, scope),
	};
}

/** The form of a scope in RFC 6749. */
const scopeName = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function readSignIn(
	entry: SignInEntry,
	path: Path,
	scope: VariableScope,
	report: ProblemReport,
): SignInOptions {
	const expand = (key: 'client_id' | 'client_secret' | 'client_metadata_url') => {
		const written = entry[key];
		return written === undefined ? undefined : expandAt([...path, key], written, scope, report);
	};
	const [clientId, clientSecret, metadata] = [
		expand('client_id'),
		expand('client_secret'),
		expand('client_metadata_url'),
	];
	if (clientId?.trim() === '') report.error([...path, 'client_id'], l10n.t('must not be empty'));
	if (clientSecret !== undefined && clientId === undefined)
		report.warning([...path, 'client_secret'], l10n.t('has no effect without "client_id"'), 'key');
	if (metadata !== undefined && clientId !== undefined)
		report.warning(
			[...path, 'client_metadata_url'],
			l10n.t('has no effect together with {0}', '"client_id"'),
			'key',
		);
	const address = metadata === undefined ? undefined : URL.parse(metadata);
	const isDocument = address?.protocol === 'https:' && address.pathname !== '/';
	if (metadata !== undefined && !isDocument)
		report.error([...path, 'client_metadata_url'], l10n.t('expected the https URL of a document'));
	for (const [index, name] of (entry.scopes ?? []).entries())
		if (!scopeName.test(name))
			report.error([...path, 'scopes', index], l10n.t('expected one scope, without spaces'));
	return signInOptions({
		...entry,
		client_id: clientId,
		client_secret: clientSecret,
		client_metadata_url: metadata,
	});
}

/** An entry's sign-in settings, under our names. */
function signInOptions(
	entry: { readonly [K in keyof SignInEntry]: SignInEntry[K] | undefined },
): SignInOptions {
	return defined({
		clientId: entry.client_id,
		clientSecret: entry.client_secret,
		scopes: entry.scopes,
		redirectPort: entry.redirect_port,
		redirectHost: entry.redirect_host,
		clientMetadataUrl: entry.client_metadata_url,
	});
}

/** Reports what prevents a header from being sent. */
export function checkHeader(name: string, text: string, path: Path, report: ProblemReport): void {
	if (!headerName.test(name)) {
		report.error(path, l10n.t('this is not a valid HTTP header name'), 'key');
	}
	if (unsendable.test(text)) {
		report.error(
			path,
			l10n.t('a header cannot contain line breaks, control characters or characters beyond Latin-1'),
		);
	}
}

export function warnOfSecrets(entry: LaunchTexts, path: Path, report: ProblemReport): void {
	for (const { path: inEntry, spans } of secretsOfLaunch('', entry)) {
		if (holdsSecret(spans)) warnOfSecret([...path, ...inEntry], report);
	}
}

/** Warns of a key written in a server's entry, and what to do about it. Never shows the key. */
export function warnOfSecret(path: Path, report: ProblemReport): void {
	const message = l10n.t(
		'this looks like a key in plain text; move it to secret storage, or to .env and write "{0}" instead',
		`\${env:NAME}`,
	);
	report.warning(path, message, { reason: { kind: 'literal-key' } });
}
