import * as z from 'zod';
import { efforts } from '../common/answerSettings.ts';
import { defaultPolicy } from '../discovery/catalog/policy.ts';

/** Figures of the settings that have a range; see `DiscoveryPolicy` for what they mean. */
const ranges = {
	searchResults: { min: 1, max: 25 },
	manifestTokens: { min: 200, max: 20_000 },
	prefetch: { min: 0, max: 5 },
	contextTokens: { min: 1_000, max: 10_000_000 },
	outputTokens: { min: 1, max: 1_000_000 },
	/** Anthropic takes no less (reference of `thinking.budget_tokens`). */
	thinkingTokens: { min: 1_024, max: 1_000_000 },
	/** What one provider or another takes; which takes how much is told with the model. */
	temperature: { min: 0, max: 2 },
	topP: { min: 0, max: 1 },
	usdPerMillion: { min: 0, max: 10_000 },
	port: { min: 1, max: 65_535 },
};

function wholeNumber({ min, max }: { min: number; max: number }) {
	const error = `expected a whole number from ${min} to ${max}`;
	return z.int({ error }).min(min, { error }).max(max, { error });
}

function dollars(what: string) {
	const { min, max } = ranges.usdPerMillion;
	const error = `expected a number of US dollars from ${min} to ${max}`;
	return z.number({ error }).min(min, { error }).max(max, { error }).describe(what);
}

function number({ min, max }: { min: number; max: number }) {
	const error = `expected a number from ${min} to ${max}`;
	return z.number({ error }).min(min, { error }).max(max, { error });
}

const workspaceFolder = `\${workspaceFolder}`;

/** For aliases: files have them from other programs, but they are not to be offered. */
const alias = { doNotSuggest: true };

const lazyMcp =
	'Alias of tool_discovery.enabled; where the file says no more, every server is deferred that is not pinned.';

const flag = () => z.boolean();
const textList = () => z.array(z.string());
const texts = () => z.record(z.string(), z.string());

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

/** How to sign in to a server; most tell all of it themselves. */
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
		enabled: flag()
			.optional()
			.meta({ default: defaultPolicy.enabled })
			.describe('false, the default: every tool loads and nothing is injected.'),
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
			.describe('Activated tools kept, least recently used out first; 24 by default, null for no cap.'),
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
		// `settings/discoverySettings.ts` checks the lines one by one, so that a faulty one does not cost all others.
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

const clientSchema = z
	.object({
		provider: z
			.enum(['openai', 'anthropic', 'ollama'])
			.meta({
				enumDescriptions: [
					'OpenAI, and every endpoint that speaks its protocol: OpenRouter, LM Studio, llama.cpp.',
					'Anthropic.',
					'Ollama, on this machine by default; it needs no key.',
				],
			})
			.describe('Whose protocol the endpoint speaks.'),
		base_url: z
			.string()
			.optional()
			.meta({ examples: ['https://openrouter.ai/api/v1', 'http://localhost:1234/v1'] })
			.describe(
				'Address of the endpoint, where it is not the provider’s own. Keys do not belong in this file.',
			),
		api: z
			.enum(['chat', 'responses'])
			.meta({ enumDescriptions: ['Chat Completions.', 'Responses.'] })
			.optional()
			.describe(
				'Which API of an openai endpoint is asked: "chat" (Chat Completions) or "responses"; best left out.',
			),
		auth: z
			.enum(['key', 'microsoft'])
			.meta({ enumDescriptions: ['With a key.', 'With VS Code’s own sign-in at Microsoft (Entra ID).'] })
			.optional()
			.describe('How requests are allowed: with a "key", or at Azure with a sign-in at "microsoft".'),
		headers: texts()
			.optional()
			.meta({ examples: [{ 'HTTP-Referer': 'https://example.com' }] })
			.describe(
				`Further HTTP headers for this endpoint only. Secrets: "\${env:NAME}"; they are sent after you have agreed once. The key’s own header cannot be set.`,
			),
		organization: z
			.string()
			.min(1)
			.optional()
			.meta({ examples: ['org-…'] })
			.describe('For openai: the organization that pays, as in the header OpenAI-Organization.'),
	})
	.describe('A model provider’s endpoint.');

const modelSchema = z
	.object({
		client: z.string().describe('Name of an entry of "clients".'),
		model: z.string().min(1).describe('The model’s name, as the provider knows it.'),
		template: z.string().optional().describe('Name of a system prompt: prompt-templates/<name>.j2.'),
		context_tokens: wholeNumber(ranges.contextTokens)
			.optional()
			.meta({ examples: [32_000, 128_000] })
			.describe(
				'Most tokens of prompt and answer together, where the extension does not know or you want fewer.',
			),
		max_output_tokens: wholeNumber(ranges.outputTokens)
			.optional()
			.meta({ examples: [4_096] })
			.describe('Most tokens of one answer.'),
		reasoning_effort: z
			.enum(efforts)
			.meta({
				enumDescriptions: [
					'Not at all: OpenAI from GPT-5.1 on, Ollama.',
					'Hardly: GPT-5.',
					'Little.',
					'As much as most tasks need.',
					'Much.',
					'More than "high": newer models of OpenAI and Anthropic.',
					'As much as there is: newer models of OpenAI and Anthropic.',
				],
			})
			.optional()
			.describe('How much the model thinks before it answers; which of these a model takes is its own.'),
		thinking: z
			.union(
				[
					z.enum(['off', 'adaptive']),
					wholeNumber(ranges.thinkingTokens),
					z.strictObject({
						tokens: wholeNumber(ranges.thinkingTokens).optional(),
						display: z.enum(['summarized', 'omitted']).optional(),
					}),
				],
				{
					error:
						'expected "off", "adaptive", a number of tokens from 1024, or an object such as {"tokens": 8000, "display": "omitted"}',
				},
			)
			.optional()
			.meta({ examples: ['adaptive', 'off', 8_000, { display: 'summarized' }] })
			.describe(
				'Whether the model thinks: "off", "adaptive" (as much as it likes) or up to so many tokens; {"tokens": 8000, "display": "omitted"} also says whether its thoughts come along ("summarized" or "omitted"). For anthropic, ollama and OpenRouter; elsewhere use reasoning_effort.',
			),
		temperature: number(ranges.temperature)
			.optional()
			.meta({ examples: [0, 0.7] })
			.describe('How much chance there is in answers, from 0. Models that think mostly refuse it.'),
		top_p: number(ranges.topP)
			.optional()
			.meta({ examples: [0.9] })
			.describe('Share of the likeliest words that are chosen from, 0 to 1. Set this or the temperature.'),
		parallel_tool_calls: flag()
			.optional()
			.describe('false: the model makes one call at a time. Not for ollama.'),
		service_tier: z
			.string()
			.min(1)
			.optional()
			.meta({ examples: ['flex', 'priority', 'standard_only'] })
			.describe(
				'How urgent requests are, and what they cost: OpenAI takes "auto", "default", "flex", "scale", "priority" and "fast", Anthropic "auto" and "standard_only".',
			),
		images: flag()
			.optional()
			.describe('Whether the model takes pictures, where that is other than is known of it.'),
		extra_body: z
			.record(z.string(), z.unknown())
			.optional()
			.meta({ examples: [{ seed: 1 }] })
			.describe('Whatever else this endpoint takes in the body of a request, as it stands.'),
		price: z
			.object({
				input: dollars('Of the prompt.'),
				output: dollars('Of the answer, thought included.'),
				cache_read: dollars(
					'Of what comes from the provider’s cache; else as the rest of the prompt.',
				).optional(),
				cache_write: dollars('Of what goes to that cache; else as the rest of the prompt.').optional(),
			})
			.meta({ examples: [{ input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }] })
			.optional()
			.describe('What it costs, in US dollars for a million tokens, where the provider does not tell.'),
	})
	.describe('A model of one client.');

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
	// `settings/prompts.ts` checks the prompts one by one, so that a faulty one does not cost the others.
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
