import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { percentDecoded } from '../../../common/text.ts';
import { ConfigText } from '../../file/configText.ts';
import { fault, isEntry, namedDrafts } from '../draftsOf.ts';
import type { Drafts } from '../serverDraft.ts';

/** Redirects inside links that are followed. Sites that lead to an editor have one. */
const deepestLink = 5;

/** Links in Markdown and HTML, and plain ones. */
export function readLinks(text: string): Drafts {
	const links =
		text.match(/\b(vscode(-insiders)?:mcp\/install|cursor:\/\/|https?:\/\/|lmstudio:\/\/)[^\s"'<>)\]]*/g) ??
		[];
	// In a text, links that cannot be read are not errors.
	const drafts = links.flatMap((link) => linkedServer(link)?.servers ?? []);
	return { servers: drafts, faults: [] };
}

/**
 * The server that an install link of VS Code (https://code.visualstudio.com/docs/copilot/guides/mcp-developer-guide), Cursor
 * (https://cursor.com/docs/mcp/install-links) or LM Studio installs, or a site that leads there. `undefined`: it is not an install link.
 */
export function linkedServer(link: string, depth = 0): Drafts | undefined {
	const url = URL.parse(link);
	if (!url) return undefined;
	const { protocol, hostname, pathname, searchParams } = url;
	const broken = fault(l10n.t('The link cannot be read.'));
	if (/^vscode(-insiders)?:$/.test(protocol)) {
		if (pathname !== 'mcp/install') return undefined;
		const entry = jsonOf(percentDecoded(url.search.slice(1)));
		return entry ? namedDrafts(entry) : broken;
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
	// Decoding the query turned plus signs into spaces.
	const config = (searchParams.get('config') ?? '').replaceAll(' ', '+');
	return (
		linkedEntry(searchParams, jsonOf(Buffer.from(config, 'base64').toString('utf8')) ?? jsonOf(config)) ??
		broken
	);
}

function linkedEntry(parameters: URLSearchParams, config: JsonRecord | undefined): Drafts | undefined {
	if (!config) return undefined;
	const name = parameters.get('name') ?? '';
	const written = parameters.get('inputs');
	const inputs = written === null ? undefined : jsonOf(`{"list":${written}}`)?.list;
	// Some contain an object with the entry by its name.
	const [inner, ...others] = Object.entries(config);
	const [key, value] = inner ?? [];
	const entry = others.length === 0 && isRecord(value) && isEntry(value) ? { name: key, ...value } : config;
	return namedDrafts({ ...entry, ...(name && { name }), ...(inputs !== undefined && { inputs }) });
}

function jsonOf(text: string): JsonRecord | undefined {
	const { value } = ConfigText.of(text);
	return isRecord(value) ? value : undefined;
}
