import * as z from 'zod';
import { defaultPolicy } from '../discovery/catalog/policy.ts';
import { clientSchema, modelSchema } from './models/schema.ts';
import { ranges, textList, texts, wholeNumber } from './schemaKinds.ts';

const workspaceFolder = `\${workspaceFolder}`;

/** For aliases, which files of other programs contain: the editor does not suggest them. */
const alias = { doNotSuggest: true };

const lazyMcp = 'Alias of tool_discovery.enabled. true alone also defers every server that is not pinned.';

const toolSchema = z
	.object({
		defer_loading: z
			.boolean()
			.optional()
			.describe(
				'true: the model must search for this tool first. false: it is loaded. Overrides the server’s setting.',
			),
		deferred: z
			.boolean()
			.optional()
			.meta(alias)
			.describe('Alias of "defer_loading", which takes precedence.'),
		search_hint: z
			.string()
			.optional()
			.describe('Words by which search finds this tool. They count more than the description.'),
		disabled: z
			.boolean()
			.optional()
			.describe('true: this tool is not found, loaded or called. Overrides "enabled_tools".'),
	})
	.describe('Settings of one tool.');

/** How to sign in to a server. Most servers provide these details themselves. */
const signInSchema = z
	.object({
		client_id: z
			.string()
			.optional()
			.describe('Your own client at the sign-in service. By default, Discovery registers itself.'),
		client_secret: z
			.string()
			.optional()
			.meta({ examples: [`\${env:NAME}`] })
			.describe(`The client’s secret, as "\${env:NAME}".`),
		scopes: textList().optional().describe('The scopes to request instead of the server’s own.'),
		redirect_port: wholeNumber(ranges.port)
			.optional()
			.describe(
				'The port of the redirect URL http://127.0.0.1:PORT/callback, if the client is registered for a certain one.',
			),
		redirect_host: z
			.enum(['127.0.0.1', 'localhost'])
			.optional()
			.describe('The host of the redirect URL, if the client is registered for localhost.'),
		client_metadata_url: z
			.string()
			.optional()
			.describe(
				'The https URL of a client metadata document, for sign-in services that accept one instead of a registration.',
			),
	})
	.describe('How to sign in with a browser, if the server does not provide all details.');

/** One MCP server: how to reach it, and which of its tools to load. */
export const serverSchema = z
	.object({
		command: z
			.string()
			.optional()
			.meta({ examples: ['npx', 'node', 'uvx', 'docker'] })
			.describe('The program to run, without arguments and without a shell.'),
		args: textList()
			.optional()
			.meta({ examples: [['-y', '@modelcontextprotocol/server-everything']] })
			.describe('The command’s arguments, one per string.'),
		env: texts().optional().describe(`The process’s environment variables. For secrets, use "\${env:NAME}".`),
		inherit_env: z
			.union([z.boolean(), textList()], { error: 'expected true, false or a list of names of variables' })
			.optional()
			.describe(
				'More variables of your own environment to pass to the process: true for all, or a list of names.',
			),
		cwd: z
			.string()
			.optional()
			.meta({ examples: [workspaceFolder] })
			.describe(
				'The folder that the process starts in. Relative paths start at the workspace folder, which is the default.',
			),
		url: z
			.string()
			.optional()
			.meta({ examples: ['https://example.com/mcp'] })
			.describe('The URL of a remote server: http or https.'),
		transport: z
			.enum(['streamable-http', 'http', 'sse'])
			.meta({
				enumDescriptions: [
					'Streamable HTTP, the current transport.',
					'The same as "streamable-http".',
					'HTTP with server-sent events, for older servers.',
				],
			})
			.optional()
			.describe('The transport of a remote server. The default is streamable-http; http means the same.'),
		type: z
			.enum(['stdio', 'http', 'streamable-http', 'sse'])
			.meta({
				enumDescriptions: [
					'A process on this machine.',
					'The same as "streamable-http".',
					'Streamable HTTP.',
					'HTTP with server-sent events.',
				],
			})
			.optional()
			.meta(alias)
			.describe('The transport, as named by other MCP clients.'),
		headers: texts()
			.optional()
			.describe(`HTTP headers for a remote server. For secrets, use "\${env:NAME}".`),
		oauth: signInSchema.optional(),
		defer_loading: z
			.boolean()
			.optional()
			.describe('true: the model must search for this server’s tools first.'),
		lazy: z
			.boolean()
			.optional()
			.meta(alias)
			.describe('Alias: true means "defer_loading": true, false means "pinned": true.'),
		pinned: z
			.union([z.boolean(), textList()], { error: 'expected true, false or a list of tool names' })
			.optional()
			.describe(
				'Always loaded, whatever else is set: true for every tool, or a list of this server’s tools.',
			),
		search_hint: z.string().optional().describe('Words by which search finds all tools of this server.'),
		tools: z.record(z.string(), toolSchema).optional().describe('Settings of single tools, by name.'),
		disabled: z
			.boolean()
			.optional()
			.describe('true: this server does not start, and its tools are not found, loaded or called.'),
		enabled_tools: textList()
			.optional()
			.describe('The tools to keep. All other tools of this server are disabled.'),
	})
	.meta({
		id: 'server',
		description: 'An MCP server: "command" starts a process, "url" connects to a remote server.',
	});

const serversSchema = z.record(z.string(), serverSchema).optional();

const toolSetSchema = z
	.object({
		description: z.string().optional().describe('What the toolset is for.'),
		servers: z
			.record(
				z.string(),
				z.union([z.literal(true), z.strictObject({ exclude: textList() }), textList()], {
					error: 'expected true, {"exclude": […]} or a list of tool names',
				}),
			)
			.describe(
				'For each server: true for all its tools, {"exclude": […]} for all but some, or a list of tools.',
			),
	})
	.describe('A named subset of servers and tools.');

const toolDiscoverySchema = z
	.object({
		enabled: z
			.literal([true, false, 'auto'])
			.meta({
				default: defaultPolicy.enabled,
				enumDescriptions: [
					'Tools are deferred as this file says.',
					'Every tool is loaded, and requests are unchanged.',
					'true while that makes requests smaller by at least a third, otherwise false.',
				],
			})
			.optional()
			.describe('Whether tools are deferred: false by default.'),
		defer_all: z
			.boolean()
			.optional()
			.describe('true: defers every tool that is not pinned and has no setting of its own.'),
		max_search_results: wholeNumber(ranges.searchResults)
			.optional()
			.meta({ default: defaultPolicy.maxSearchResults })
			.describe('The most tools that one search loads, 1 to 25. Default: 5.'),
		max_active_schemas: z
			.int({ error: 'expected a whole number from 1, or null for no limit' })
			.min(1, { error: 'expected a whole number from 1, or null for no limit' })
			.nullable()
			.optional()
			.meta({ default: defaultPolicy.maxActiveSchemas })
			.describe(
				'The most searched tools that stay loaded; the least recently used go first. Default: 24. null: only the limit of a request, 64 tools.',
			),
		max_manifest_tokens: wholeNumber(ranges.manifestTokens)
			.optional()
			.meta({ default: defaultPolicy.maxManifestTokens })
			.describe('The size limit for the definition of search_tools, in estimated tokens. Default: 2500.'),
		ranking: z
			.enum(['default', 'okapi', 'name-parts'])
			.meta({
				default: defaultPolicy.ranking,
				enumDescriptions: [
					'Compares words of names, descriptions, hints and parameters, with synonyms.',
					'BM25 over names and descriptions.',
					'Compares parts of names, then hints and descriptions.',
				],
			})
			.optional()
			.describe('How tools are ranked for a query.'),
		// `settings/discoverySettings.ts` checks each line, so that one error does not turn off all lines.
		synonyms: z
			.array(z.unknown(), { error: 'expected a list of lines, such as ["jira ticket, issue"]' })
			.meta({ examples: [['jira ticket, issue'], ['prod, live => production']] })
			.optional()
			.describe(
				'Your own synonyms, one line each: "jira ticket, issue", or "prod, live => production" if only the left side should find the right. For the default ranking.',
			),
		manifest_placement: z
			.enum(['tool', 'system'])
			.meta({
				default: defaultPolicy.manifestPlacement,
				enumDescriptions: ['In the description of search_tools.', 'In the system prompt.'],
			})
			.optional()
			.describe(
				'Where the list of servers goes: into the description of search_tools, or into the system prompt.',
			),
		on_undiscovered_call: z
			.enum(['error', 'activate'])
			.meta({
				default: defaultPolicy.onUndiscoveredCall,
				enumDescriptions: [
					'The model is told to search first.',
					'If the arguments fit, the tool is loaded and runs.',
				],
			})
			.optional()
			.describe(
				'What happens if the model calls a deferred tool without searching: an "error" (the default) tells it to search first, "activate" loads the tool and runs it if the arguments fit.',
			),
		prefetch: wholeNumber(ranges.prefetch)
			.optional()
			.meta({ default: defaultPolicy.prefetch })
			.describe(
				'The most tools that a chat’s first message loads if it clearly asks for them, 0 to 5. Default: 1. 0 also ignores tools that a message names.',
			),
		editor_tools: z
			.boolean()
			.optional()
			.describe(
				'true: @discovery also uses the tools of VS Code and its extensions, as a server named "editor". Default: false.',
			),
		inspection_tools: z
			.boolean()
			.optional()
			.describe(
				'true: the model also gets list_available_tools and list_tool_details, which list tools without loading them. Default: false.',
			),
		loading: z
			.enum(['auto', 'append', 'native', 'call'])
			.meta({
				default: defaultPolicy.loading,
				enumDescriptions: [
					'native if the model and its endpoint support it, otherwise append.',
					'At the end of the tool list. Works with every model.',
					'In the conversation, through the provider’s own means.',
					'In the search result; the model calls them through one fixed tool. Works with every model.',
				],
			})
			.optional()
			.describe('How loaded tools reach the model. Default: "auto".'),
	})
	.describe('Settings of tool discovery.');

/** The whole of `casual_mcp_config.json`. */
export const configSchema = z.object({
	$schema: z.string().optional().describe('The URL of a JSON Schema, for editors.'),
	clients: z
		.record(z.string(), clientSchema)
		.optional()
		.describe(
			'Endpoints that serve models, by names of your choice. A client that no model names offers all its models.',
		),
	models: z.record(z.string(), modelSchema).optional().describe('Models, by names of your choice.'),
	servers: serversSchema.describe('MCP servers, by names of your choice.'),
	mcpServers: serversSchema
		.meta(alias)
		.describe('Same as "servers", which takes precedence if both contain the same name.'),
	mcp_servers: serversSchema
		.meta(alias)
		.describe('Same as "servers", which takes precedence if both contain the same name.'),
	tool_sets: z.record(z.string(), toolSetSchema).optional().describe('Toolsets, by names of your choice.'),
	tool_discovery: toolDiscoverySchema.optional(),
	// `settings/prompts.ts` checks each prompt, so that one error does not turn off the others.
	prompts: z
		.array(z.unknown(), { error: 'expected a list of texts, such as ["what changed today?"]' })
		.meta({ examples: [['what changed today?']] })
		.optional()
		.describe('Up to three requests that @discovery suggests when it greets you.'),
	tools: z
		.object({
			lazy_mcp: z.boolean().optional().describe(lazyMcp),
			max_active_schemas: toolDiscoverySchema.shape.max_active_schemas.describe(
				'Alias of tool_discovery.max_active_schemas.',
			),
		})
		.optional()
		.meta(alias)
		.describe('Aliases of settings of tool_discovery.'),
	lazy_mcp: z.boolean().optional().meta(alias).describe(lazyMcp),
});
