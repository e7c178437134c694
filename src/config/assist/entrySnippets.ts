/**
 * A value as VS Code's JSON service has it in `defaultSnippets`: texts may hold places to fill in, `$1` or `${1:what it is}`;
 * one that begins with `^` is JSON already.
 */
export type SnippetBody = string | boolean | readonly SnippetBody[] | { readonly [key: string]: SnippetBody };

/** A ready entry of a section of the configuration. */
export interface EntrySnippet {
	readonly label: string;
	readonly description: string;
	/** Name of the entry, where a new one is written. */
	readonly name: string;
	readonly body: SnippetBody;
}

/** A place to fill in, with what it holds at first. */
function blank(place: number, example: string): string {
	return `\${${place}:${example}}`;
}

/** A text that goes into the file as it stands, so that it can hold what a snippet reads otherwise. */
function raw(json: string): string {
	return `^${json}`;
}

const server: readonly EntrySnippet[] = [
	{
		label: 'stdio server',
		description: 'A server that is started here, as a process.',
		name: 'files',
		body: {
			command: blank(1, 'npx'),
			args: ['-y', blank(2, '@modelcontextprotocol/server-everything')],
			defer_loading: true,
		},
	},
	{
		label: 'remote server',
		description: 'A server that is reached over HTTP.',
		name: 'remote',
		body: { url: blank(1, 'https://example.com/mcp'), defer_loading: true },
	},
	{
		label: 'remote server with a key',
		description: 'A server over HTTP that wants a key, which stays in the environment or in .env.',
		name: 'remote',
		body: {
			url: blank(1, 'https://example.com/mcp'),
			headers: { Authorization: raw(`"Bearer \\\${env:${blank(2, 'API_KEY')}\\}"`) },
			defer_loading: true,
		},
	},
];

const client: readonly EntrySnippet[] = [
	{
		label: 'OpenAI client',
		description: 'OpenAI itself. Its key: "Discovery: Set API Key…".',
		name: 'openai',
		body: { provider: 'openai' },
	},
	{
		label: 'Anthropic client',
		description: 'Anthropic itself. Its key: "Discovery: Set API Key…".',
		name: 'anthropic',
		body: { provider: 'anthropic' },
	},
	{
		label: 'Ollama client',
		description: 'Ollama on this machine; it needs no key.',
		name: 'ollama',
		body: { provider: 'ollama' },
	},
	{
		label: 'OpenAI-compatible client',
		description: 'An endpoint that speaks OpenAI’s protocol: OpenRouter, LM Studio, llama.cpp.',
		name: 'router',
		body: { provider: 'openai', base_url: blank(1, 'https://openrouter.ai/api/v1') },
	},
];

const model: readonly EntrySnippet[] = [
	{
		label: 'model',
		description: 'A model of one of "clients".',
		name: 'model',
		body: { client: blank(1, 'openai'), model: blank(2, 'gpt-4.1') },
	},
];

const toolset: readonly EntrySnippet[] = [
	{
		label: 'toolset',
		description: 'A named subset of servers and tools.',
		name: 'toolset',
		body: { description: blank(1, 'What it is for'), servers: { [blank(2, 'server')]: true } },
	},
];

/** Ready entries, by the section of the file that they are for. */
export const entrySnippets: Readonly<Record<string, readonly EntrySnippet[]>> = {
	servers: server,
	mcpServers: server,
	mcp_servers: server,
	clients: client,
	models: model,
	tool_sets: toolset,
};

/** The text of a snippet: JSON on one line a property, indented by tabs, which editors turn into what the file has. */
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
