import type { Fault } from '../fixtures.ts';

/** Faults of clients and models. */
export const modelFaults: readonly Fault[] = [
	[
		'literal key of a client',
		`{ "clients": { "c": { "provider": "openai",\n"api_key": "sk-${'a1'.repeat(16)}" } } }`,
		'warning 2:1 clients.c.api_key: unknown key, ignored',
		'warning 2:12 clients.c.api_key: this looks like a key, which does not belong in this file; run "Discovery: Set API Key or Secret…", or write OPENAI_API_KEY or ANTHROPIC_API_KEY into .env',
	],
	[
		'unknown provider',
		'{ "clients": { "c": { "provider": "opnai" } } }',
		'error 1:35 clients.c.provider: unknown value "opnai", expected "openai", "anthropic" or "ollama"; did you mean "openai"?',
	],
	['client without a provider', '{ "clients": { "c": {} } }', 'error 1:16 clients.c: "provider" is missing'],
	[
		'address of a client',
		'{ "clients": { "c": { "provider": "openai", "base_url": "ftp://x" } } }',
		'error 1:57 clients.c.base_url: expected a URL that starts with http:// or https://, not ftp:',
	],
	[
		'credentials in the address of a client',
		'{ "clients": { "c": { "provider": "openai", "base_url": "https://me:pw@x.test/v1" } } }',
		'error 1:57 clients.c.base_url: a URL cannot contain a user name or password; keep the key in secret storage or in .env',
	],
	[
		'address of a client that says what is added to it',
		'{ "clients": { "c": { "provider": "anthropic", "base_url": "https://x.test/v1/" } } }',
		'warning 1:60 clients.c.base_url: ends in "/v1", which is added automatically with "anthropic"; leave it out',
	],
	[
		'key to another machine in the clear',
		'{ "clients": { "c": { "provider": "openai", "base_url": "http://x.test/v1" } } }',
		'warning 1:57 clients.c.base_url: the key and all messages are sent unencrypted; use https',
	],
	[
		'api of another provider',
		'{ "clients": { "c": { "provider": "ollama", "api": "chat" } } }',
		'warning 1:45 clients.c.api: has an effect only with "provider": "openai"',
	],
	[
		'provider in the place of a client',
		'{ "clients": { "c": "ollama" } }',
		'error 1:21 clients.c: expected an object, not a string',
	],
	[
		'model that names no client',
		'{ "clients": { "c": { "provider": "openai" } }, "models": { "m": { "model": "x" } } }',
		'error 1:61 models.m: "client" is missing',
	],
	[
		'model without its client',
		'{ "clients": { "router": { "provider": "openai" } },\n"models": { "m": { "client": "ruoter", "model": "x" } } }',
		'error 2:30 models.m.client: there is no client "ruoter"; did you mean "router"?',
	],
	[
		'template outside its folder',
		'{ "clients": { "c": { "provider": "openai" } },\n"models": { "m": { "client": "c", "model": "x", "template": "../x" } } }',
		'error 2:61 models.m.template: expected the name of a file in prompt-templates, without a folder',
	],
	[
		'model without a client of any name',
		'{ "models": { "m": { "client": "", "model": "x" } } }',
		'error 1:32 models.m.client: there is no client ""',
	],
	[
		'model of a faulty client',
		'{ "clients": { "c": { "provider": "x" } },\n"models": { "m": { "client": "c", "model": "x" } } }',
		'error 1:35 clients.c.provider: unknown value "x", expected "openai", "anthropic" or "ollama"',
		'error 2:30 models.m.client: the client "c" has an error; this model is off until it is fixed',
	],
	[
		'model without a name',
		'{ "clients": { "c": { "provider": "openai" } },\n"models": { "m": { "client": "c", "model": "" } } }',
		'error 2:44 models.m.model: must not be empty',
	],
	[
		'template in a folder',
		'{ "clients": { "c": { "provider": "openai" } },\n"models": { "m": { "client": "c", "model": "x", "template": "/etc/passwd" } } }',
		'error 2:61 models.m.template: expected the name of a file in prompt-templates, without a folder',
	],
	[
		'context of a model out of range',
		'{ "clients": { "c": { "provider": "openai" } },\n"models": { "m": { "client": "c", "model": "x", "context_tokens": 0 } } }',
		'error 2:67 models.m.context_tokens: expected a whole number from 1000 to 10000000',
	],
	[
		'provider of the wrong type',
		'{ "clients": { "c": { "provider": 5 } } }',
		'error 1:35 clients.c.provider: expected "openai", "anthropic" or "ollama", not a number',
	],
];

/** Faults of toolsets. */
export const toolsetFaults: readonly Fault[] = [
	[
		'toolset with an unknown server',
		'{ "servers": { "files": { "command": "x" } },\n"tool_sets": { "t": { "servers": { "file": true } } } }',
		'warning 2:36 tool_sets.t.servers.file: there is no server with this name; did you mean "files"?',
	],
	[
		'toolset with a mistyped exclusion',
		'{ "servers": { "w": { "command": "x" } },\n"tool_sets": { "t": { "servers": { "w": { "exclude": [1] } } } } }',
		'error 2:55 tool_sets.t.servers.w.exclude[0]: expected a string, not a number; put it in quotes',
	],
	[
		'toolset with one tool for a server',
		'{ "servers": { "w": { "command": "x" } },\n"tool_sets": { "t": { "servers": { "w": "read" } } } }',
		'error 2:41 tool_sets.t.servers.w: expected true, {"exclude": […]} or a list of tool names',
	],
	['toolset without servers', '{ "tool_sets": { "t": {} } }', 'error 1:18 tool_sets.t: "servers" is missing'],
];
