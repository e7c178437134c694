/** A value: texts may contain placeholders, `$1` or `${1:example}`; a text that begins with `^` is JSON already. */
type SnippetBody = string | boolean | readonly SnippetBody[] | { readonly [key: string]: SnippetBody };

/** A ready-made entry for a section of the configuration. */
export interface EntryForm {
	readonly label: string;
	readonly description: string;
	readonly body: SnippetBody;
}

/** A placeholder with an example. */
function blank(place: number, example: string): string {
	return `\${${place}:${example}}`;
}

const servers: readonly EntryForm[] = [
	{
		label: 'stdio server',
		description: 'A server that runs on this machine.',
		body: {
			command: blank(1, 'npx'),
			args: ['-y', blank(2, '@modelcontextprotocol/server-everything')],
			defer_loading: true,
		},
	},
	{
		label: 'remote server',
		description: 'A server at a URL.',
		body: { url: blank(1, 'https://example.com/mcp'), defer_loading: true },
	},
	{
		label: 'remote server with a key',
		description: 'A server at a URL that requires a key. The key stays in the environment or in .env.',
		body: {
			url: blank(1, 'https://example.com/mcp'),
			// After `^`, VS Code inserts the text unchanged. `$` and `}` have a meaning in snippets, so they are escaped here.
			headers: { Authorization: `^"Bearer \\\${env:${blank(2, 'API_KEY')}\\}"` },
			defer_loading: true,
		},
	},
];

const clients: readonly EntryForm[] = [
	{
		label: 'OpenAI client',
		description: 'OpenAI itself. Set its key with "Discovery: Set API Key or Secret…".',
		body: { provider: 'openai' },
	},
	{
		label: 'Anthropic client',
		description: 'Anthropic itself. Set its key with "Discovery: Set API Key or Secret…".',
		body: { provider: 'anthropic' },
	},
	{
		label: 'Ollama client',
		description: 'Ollama on this machine. It needs no key.',
		body: { provider: 'ollama' },
	},
	{
		label: 'OpenAI-compatible client',
		description: 'An OpenAI-compatible endpoint, such as OpenRouter, LM Studio or llama.cpp.',
		body: { provider: 'openai', base_url: blank(1, 'https://openrouter.ai/api/v1') },
	},
];

const models: readonly EntryForm[] = [
	{
		label: 'model',
		description: 'A model of one of your "clients".',
		body: { client: blank(1, 'openai'), model: blank(2, 'gpt-4.1') },
	},
];

const toolsets: readonly EntryForm[] = [
	{
		label: 'toolset',
		description: 'A named subset of servers and tools.',
		body: { description: blank(1, 'What it is for'), servers: { [blank(2, 'server')]: true } },
	},
];

const formsBySection: Readonly<Record<string, readonly EntryForm[]>> = {
	servers,
	mcpServers: servers,
	mcp_servers: servers,
	clients,
	models,
	tool_sets: toolsets,
};

/** Ready-made entries for a section. */
export function entryForms(section: string): readonly EntryForm[] {
	return Object.hasOwn(formsBySection, section) ? (formsBySection[section] ?? []) : [];
}

/** Escapes characters that are special in snippets. */
export function snippetEscaped(text: string): string {
	return text.replaceAll(/[\\$}]/g, (character) => `\\${character}`);
}

/** A snippet for a whole entry. Its first placeholder is the name. */
export function entrySnippet(form: EntryForm, name: string): string {
	const value = bodySnippet(form).replaceAll(
		/(?<!\\)\$\{(\d+):/g,
		(_, place: string) => `\${${Number(place) + 1}:`,
	);
	const written = JSON.stringify(name === '' ? 'name' : name).slice(1, -1);
	return `"\${1:${snippetEscaped(written)}}": ${value}`;
}

/** A snippet for an entry whose name is there. */
export function bodySnippet({ body }: EntryForm): string {
	return JSON.stringify(body, null, '\t').replaceAll(/"\^((?:[^"\\]|\\.)*)"/g, (_, json: string) =>
		JSON.parse(`"${json}"`),
	);
}
