import * as z from 'zod';
import { defaultPolicy } from '../discovery/catalog/policy.ts';
import { clientSchema, modelSchema } from './models/schema.ts';
import { flag, ranges, textList, texts, wholeNumber } from './schemaKinds.ts';

const workspaceFolder = `\${workspaceFolder}`;

/** For aliases: files from other programs have them, but they are not suggested. */
const alias = { doNotSuggest: true };

const lazyMcp =
	'Alias of tool_discovery.enabled; where the file says no more, every server is deferred that is not pinned.';

const toolSchema = z
	.object({
		defer_loading: flag()
			.optional()
			.describe(
				'true: the model must search for this tool first; false: it is loaded. Beats the server’s own setting.',
			),
		search_hint: z.string().optional().describe('A phrase that search ranks higher than the description.'),
		disabled: flag()
			.optional()
			.describe('true: this tool is neither found, loaded nor called. Beats "enabled_tools".'),
	})
	.describe('Settings of one tool.');

/** How to sign in to a server. Most servers announce everything themselves. */
const signInSchema = z
	.object({
		client_id: z
			.string()
			.optional()
			.describe(
				'The client that you have registered with who signs you in; left out, we register ourselves.',
			),
		client_secret: z
			.string()
			.optional()
			.meta({ examples: [`\${env:NAME}`] })
			.describe(`The secret of that client, as "\${env:NAME}".`),
		scopes: textList()
			.optional()
			.describe('The rights to ask for, in the place of those that the server names.'),
		redirect_port: wholeNumber(ranges.port)
			.optional()
			.describe(
				'Port of this machine that the browser comes back to, where the client is registered for one: http://127.0.0.1:PORT/callback.',
			),
		client_metadata_url: z
			.string()
			.optional()
			.describe(
				'https address of a document about the client, for who takes one in place of a registration.',
			),
	})
	.describe('Signing in with a browser, where a server does not tell all that it takes.');

/** One MCP server: how to reach it, and which of its tools load. */
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
			.describe('Arguments of the command, one a text.'),
		env: texts().optional().describe(`Environment variables of the process. Secrets: "\${env:NAME}".`),
		inherit_env: z
			.union([flag(), textList()], { error: 'expected true, false or a list of names of variables' })
			.optional()
			.describe(
				'Further variables of your own environment that the process gets: true for all of them, or a list of names.',
			),
		cwd: z
			.string()
			.optional()
			.meta({ examples: [workspaceFolder] })
			.describe(
				'Folder the process starts in; relative ones start at the workspace folder, which is the default.',
			),
		url: z
			.string()
			.optional()
			.meta({ examples: ['https://example.com/mcp'] })
			.describe('Address of a remote server: http or https.'),
		transport: z
			.enum(['streamable-http', 'http', 'sse'])
			.meta({
				enumDescriptions: [
					'Streamable HTTP, what servers speak today.',
					'The same as "streamable-http".',
					'HTTP with server-sent events, as older servers speak.',
				],
			})
			.optional()
			.describe('How a remote server speaks; http is streamable-http, the default.'),
		type: z
			.enum(['stdio', 'http', 'streamable-http', 'sse'])
			.meta({
				enumDescriptions: [
					'A process that is started here.',
					'The same as "streamable-http".',
					'Streamable HTTP.',
					'HTTP with server-sent events.',
				],
			})
			.optional()
			.meta(alias)
			.describe('The transport, as other MCP clients write it.'),
		headers: texts().optional().describe(`HTTP headers for a remote server. Secrets: "\${env:NAME}".`),
		oauth: signInSchema.optional(),
		defer_loading: flag().optional().describe('true: the model must search for this server’s tools first.'),
		lazy: flag()
			.optional()
			.meta(alias)
			.describe('Alias: true is "defer_loading": true, and false is "pinned": true.'),
		pinned: z
			.union([flag(), textList()], { error: 'expected true, false or a list of tool names' })
			.optional()
			.describe(
				'Always loaded, whatever else is set: true for every tool, or a list of this server’s tools.',
			),
		search_hint: z.string().optional().describe('A phrase that search adds to every tool of this server.'),
		tools: z.record(z.string(), toolSchema).optional().describe('Settings of single tools, by tool name.'),
		disabled: flag()
			.optional()
			.describe('true: this server does not start, and none of its tools is found, loaded or called.'),
		enabled_tools: textList().optional().describe('All other tools of this server are disabled.'),
	})
	.meta({ id: 'server', description: 'An MCP server: with "command" a process, with "url" a remote one.' });

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
			.describe('By server: true for all its tools, {"exclude": […]} for all but some, or a list of tools.'),
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
					'Every tool loads, and nothing is injected.',
					'true while that makes requests smaller by at least a third, else false.',
				],
			})
			.optional()
			.describe('Whether tools are deferred: false by default.'),
		defer_all: flag()
			.optional()
			.describe('true: every tool is deferred that is not pinned or set otherwise.'),
		max_search_results: wholeNumber(ranges.searchResults)
			.optional()
			.meta({ default: defaultPolicy.maxSearchResults })
			.describe('Most tools that one search loads, 1 to 25; 5 by default.'),
		max_active_schemas: z
			.int({ error: 'expected a whole number from 1, or null for no cap' })
			.min(1, { error: 'expected a whole number from 1, or null for no cap' })
			.nullable()
			.optional()
			.meta({ default: defaultPolicy.maxActiveSchemas })
			.describe(
				'Activated tools kept, least recently used out first; 24 by default. null: no cap but that of a request, which has at most 64 tools.',
			),
		max_manifest_tokens: wholeNumber(ranges.manifestTokens)
			.optional()
			.meta({ default: defaultPolicy.maxManifestTokens })
			.describe('Upper bound of the definition of search_tools, in estimated tokens; 2500 by default.'),
		ranking: z
			.enum(['default', 'okapi', 'name-parts'])
			.meta({
				default: defaultPolicy.ranking,
				enumDescriptions: [
					'By the words of names, descriptions, hints and parameters, with synonyms.',
					'BM25 over names and descriptions.',
					'By the parts of a tool’s name, and its hint and description besides.',
				],
			})
			.optional()
			.describe('How tools are ranked for a query.'),
		// `settings/discoverySettings.ts` checks each line separately, so that a faulty one does not drop all others.
		synonyms: z
			.array(z.unknown(), { error: 'expected a list of lines, such as ["jira ticket, issue"]' })
			.meta({ examples: [['jira ticket, issue'], ['prod, live => production']] })
			.optional()
			.describe(
				'Words that mean the same here, a line each: "jira ticket, issue", or "prod, live => production" where only the left finds the right. For "ranking": "default".',
			),
		manifest_placement: z
			.enum(['tool', 'system'])
			.meta({
				default: defaultPolicy.manifestPlacement,
				enumDescriptions: ['In the description of search_tools.', 'In the system prompt.'],
			})
			.optional()
			.describe('Where the manifest stands: in the description of search_tools, or in the system prompt.'),
		on_undiscovered_call: z
			.enum(['error', 'activate'])
			.meta({
				default: defaultPolicy.onUndiscoveredCall,
				enumDescriptions: [
					'The model is told to search first.',
					'Where its arguments fit, the tool is loaded and run.',
				],
			})
			.optional()
			.describe(
				'What a call of a deferred tool comes to that was not searched for: an "error", the default, or "activate": where its arguments fit, it is loaded and run.',
			),
		prefetch: wholeNumber(ranges.prefetch)
			.optional()
			.meta({ default: defaultPolicy.prefetch })
			.describe(
				'Tools that a chat’s first message loads at once where its words clearly ask for them, 0 to 5; 1 by default. 0: none, nor those that a message names.',
			),
		editor_tools: flag()
			.optional()
			.describe(
				'true: @discovery also finds and calls tools of VS Code and its extensions, as the server "editor"; false by default.',
			),
		inspection_tools: flag()
			.optional()
			.describe(
				'true: the model also gets list_available_tools and list_tool_details, which tell of tools and load none; false by default.',
			),
		loading: z
			.enum(['auto', 'append', 'native', 'call'])
			.meta({
				default: defaultPolicy.loading,
				enumDescriptions: [
					'What the model does best.',
					'At the end of the tools of the next request.',
					'As the provider itself defers tools.',
					'Through one fixed tool that calls them.',
				],
			})
			.optional()
			.describe(
				'How loaded tools reach the model: "append" to its tools, "native" as the provider defers them, or through a fixed tool to "call" them; "auto", the default: what the model does best.',
			),
	})
	.describe('Settings of tool discovery.');

/** The whole of `casual_mcp_config.json`. */
export const configSchema = z.object({
	$schema: z.string().optional().describe('Address of the JSON Schema, for editors.'),
	clients: z
		.record(z.string(), clientSchema)
		.optional()
		.describe('Model providers, by a name of your own. One that no model names offers all that it has.'),
	models: z.record(z.string(), modelSchema).optional().describe('Models, by a name of your own.'),
	servers: serversSchema.describe('MCP servers, by a name of your own.'),
	mcpServers: serversSchema.meta(alias).describe('As "servers", which wins where both have a name.'),
	mcp_servers: serversSchema.meta(alias).describe('As "servers", which wins where both have a name.'),
	tool_sets: z.record(z.string(), toolSetSchema).optional().describe('Toolsets, by a name of your own.'),
	tool_discovery: toolDiscoverySchema.optional(),
	// `settings/prompts.ts` checks each prompt separately, so that a faulty one does not drop the others.
	prompts: z
		.array(z.unknown(), { error: 'expected a list of texts, such as ["what changed today?"]' })
		.meta({ examples: [['what changed today?']] })
		.optional()
		.describe('Up to three things to ask, which @discovery offers to click when it greets.'),
	tools: z
		.object({
			lazy_mcp: flag().optional().describe(lazyMcp),
			max_active_schemas: toolDiscoverySchema.shape.max_active_schemas.describe(
				'Alias of tool_discovery.max_active_schemas.',
			),
		})
		.optional()
		.meta(alias)
		.describe('Aliases of settings of tool_discovery.'),
	lazy_mcp: flag().optional().meta(alias).describe(lazyMcp),
});
