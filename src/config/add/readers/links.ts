import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { percentDecoded } from '../../../common/text.ts';
import { jsonOf } from '../../file/configText.ts';
import { quoted } from '../../file/jsonPath.ts';
import { addressFault } from '../../servers/address.ts';
import { draftsOf, fault, joinedDrafts } from '../draftsOf.ts';
import { isEntry } from '../entryShapes.ts';
import { serversIn } from '../sections.ts';
import type { Drafts } from '../serverDraft.ts';
import { nameOfAddress, nameOfPackage } from '../serverNames.ts';

/** Links inside links that are followed: sites that lead to an editor have one. */
const maxLinkDepth = 5;

/** Paths of servers, whose addresses people copy with the words around them. */
const ofServer = /^https?:\/\/[^?#]*\/(mcp|sse)\/?([?#]|$)/i;

/** Links in Markdown and HTML, and plain ones. `isProse`: without an install link, the addresses of servers count. */
export function readLinks(text: string, isProse: boolean): Drafts {
	const links =
		text.match(/(?<![\w.+-])(vscode(-insiders)?:mcp\/install|[a-z][a-z0-9+.-]{1,30}:\/\/)[^\s"'<>`)\]]*/g) ??
		[];
	// In a text, links that cannot be read are not errors.
	const drafts = links.flatMap((link) => linkedServer(link.replaceAll('&amp;', '&'))?.servers ?? []);
	if (drafts.length > 0 || !isProse) return { servers: drafts, faults: [] };
	const addresses = links.map((link) => link.replace(/[.,;:!]+$/, '')).filter((link) => ofServer.test(link));
	return joinedDrafts(addresses.flatMap((address) => readWord(address) ?? []));
}

/** Paths of links that install something, whatever the program or site. */
const installs =
	/(^|[/.-])(install[-_]?mcp|mcp[-_]install|mcp\/(install|add)|add[-_]mcp|redirect|extension)\/*$/i;

/**
 * The server that an install link carries: JSON, plain, in Base64 or percent-encoded, in a parameter or as the whole query, or Goose's
 * parameters, or another link (https://code.visualstudio.com/docs/copilot/guides/mcp-developer-guide,
 * https://cursor.com/docs/mcp/install-links, https://lmstudio.ai/docs/app/mcp/deeplink, https://kiro.dev/docs/mcp,
 * https://block.github.io/goose/docs/getting-started/using-extensions). Its own address is never the server. `undefined`: it is not an
 * install link.
 */
export function linkedServer(link: string, depth = 0): Drafts | undefined {
	const url = URL.parse(link);
	if (!url) return undefined;
	const { protocol, hostname, pathname, searchParams } = url;
	const inputs = jsonOf(`{"list":${searchParams.get('inputs') ?? '[]'}}`)?.list;
	const name = searchParams.get('name') ?? '';
	const written = [url.search.slice(1), ...[...searchParams].map(([, value]) => value)];
	for (const text of written) {
		const carried = recordIn(text);
		const server = carried && serversIn(withName(carried, name, inputs));
		if (server) return server;
	}
	const isInstall = url.search !== '' && installs.test(`${hostname}/${pathname}`);
	const launch = isInstall ? launchIn(searchParams, /^https?:$/.test(protocol)) : undefined;
	if (launch) return draftsOf({ name, entry: launch });
	for (const text of depth < maxLinkDepth ? written : []) {
		const server = /^[a-z][\w+.-]*:/i.test(text) ? linkedServer(text, depth + 1) : undefined;
		if (server && server.servers.length > 0) return server;
	}
	return isInstall ? fault(l10n.t('The link cannot be read.')) : undefined;
}

/** One entry gets the link's name and inputs; several have their own. */
function withName(carried: JsonRecord, name: string, inputs: unknown): JsonRecord {
	const list = Array.isArray(inputs) && inputs.length > 0 ? { inputs } : {};
	if (isEntry(carried)) return { ...carried, ...(name && { name }), ...list };
	const [inner, ...others] = Object.entries(carried);
	const [, value] = inner ?? [];
	const isOnly = others.length === 0 && name !== '' && isRecord(value) && isEntry(value);
	return isOnly ? { ...value, name, ...list } : { ...carried, ...list };
}

/** `?cmd=npx&arg=-y&arg=package&env=KEY%3Ddescription`, or `?url=…&header=NAME%3Dvalue`. */
function launchIn(parameters: URLSearchParams, isSite: boolean): JsonRecord | undefined {
	const pairs = (key: string) =>
		Object.fromEntries(
			parameters.getAll(key).map((text) => {
				const [, name = text, value = ''] = /^([^=:]+)[=:](.*)$/s.exec(text) ?? [];
				return [name, key === 'env' ? '' : value];
			}),
		);
	const [command, url] = [parameters.get('cmd'), parameters.get('url')];
	const type = parameters.get('type');
	if (command) return { command, args: parameters.getAll('arg'), env: pairs('env') };
	return !isSite && url && /^https?:/.test(url)
		? { url, ...(type && { type }), headers: pairs('header') }
		: undefined;
}

/** An object in a text, which may be in Base64 or percent-encoded once more. */
function recordIn(text: string): JsonRecord | undefined {
	let json = text.trim();
	for (let count = 0; count < maxLinkDepth && json.startsWith('%'); count++) json = percentDecoded(json);
	// Parsing an address that was decoded with the one around it encodes its quotation marks once more.
	if (json.startsWith('{')) return jsonOf(json) ?? jsonOf(percentDecoded(json));
	// Decoding a query turns plus signs into spaces.
	const base64 = percentDecoded(json).replaceAll(' ', '+');
	return /^[\w+/-]{8,}={0,2}$/.test(base64)
		? jsonOf(percentDecoded(Buffer.from(base64, 'base64').toString('utf8')))
		: undefined;
}

/** An address as people say it, without its scheme. */
const bareAddress =
	/^(?<host>localhost|\d{1,3}(\.\d{1,3}){3}|([\w-]+\.)+[a-z]{2,})(?<port>:\d+)?(?<path>[/?#].*)?$/i;
/** Hosts of images, whose names look like addresses: `mcr.microsoft.com/playwright/mcp`. */
const imageHost =
	/(^|\.)(\w*cr\.io|docker\.io|quay\.io|mcr\.microsoft\.com|pkg\.dev|public\.ecr\.aws|amazonaws\.com)$|^(registry|docker)\./i;

/** The whole address of a server, or of a page about one, that was pasted without its scheme; `undefined`: the word is something else. */
function withScheme(word: string): string | undefined {
	const { host = '', port, path = '' } = bareAddress.exec(word)?.groups ?? {};
	const isNumber = /^[\d.]+$/.test(host);
	if (host.toLowerCase() === 'localhost' || isNumber)
		return port !== undefined || path !== '' ? `http://${word}` : undefined;
	if (host === '' || imageHost.test(host)) return undefined;
	const url = `https://${word}`;
	const isServer = ofServer.test(url) || /^mcp\.[\w-]+\./i.test(host);
	const parsed = URL.parse(url);
	return isServer || (parsed && pageOf(parsed)) ? url : undefined;
}

/** Reads a single word: an address, a link, a package. `undefined`: it is none of these. */
export function readWord(word: string): Drafts | undefined {
	if (/\s/.test(word)) return undefined;
	const address = withScheme(word);
	if (address !== undefined) return readAddress(address, 'https');
	const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(word)?.[1]?.toLowerCase();
	if (scheme !== undefined && !/^[A-Za-z]:[\\/]/.test(word)) return readAddress(word, scheme);
	if (/^(@[\w.~-]+\/[\w.~-]+)(@[\w.+-]+)?$/.test(word)) return npmPackage(word);
	const isImage = /^[\w.-]+\.[a-z]+(:\d+)?\/[\w./-]+(:[\w.-]+)?$/.test(word) && !word.includes('..');
	if (isImage) return containerImage(word);
	if (/^[A-Za-z][\w.~-]*(@[\w.+-]+)?$/.test(word)) return { servers: [], faults: [], words: word };
	return undefined;
}

export function npmPackage(name: string): Drafts {
	return draftsOf({ name: nameOfPackage(name), entry: { command: 'npx', args: ['-y', name] } });
}

/** A server in a Python package, which `uvx` downloads and runs. */
export function pythonPackage(name: string): Drafts {
	return draftsOf({ name: nameOfPackage(name), entry: { command: 'uvx', args: [name] } });
}

export function containerImage(name: string): Drafts {
	const args = ['run', '-i', '--rm', name];
	return draftsOf({ name: nameOfPackage(name), entry: { command: 'docker', args } });
}

function readAddress(word: string, scheme: string): Drafts {
	const link = linkedServer(word);
	if (link) return link;
	if (scheme !== 'http' && scheme !== 'https')
		return fault(
			l10n.t('Server URLs must start with http:// or https://. {0} is not supported.', quoted(`${scheme}:`)),
		);
	const url = URL.parse(word);
	const page = url && pageOf(url);
	if (page) return page;
	const wrong = addressFault(word);
	// A user name and password are moved into a header later.
	if (wrong !== undefined && !(url && url.username + url.password !== ''))
		return fault(`${wrong.charAt(0).toUpperCase()}${wrong.slice(1)}.`);
	return draftsOf({ name: nameOfAddress(word), entry: { url: word } });
}

/** The package or repository that a web page is about: people copy these addresses too. `undefined`: another address. */
function pageOf({ hostname, pathname }: URL): Drafts | undefined {
	const path = pathname.split('/').filter((part) => part !== '');
	if (/^(www\.)?npmjs\.com$/.test(hostname) && path[0] === 'package')
		return npmPackage(path.slice(1, path[1]?.startsWith('@') ? 3 : 2).join('/'));
	if (hostname === 'pypi.org' && path[0] === 'project' && path[1]) return pythonPackage(path[1]);
	if (hostname === 'hub.docker.com' && path[0] === 'r' && path.length >= 3)
		return containerImage(path.slice(1, 3).join('/'));
	const isRepository = /^(www\.)?(github\.com|gitlab\.com|bitbucket\.org)$/.test(hostname);
	if (!isRepository || path.length < 2) return undefined;
	return fault(l10n.t('This URL is a repository page. Paste the command or the JSON from its readme.'));
}
