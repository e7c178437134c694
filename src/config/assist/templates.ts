import * as l10n from '@vscode/l10n';

/** The text of a new `casual_mcp_config.json`: one real server, deferred, with discovery on. */
export const configTemplate = `// MCP servers for @discovery. Changes take effect when you save.
// "Discovery: Import Servers…" copies the servers of other programs.
{
	// Names are yours to choose. "command" starts a server on this machine, "url" connects to a remote one.
	"servers": {
		// Reads and writes the files of this folder. It needs Node.js.
		"files": {
			"command": "npx",
			"args": ["-y", "@modelcontextprotocol/server-filesystem", "\${workspaceFolder}"],
			// The model must search for this server's tools before it gets them.
			"defer_loading": true,
			// Tools to load in every chat:
			// "pinned": ["read_text_file"],
		},
		// "notes": {
		// 	"url": "https://example.com/mcp",
		// 	"headers": { "Authorization": "Bearer \${env:NOTES_KEY}" },
		// },
	},

	"tool_discovery": {
		// true: defer tools. false: send every tool with every message. "auto": defer while that saves at least a third.
		"enabled": "auto",
	},
}
`;

/** The text of a new user configuration. Everything in it is commented out. */
export const userConfigTemplate = `// Your own MCP servers and models for @discovery, in all workspaces. Changes take effect when you save.
// A workspace's entry overrides the entry of the same name here.
{
	"servers": {
		// "memory": {
		// 	"command": "npx",
		// 	"args": ["-y", "@modelcontextprotocol/server-memory"],
		// 	"defer_loading": true,
		// },
	},

	// Used in workspaces whose configuration has no "tool_discovery":
	// "tool_discovery": { "enabled": "auto" },
}
`;

/**
 * A value in VS Code's `defaultSnippets`: texts may contain placeholders, `$1` or `${1:example}`; a text that begins with `^` is JSON
 * already.
 */
export type SnippetBody = string | boolean | readonly SnippetBody[] | { readonly [key: string]: SnippetBody };

/** A ready-made entry for a section of the configuration. */
export interface EntrySnippet {
	readonly label: string;
	readonly description: string;
	/** Name of the entry, if a new one is written. */
	readonly name: string;
	readonly body: SnippetBody;
}

/** A placeholder with an example. */
function blank(place: number, example: string): string {
	return `\${${place}:${example}}`;
}

function servers(): readonly EntrySnippet[] {
	return [
		{
			label: l10n.t('stdio server'),
			description: l10n.t('A server that runs on this machine.'),
			name: 'files',
			body: {
				command: blank(1, 'npx'),
				args: ['-y', blank(2, '@modelcontextprotocol/server-everything')],
				defer_loading: true,
			},
		},
		{
			label: l10n.t('remote server'),
			description: l10n.t('A server at a URL.'),
			name: 'remote',
			body: { url: blank(1, 'https://example.com/mcp'), defer_loading: true },
		},
		{
			label: l10n.t('remote server with a key'),
			description: l10n.t(
				'A server at a URL that requires a key. The key stays in the environment or in .env.',
			),
			name: 'remote',
			body: {
				url: blank(1, 'https://example.com/mcp'),
				// `^`: VS Code inserts the rest as it is, so `$` and `}`, which are special in snippets, are escaped here.
				headers: { Authorization: `^"Bearer \\\${env:${blank(2, 'API_KEY')}\\}"` },
				defer_loading: true,
			},
		},
	];
}

function clients(): readonly EntrySnippet[] {
	return [
		{
			label: l10n.t('OpenAI client'),
			description: l10n.t('OpenAI itself. Set its key with "Discovery: Set API Key or Secret…".'),
			name: 'openai',
			body: { provider: 'openai' },
		},
		{
			label: l10n.t('Anthropic client'),
			description: l10n.t('Anthropic itself. Set its key with "Discovery: Set API Key or Secret…".'),
			name: 'anthropic',
			body: { provider: 'anthropic' },
		},
		{
			label: l10n.t('Ollama client'),
			description: l10n.t('Ollama on this machine. It needs no key.'),
			name: 'ollama',
			body: { provider: 'ollama' },
		},
		{
			label: l10n.t('OpenAI-compatible client'),
			description: l10n.t('An OpenAI-compatible endpoint, such as OpenRouter, LM Studio or llama.cpp.'),
			name: 'router',
			body: { provider: 'openai', base_url: blank(1, 'https://openrouter.ai/api/v1') },
		},
	];
}

function models(): readonly EntrySnippet[] {
	return [
		{
			label: l10n.t('model'),
			description: l10n.t('A model of one of your "clients".'),
			name: 'model',
			body: { client: blank(1, 'openai'), model: blank(2, 'gpt-4.1') },
		},
	];
}

function toolsets(): readonly EntrySnippet[] {
	return [
		{
			label: l10n.t('toolset'),
			description: l10n.t('A named subset of servers and tools.'),
			name: 'toolset',
			body: { description: blank(1, 'What it is for'), servers: { [blank(2, 'server')]: true } },
		},
	];
}

const snippetsBySection: Readonly<Record<string, () => readonly EntrySnippet[]>> = {
	servers,
	mcpServers: servers,
	mcp_servers: servers,
	clients,
	models,
	tool_sets: toolsets,
};

/** Ready-made entries for a section, in the user's language. */
export function entrySnippets(section: string): readonly EntrySnippet[] {
	return Object.hasOwn(snippetsBySection, section) ? (snippetsBySection[section]?.() ?? []) : [];
}

/** A snippet as text: JSON with one property per line, indented by tabs, which editors convert to the file's indentation. */
export function snippetText(body: SnippetBody, indent = ''): string {
	if (typeof body === 'string') return body.startsWith('^') ? body.slice(1) : JSON.stringify(body);
	if (typeof body !== 'object') return String(body);
	if (isList(body)) return `[${body.map((item) => snippetText(item, indent)).join(', ')}]`;
	const deeper = `${indent}\t`;
	const properties = Object.entries(body).map(
		([key, value]) => `${deeper}${JSON.stringify(key)}: ${snippetText(value, deeper)}`,
	);
	return `{\n${properties.join(',\n')}\n${indent}}`;
}

function isList(body: SnippetBody): body is readonly SnippetBody[] {
	return Array.isArray(body);
}
