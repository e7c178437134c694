import { domainToUnicode } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { hostOf } from '../../common/hosts.ts';
import { isRecord } from '../../common/json.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { Ban } from '../../mcp/serverError.ts';

/** A setting below `chat.mcp`, as VS Code returns it. The value of a policy replaces the default and overrides all other values. */
interface Setting {
	readonly value?: unknown;
	readonly defaultValue?: unknown;
	readonly globalValue?: unknown;
	readonly workspaceValue?: unknown;
	readonly workspaceFolderValue?: unknown;
}

type Bans = (server: string, launch: ServerLaunch) => Ban | undefined;

/**
 * Which servers VS Code's settings block, by the rules that VS Code applies to its own MCP servers. `registry` blocks all of ours: they come from
 * a file.
 */
export function bansBy(read: (key: string) => Setting): Bans {
	const access = read('access');
	const everywhere = accessBan(access);
	if (everywhere) return () => everywhere;
	const isManaged = read('allowManagedServersOnly').value === true;
	const [allowing, denying] = [read('allowedServers'), read('deniedServers')];
	const allowed = isManaged ? (entriesOf(allowing.defaultValue) ?? []) : entriesOf(allowing.value);
	const { value, defaultValue, globalValue, workspaceValue, workspaceFolderValue } = denying;
	const denials = isManaged ? [defaultValue, globalValue, workspaceValue, workspaceFolderValue] : [value];
	const denied = denials.flatMap((list) => entriesOf(list) ?? []);
	// A list that cannot be read may deny any server.
	if (denials.some((list) => isSet(list) && !Array.isArray(list))) return () => deniedBan(isPolicy(denying));
	return (server, launch) => {
		const isListed = (entries: readonly Entry[]) => entries.some((entry) => matches(entry, server, launch));
		if (isListed(denied)) return deniedBan(isPolicy(denying) || isListed(entriesOf(defaultValue) ?? []));
		if (allowed && !isListed(allowed)) return unlistedBan(isManaged || isPolicy(allowing));
		return undefined;
	};
}

/** VS Code returns `null` for a list that nobody has set. */
function isSet(list: unknown): boolean {
	return list !== undefined && list !== null;
}

/** Whether an administrator has set it, or nobody has. */
function isPolicy({ value, defaultValue }: Setting): boolean {
	return isDeepStrictEqual(value, defaultValue);
}

function accessBan(access: Setting): Ban | undefined {
	const isByPolicy = isPolicy(access);
	switch (access.value) {
		case 'all':
		case undefined:
		case null:
			return undefined;
		case 'registry':
			return isByPolicy
				? byOrganization(
						l10n.t(
							'Your organization allows only MCP servers that VS Code installs from its registry. This one comes from a file.',
						),
					)
				: bySettings(
						l10n.t(
							'Your settings ({0}) allow only MCP servers that VS Code installs from its registry. This one comes from a file.',
							'chat.mcp.access',
						),
					);
		// `none`, and values that nobody knows yet.
		default:
			return isByPolicy
				? byOrganization(l10n.t('Your organization has turned off MCP servers in VS Code.'))
				: bySettings(l10n.t('MCP servers are turned off in your settings ({0}).', 'chat.mcp.access'));
	}
}

function deniedBan(isByPolicy: boolean): Ban {
	return isByPolicy
		? byOrganization(l10n.t('Your organization blocks this server.'))
		: bySettings(l10n.t('Your settings block this server ({0}).', 'chat.mcp.deniedServers'));
}

function unlistedBan(isByPolicy: boolean): Ban {
	return isByPolicy
		? byOrganization(l10n.t('Your organization does not allow this server.'))
		: bySettings(l10n.t('Your settings do not allow this server ({0}).', 'chat.mcp.allowedServers'));
}

function byOrganization(text: string): Ban {
	return { by: 'organization', text };
}

function bySettings(text: string): Ban {
	return { by: 'settings', text };
}

interface Entry {
	readonly serverName?: string;
	readonly serverUrl?: string;
	readonly serverCommand?: readonly string[];
}

/** The entries that name a server in exactly one way; `undefined`: there is no list. A value that is no list allows nobody. */
function entriesOf(list: unknown): readonly Entry[] | undefined {
	if (!isSet(list)) return undefined;
	if (!Array.isArray(list)) return [];
	return list.filter((entry): entry is Entry => {
		if (!isRecord(entry)) return false;
		const { serverName, serverUrl, serverCommand } = entry;
		const isText = (value: unknown) => typeof value === 'string';
		const ways = [
			isText(serverName) && serverName !== '',
			isText(serverUrl) && serverUrl !== '',
			Array.isArray(serverCommand) && serverCommand.length > 0 && serverCommand.every(isText),
		];
		return ways.filter(Boolean).length === 1;
	});
}

function matches(
	{ serverName, serverUrl, serverCommand }: Entry,
	server: string,
	launch: ServerLaunch,
): boolean {
	if (serverName) return serverName === server;
	if (launch.kind === 'remote') return serverUrl ? matchesAddress(serverUrl, launch.url) : false;
	return isDeepStrictEqual(serverCommand, [launch.command, ...launch.args]);
}

/**
 * Whether a pattern such as `https://*.example.com/*` means an address, however either is spelled. A star matches anything, but before the
 * path nothing beyond the host and port.
 */
function matchesAddress(pattern: string, url: string): boolean {
	const address = URL.parse(url);
	const written = pattern.includes('*') ? pattern : (URL.parse(pattern)?.href ?? '');
	const [, scheme, authority = '', rest = ''] = /^([^:/]+):\/\/([^/\\?#]*)(.*)$/s.exec(written) ?? [];
	if (!address || scheme === undefined) return false;
	const [, host = '', port = ''] =
		/^(\[[^\]]*\]|[^:]*):?(.*)$/s.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
	const source = [
		withStars(scheme, inAuthority),
		'://',
		withStars(comparedHost(`http://${host}`) ?? host, inAuthority),
		portSource(port, address.protocol),
		withStars(comparedPath(new URL(`http://host${rest}`)), '.*'),
	].join('');
	const end = `${address.port && `:${address.port}`}${comparedPath(address)}`;
	return new RegExp(`^${source}$`, 'is').test(`${address.protocol}//${comparedHost(url)}${end}`);
}

/** What a star matches before the path. */
const inAuthority = '[^/@\\\\?#]*';
const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** A port, which addresses omit if it is the usual one. A star also matches no port. */
function portSource(port: string, protocol: string): string {
	if (port === '*') return `(:${inAuthority})?`;
	if (port === '' || Number(port) === usualPorts[protocol]) return '';
	return `:${withStars(port.replace(/^0+/, ''), inAuthority)}`;
}

/** In Unicode: in ASCII, a star beside other letters would be encoded with them. */
function comparedHost(address: string): string | undefined {
	const host = hostOf(address);
	return host === undefined ? undefined : domainToUnicode(host) || host;
}

/** Path and query. Characters that never need an escape are written without one (RFC 3986, 6.2.2.2). */
function comparedPath({ pathname, search }: URL): string {
	return (pathname + search).replace(
		/%(2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi,
		decodeURIComponent,
	);
}

function withStars(text: string, star: string): string {
	return text
		.split('*')
		.map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
		.join(star);
}
