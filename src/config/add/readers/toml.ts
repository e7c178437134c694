import { isRecord } from '../../../common/json.ts';
import { draftsOf, joined } from '../draftsOf.ts';
import type { Drafts } from '../serverDraft.ts';

/** Longest value that may span several lines. */
const longestValue = 10_000;

/**
 * The servers in Codex's `config.toml` (https://developers.openai.com/codex/mcp): tables `[mcp_servers.NAME]` with strings, lists, numbers,
 * and tables of strings. Other tables are ignored. `undefined`: the text is not TOML.
 */
export function readToml(text: string): Drafts | undefined {
	if (!/^[ \t]*\[[\w."' -]+\][ \t]*\r?$/m.test(text) || !/^[ \t]*[\w."-]+[ \t]*=/m.test(text))
		return undefined;
	const servers = new Map<string, Record<string, unknown>>();
	let table: Record<string, unknown> | undefined;
	const lines = text.split(/\r?\n/);
	for (let at = 0; at < lines.length; at++) {
		const line = (lines[at] ?? '').trim();
		const header = /^\[([^\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
		if (header !== undefined) table = tableOf(header, servers);
		const [, key, first = ''] = /^([\w-]+|"[^"]*"|'[^']*')\s*=\s*(.*)$/.exec(line) ?? [];
		if (!table || key === undefined) continue;
		let written = first;
		// A list may span several lines.
		while (isOpen(written) && at + 1 < lines.length && written.length < longestValue)
			written += `\n${lines[++at]}`;
		const value = readValue(written);
		if (value !== undefined) table[bare(key)] = value;
	}
	return joined(
		[...servers].map(([name, table]) => draftsOf({ name, entry: usual(table), product: 'VS Code' })),
	);
}

/** The table of a header: a server's, or one inside it, such as `[mcp_servers.NAME.env]`. */
function tableOf(
	header: string,
	servers: Map<string, Record<string, unknown>>,
): Record<string, unknown> | undefined {
	const [section = '', name, inner] = (header.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? []).map(bare);
	if (!/^mcp_?servers$/i.test(section) || name === undefined) return undefined;
	const server = servers.get(name) ?? {};
	servers.set(name, server);
	if (inner === undefined) return server;
	const table = isRecord(server[inner]) ? { ...server[inner] } : {};
	server[inner] = table;
	return table;
}

function bare(key: string): string {
	return /^["']/.test(key) ? key.slice(1, -1) : key;
}

const texts = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g;

function isOpen(written: string): boolean {
	const rest = written.replace(texts, '').replace(/#.*$/gm, '');
	return rest.split('[').length > rest.split(']').length || rest.split('{').length > rest.split('}').length;
}

/** Converts a value to JSON, which differs in single quotes, `key = value` in tables, comments and trailing commas. */
function readValue(written: string): unknown {
	// Strings are replaced by numbered private-use characters meanwhile.
	const held: string[] = [];
	const json = written
		.replace(
			texts,
			(text) =>
				`\ue000${held.push(text.startsWith("'") ? JSON.stringify(text.slice(1, -1)) : text) - 1}\ue000`,
		)
		.replace(/#.*$/gm, '')
		.replace(/([\w-]+)(\s*)=/g, '"$1":')
		.replace(/(\ue000\d+\ue000)\s*=/g, '$1:')
		.replace(/,\s*([\]}])/g, '$1')
		.replace(/\ue000(\d+)\ue000/g, (_, at) => held[Number(at)] ?? '');
	try {
		return JSON.parse(json.trim());
	} catch {
		return undefined;
	}
}

/** Codex's own keys for headers, some of which name environment variables. */
function usual({ http_headers, env_http_headers, bearer_token_env_var, ...entry }: Record<string, unknown>) {
	const named = isRecord(env_http_headers) ? Object.entries(env_http_headers) : [];
	const headers = {
		...(isRecord(http_headers) && http_headers),
		...Object.fromEntries(named.map(([header, name]) => [header, `\${env:${name}}`])),
		...(typeof bearer_token_env_var === 'string' && {
			Authorization: `Bearer \${env:${bearer_token_env_var}}`,
		}),
	};
	return { ...entry, ...(Object.keys(headers).length > 0 && { headers }) };
}
