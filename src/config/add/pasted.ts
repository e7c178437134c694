import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { readDocument } from '../file/document.ts';
import { LineIndex, quoted } from '../file/jsonPath.ts';
import { readForeignServers } from '../import/foreignServers.ts';
import type { Product } from '../import/importSources.ts';
import { addressFault } from '../servers/address.ts';
import { namedEntry, readCommandLines, startable, type WrittenServer } from './commandLine.ts';
import type { FoundServer } from './proposal.ts';
import { isServerJson, readServerJson } from './serverJson.ts';
import { nameOfAddress, nameOfEntry, nameOfPackage } from './serverNames.ts';

/** What a pasted text came to. */
export interface Pasted {
	/** Each once, in the order of the text; those of one `server.json` are different ways to have the same server. */
	readonly servers: readonly FoundServer[];
	/** Why what it holds cannot be used; sentences, without values of it. */
	readonly faults: readonly string[];
	/** It is no server, but a few words that somebody may look for one by; one word may be the name of a package. */
	readonly words?: string;
}

/** Longest text that is read, in UTF-16 units: most readmes of servers are far shorter. */
const longestText = 64 * 1024;
/** Links within links that are followed: sites that lead to an editor have one. */
const deepestLink = 5;
/** Most servers that are shown of one text. */
const mostServers = 50;

const none: Pasted = { servers: [], faults: [] };

/**
 * Finds out which servers a text names that somebody has copied somewhere: a command, an address, JSON of any program, a link that would
 * install one, a whole readme. Nothing of it is run, fetched or looked up. Never throws.
 */
export function readPasted(text: string, platform: NodeJS.Platform): Pasted {
	const trimmed = text.replace(/^\uFEFF/, '').trim();
	if (trimmed === '') return none;
	if (trimmed.length > longestText)
		return fault(l10n.t('The text has {0} characters; at most {1} are read.', trimmed.length, longestText));
	const control = /(?![\t\n\r])\p{Cc}/u.exec(trimmed)?.[0];
	if (control !== undefined) {
		const code = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
		return fault(
			l10n.t('The text holds a control character ({0}), so it may not be what it looks like.', code),
		);
	}
	const read = withoutDoubles(reading(trimmed, platform));
	const isNothing = read.servers.length + read.faults.length === 0 && read.words === undefined;
	if (!isNothing) return read;
	return /^[^\n{}]{1,80}$/.test(trimmed)
		? { ...read, words: trimmed }
		: fault(l10n.t('No server was found in it: no command, no address, and no JSON that names one.'));
}

function fault(sentence: string): Pasted {
	return { servers: [], faults: [sentence] };
}

function reading(text: string, platform: NodeJS.Platform): Pasted {
	if (!/\s/.test(text)) {
		const word = readWord(text, platform);
		if (word) return word;
	}
	const blocks = fencedBlocks(text);
	if (blocks.length > 0) {
		// What is written for other programs comes before lines that a person runs to try a server out.
		const all = [...blocks]
			.sort((a, b) => Number(b.includes('{')) - Number(a.includes('{')))
			.map((block) => readBlock(block.trim(), platform));
		const servers = all.flatMap((one) => one.servers);
		if (servers.length > 0) return { servers, faults: [] };
		const links = readLinks(text, platform);
		return links.servers.length > 0 ? links : { servers: [], faults: all.flatMap(({ faults }) => faults) };
	}
	const whole = readBlock(text, platform);
	if (whole.servers.length > 0) return whole;
	const links = readLinks(text, platform);
	return links.servers.length > 0 ? links : whole;
}

/** Most blocks of code that are read of one text. */
const mostBlocks = 200;

/** The blocks of code of a text in Markdown; the last need not be closed. */
function fencedBlocks(text: string): string[] {
	const blocks: string[] = [];
	let fence: string | undefined;
	let lines: string[] = [];
	for (const line of text.split('\n')) {
		const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
		if (fence === undefined) {
			fence = mark;
			lines = [];
		} else if (mark?.startsWith(fence)) {
			blocks.push(lines.join('\n'));
			fence = undefined;
		} else lines.push(line);
	}
	if (fence !== undefined) blocks.push(lines.join('\n'));
	return blocks.slice(0, mostBlocks);
}

/** One block of code, or a text that is nothing else. */
function readBlock(text: string, platform: NodeJS.Platform): Pasted {
	// One line of a readme is often in backticks.
	const bare = /^`([^`\n]+)`$/.exec(text)?.[1] ?? text;
	if (!/\s/.test(bare)) {
		const word = readWord(bare, platform);
		if (word) return word;
	}
	if (/^[ \t]*\[[\w."-]+\][ \t]*\r?$/m.test(bare) && /^[ \t]*\w+[ \t]*=/m.test(bare))
		return fault(
			l10n.t('This is TOML, which is not read. Paste the command or the JSON that names the server.'),
		);
	const isCommand = /^[\w./~$@-]+\s/.test(bare) && !/^"?[\w-]+"?\s*:/.test(bare);
	if (!isCommand && bare.includes('{')) {
		const json = readJson(bare, platform);
		if (json) return json;
	}
	const { servers, faults } = readCommandLines(bare, platform);
	if (servers.length > 0 || faults.length > 0) return found(servers, faults, platform);
	return (bare.includes('{') ? readJson(bare, platform) : undefined) ?? none;
}

/** What one word says: an address, a link, a package. `undefined`: it is no such word. */
function readWord(word: string, platform: NodeJS.Platform): Pasted | undefined {
	const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(word)?.[1]?.toLowerCase();
	if (scheme !== undefined && !/^[A-Za-z]:[\\/]/.test(word)) return readAddress(word, scheme, platform);
	if (/^(@[\w.~-]+\/[\w.~-]+)(@[\w.+-]+)?$/.test(word)) return found([npmPackage(word)], [], platform);
	const isImage = /^[\w.-]+\.[a-z]+(:\d+)?\/[\w./-]+(:[\w.-]+)?$/.test(word) && !word.includes('..');
	if (isImage) return found([containerImage(word, platform)], [], platform);
	if (/^[A-Za-z][\w.~-]*(@[\w.+-]+)?$/.test(word)) return { servers: [], faults: [], words: word };
	return undefined;
}

/** A server of a package of npm. */
export function npmPackage(name: string): WrittenServer {
	return { name: nameOfPackage(name), entry: { command: 'npx', args: ['-y', name] }, product: 'VS Code' };
}

/** A server of a package of Python, which `uvx` fetches and runs. */
export function pythonPackage(name: string): WrittenServer {
	return { name: nameOfPackage(name), entry: { command: 'uvx', args: [name] }, product: 'VS Code' };
}

/** A server of an image. */
export function containerImage(name: string, platform: NodeJS.Platform): WrittenServer {
	const { entry } = startable({ command: 'docker', args: ['run', '-i', '--rm', name] }, platform);
	return { name: nameOfPackage(name), entry, product: 'VS Code' };
}

function readAddress(word: string, scheme: string, platform: NodeJS.Platform): Pasted {
	const link = linkedServer(word);
	if (link) return 'fault' in link ? fault(link.fault) : found([link], [], platform);
	if (scheme !== 'http' && scheme !== 'https')
		return fault(
			l10n.t('A server is reached by http:// or https://; {0} is not opened.', quoted(`${scheme}:`)),
		);
	const url = URL.parse(word);
	const page = url && pageOf(url, platform);
	if (page) return page;
	const wrong = addressFault(word);
	// A user name and a password are moved to where they belong.
	if (wrong !== undefined && !(url && url.username + url.password !== ''))
		return fault(`${wrong.charAt(0).toUpperCase()}${wrong.slice(1)}.`);
	return found([{ name: nameOfAddress(word), entry: { url: word }, product: 'VS Code' }], [], platform);
}

/** What the address of a page about a package says: people copy that as well. `undefined`: it is the address of something else. */
function pageOf({ hostname, pathname }: URL, platform: NodeJS.Platform): Pasted | undefined {
	const path = pathname.split('/').filter((part) => part !== '');
	if (/^(www\.)?npmjs\.com$/.test(hostname) && path[0] === 'package')
		return found([npmPackage(path.slice(1, path[1]?.startsWith('@') ? 3 : 2).join('/'))], [], platform);
	if (hostname === 'pypi.org' && path[0] === 'project' && path[1])
		return found([pythonPackage(path[1])], [], platform);
	if (hostname === 'hub.docker.com' && path[0] === 'r' && path.length >= 3)
		return found([containerImage(path.slice(1, 3).join('/'), platform)], [], platform);
	const isRepository = /^(www\.)?(github\.com|gitlab\.com|bitbucket\.org)$/.test(hostname);
	if (!isRepository || path.length < 2) return undefined;
	return fault(
		l10n.t('This is the page of a repository. Paste the command or the JSON that its readme names.'),
	);
}

/** Links in Markdown and HTML, and those that stand alone. */
function readLinks(text: string, platform: NodeJS.Platform): Pasted {
	const links =
		text.match(/\b(vscode(-insiders)?:mcp\/install|cursor:\/\/|https?:\/\/|lmstudio:\/\/)[^\s"'<>)\]]*/g) ??
		[];
	const servers = links.flatMap((link) => {
		const read = linkedServer(link);
		return read && !('fault' in read) ? [read] : [];
	});
	return found(servers, [], platform);
}

/**
 * The server that a link would install: of VS Code (https://code.visualstudio.com/docs/copilot/guides/mcp-developer-guide), of Cursor
 * (https://cursor.com/docs/mcp/install-links) and LM Studio, and of the sites that lead there. `undefined`: it would install none.
 */
function linkedServer(link: string, depth = 0): WrittenServer | { readonly fault: string } | undefined {
	const url = URL.parse(link);
	if (!url) return undefined;
	const { protocol, hostname, pathname, searchParams } = url;
	const broken = { fault: l10n.t('The link cannot be read.') };
	if (/^vscode(-insiders)?:$/.test(protocol)) {
		if (pathname !== 'mcp/install') return undefined;
		const entry = jsonOf(decoded(url.search.slice(1)));
		return entry ? namedEntry(entry) : broken;
	}
	const isRedirect = /^(insiders\.)?vscode\.dev$/.test(hostname) && pathname.startsWith('/redirect');
	if (isRedirect) {
		const target = searchParams.get('url');
		if (target !== null) return (depth < deepestLink && linkedServer(target, depth + 1)) || broken;
		if (!pathname.endsWith('/mcp/install')) return undefined;
		return linkedEntry(searchParams, jsonOf(searchParams.get('config') ?? '')) ?? broken;
	}
	const isCursor = protocol === 'cursor:' && pathname.endsWith('/mcp/install');
	const isSite = /^(www\.)?cursor\.com$/.test(hostname) && /\/(install-mcp|mcp\/install)$/.test(pathname);
	const isStudio = protocol === 'lmstudio:' && searchParams.has('config');
	if (!isCursor && !isSite && !isStudio) return undefined;
	// Blanks were plus signs, which a query means blanks by.
	const config = (searchParams.get('config') ?? '').replaceAll(' ', '+');
	return (
		linkedEntry(searchParams, jsonOf(Buffer.from(config, 'base64').toString('utf8')) ?? jsonOf(config)) ??
		broken
	);
}

function linkedEntry(parameters: URLSearchParams, config: JsonRecord | undefined): WrittenServer | undefined {
	if (!config) return undefined;
	const name = parameters.get('name') ?? '';
	const inputs = jsonListOf(parameters.get('inputs'));
	// Some have an object with the entry by its name.
	const [inner, ...others] = Object.entries(config);
	const [key, value] = inner ?? [];
	const entry = others.length === 0 && isRecord(value) && isEntry(value) ? { name: key, ...value } : config;
	return namedEntry({ ...entry, ...(name && { name }), ...(inputs !== undefined && { inputs }) });
}

function jsonListOf(text: string | null): unknown {
	return text === null ? undefined : jsonOf(`{"list":${text}}`)?.list;
}

function jsonOf(text: string): JsonRecord | undefined {
	const { value } = readDocument(text);
	return isRecord(value) ? value : undefined;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** JSON as readmes have it: whole, without its outermost braces, with words around it, with typographic quotation marks. */
function readJson(text: string, platform: NodeJS.Platform): Pasted | undefined {
	const straight = text.replace(/[“”„]/g, '"').replaceAll('\u00a0', ' ');
	const inner = straight.slice(straight.indexOf('{'), straight.lastIndexOf('}') + 1);
	const start = /"[^"\n]{1,100}"\s*:\s*\{/.exec(straight)?.index ?? straight.length;
	const tried = [text, straight, `{${straight.slice(start, straight.lastIndexOf('}') + 1)}}`, inner];
	for (const json of tried) {
		const { value } = readDocument(json);
		if (!isRecord(value)) continue;
		const read = serversIn(value, platform);
		if (read) return read;
	}
	const { text: shown, value, faults } = readDocument(text.startsWith('{') ? text : inner);
	const [first] = faults;
	if (isRecord(value) || !first)
		return fault(l10n.t('This JSON names no server: none of its objects has a "command" or a "url".'));
	const line = new LineIndex(shown).positionAt(first.offset).line + 1;
	return fault(l10n.t('The JSON cannot be read. Line {0}: {1}', line, first.message));
}

/** Where programs keep servers by their names. */
const sections = ['mcpServers', 'servers', 'mcp_servers', 'context_servers', 'mcp.servers', 'amp.mcpServers'];

/** The servers of an object, whatever it is of; `undefined`: it has none. */
function serversIn(value: JsonRecord, platform: NodeJS.Platform): Pasted | undefined {
	if (isServerJson(value)) return readServerJson(value);
	if (isRecord(value.server) && isServerJson(value.server)) return readServerJson(value.server);
	const holder = isRecord(value.mcp) && !isEntry(value.mcp) ? value.mcp : value;
	const inputs = holder.inputs ?? value.inputs;
	for (const key of sections) {
		const section = holder[key];
		if (isRecord(section)) return entries(section, productOf(key), inputs, platform);
	}
	if (isEntry(value)) return found([namedEntry(value)], [], platform);
	const isMap = Object.values(holder).some((one) => isRecord(one) && isEntry(one));
	if (isMap) return entries(holder, 'Claude Code', inputs, platform);
	// Deeper within settings of other things.
	for (const one of Object.values(value)) {
		const read = isRecord(one) ? serversIn(one, platform) : undefined;
		if (read) return read;
	}
	return undefined;
}

/** Only Claude Code reads `${NAME}`; what stands in the readmes for all programs is mostly for it as well. */
function productOf(section: string): Product {
	return section === 'servers' || section === 'mcp.servers' ? 'VS Code' : 'Claude Code';
}

function isEntry(value: JsonRecord): boolean {
	const { command, url, serverUrl, httpUrl } = value;
	if (typeof command === 'string' || Array.isArray(command)) return true;
	if (isRecord(command)) return typeof command.path === 'string';
	return [url, serverUrl, httpUrl].some((one) => typeof one === 'string');
}

function entries(section: JsonRecord, product: Product, inputs: unknown, platform: NodeJS.Platform): Pasted {
	const written = Object.entries(section)
		.filter((one): one is [string, JsonRecord] => isRecord(one[1]))
		.map(([name, entry]) => ({ name, entry, product, inputs }));
	return found(written, [], platform);
}

/** Other programs' ways to write an entry, in the way that most have. */
function usual({ environment, httpUrl, type, requestInit, ...entry }: JsonRecord): JsonRecord {
	const { command } = entry;
	const [program, ...words] = Array.isArray(command) ? command : [];
	return {
		...entry,
		// OpenCode has a list, Zed an object.
		...(Array.isArray(command) && {
			command: program,
			args: [...words, ...(Array.isArray(entry.args) ? entry.args : [])],
		}),
		...(isRecord(command) && { command: command.path, args: command.args, env: command.env }),
		...(environment !== undefined && { env: environment }),
		...(typeof httpUrl === 'string' && { url: httpUrl, type: 'http' }),
		...(type !== undefined && type !== 'local' && type !== 'remote' && { type }),
		...(isRecord(requestInit) && { headers: requestInit.headers }),
	};
}

/** Reads entries as an import does, which has the same formats to read. */
function found(
	written: readonly WrittenServer[],
	faults: readonly string[],
	platform: NodeJS.Platform,
): Pasted {
	const servers: FoundServer[] = [];
	const isOver = written.length > mostServers;
	const wrong = [...faults, ...(isOver ? [l10n.t('Only the first {0} servers are read.', mostServers)] : [])];
	for (const { name, entry, product, inputs, notes = [] } of written.slice(0, mostServers)) {
		const own = name.trim() === '' ? nameOfEntry(entry) : name;
		const made = startable(usual(entry), platform);
		// Without a prototype, so that any name is a key.
		const section = Object.assign(Object.create(null), { [own]: made.entry });
		const file = JSON.stringify({ servers: section, ...(inputs !== undefined && { inputs }) });
		const read = readForeignServers({ product, scope: 'user', path: 'pasted' }, file);
		wrong.push(...read.faults);
		for (const { decisions = [], ...server } of read.servers) {
			// What the user's own programs allow is proposed by an import. Whoever wrote a readme has nothing to allow here.
			const left =
				decisions.length > 0
					? [l10n.t('Which of its tools run without a question is left out: you decide that here.')]
					: [];
			servers.push({
				server: { ...server, notes: [...notes, ...made.notes, ...server.notes, ...left] },
				optional: new Set(),
				flagged: new Set(),
			});
		}
	}
	return { servers, faults: wrong };
}

/** A readme shows the same server for one program after the other. */
function withoutDoubles(read: Pasted): Pasted {
	const byLaunch = new Map(
		read.servers.toReversed().map((found) => {
			const { name, launch } = found.server;
			const key = JSON.stringify([name, launch], (_, value) => (value instanceof Map ? [...value] : value));
			return [key, found] as const;
		}),
	);
	return { ...read, servers: [...byLaunch.values()].toReversed() };
}

/** What a person has typed by kind: the name of a package or an image, or an address; why it is none, as a sentence, or its server. */
export function readKind(
	kind: 'npm' | 'python' | 'container' | 'address',
	typed: string,
	platform: NodeJS.Platform,
): Pasted {
	const name = typed.trim();
	switch (kind) {
		case 'npm':
			return /^(@[\w.~-]+\/)?[\w.~][\w.~-]*(@[\w.^~*+-]+)?$/.test(name)
				? found([npmPackage(name)], [], platform)
				: fault(l10n.t('Enter a name such as {0}.', '@modelcontextprotocol/server-everything'));
		case 'python':
			return /^[A-Za-z0-9][\w.-]*(\[[\w,-]+\])?([@=<>~!]+[\w.*+-]+)?$/.test(name)
				? found([pythonPackage(name)], [], platform)
				: fault(l10n.t('Enter a name such as {0}.', 'mcp-server-git'));
		case 'container':
			return /^[a-z0-9][\w.-]*(:\d+)?(\/[\w.-]+)*(:[\w.-]+)?(@sha256:[0-9a-f]{64})?$/.test(name)
				? found([containerImage(name, platform)], [], platform)
				: fault(l10n.t('Enter a name such as {0}.', 'mcp/time'));
		case 'address':
			return URL.canParse(name) && /^https?:/i.test(name)
				? readPasted(name, platform)
				: fault(l10n.t('Enter an address such as {0}.', 'https://example.com/mcp'));
	}
}
