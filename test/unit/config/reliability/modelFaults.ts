import type { Fault } from '../fixtures.ts';

/** Faults of clients and models. */
export const modelFaults: readonly Fault[] = [
	[
		'literal key of a client',
		`{ "clients": { "c": { "provider": "openai",\n"api_key": "sk-${'a1'.repeat(16)}" } } }`,
	],
	['unknown provider', '{ "clients": { "c": { "provider": "opnai" } } }'],
	['client without a provider', '{ "clients": { "c": {} } }'],
	['address of a client', '{ "clients": { "c": { "provider": "openai", "base_url": "ftp://x" } } }'],
	[
		'credentials in the address of a client',
		'{ "clients": { "c": { "provider": "openai", "base_url": "https://me:pw@x.test/v1" } } }',
	],
	[
		'address of a client that says what is added to it',
		'{ "clients": { "c": { "provider": "anthropic", "base_url": "https://x.test/v1/" } } }',
	],
	[
		'key to another machine in the clear',
		'{ "clients": { "c": { "provider": "openai", "base_url": "http://x.test/v1" } } }',
	],
	['api of another provider', '{ "clients": { "c": { "provider": "ollama", "api": "chat" } } }'],
	['provider in the place of a client', '{ "clients": { "c": "ollama" } }'],
	[
		'model that names no client',
		'{ "clients": { "c": { "provider": "openai" } }, "models": { "m": { "model": "x" } } }',
	],
	[
		'model without its client',
		'{ "clients": { "router": { "provider": "openai" } },\n"models": { "m": { "client": "ruoter", "model": "x" } } }',
	],
	[
		'template outside its folder',
		'{ "clients": { "c": { "provider": "openai" } },\n"models": { "m": { "client": "c", "model": "x", "template": "../x" } } }',
	],
	['model without a client of any name', '{ "models": { "m": { "client": "", "model": "x" } } }'],
	[
		'model of a faulty client',
		'{ "clients": { "c": { "provider": "x" } },\n"models": { "m": { "client": "c", "model": "x" } } }',
	],
	[
		'model without a name',
		'{ "clients": { "c": { "provider": "openai" } },\n"models": { "m": { "client": "c", "model": "" } } }',
	],
	[
		'template in a folder',
		'{ "clients": { "c": { "provider": "openai" } },\n"models": { "m": { "client": "c", "model": "x", "template": "/etc/passwd" } } }',
	],
	[
		'context of a model out of range',
		'{ "clients": { "c": { "provider": "openai" } },\n"models": { "m": { "client": "c", "model": "x", "context_tokens": 0 } } }',
	],
	['provider of the wrong type', '{ "clients": { "c": { "provider": 5 } } }'],
];

/** Faults of toolsets. */
export const toolsetFaults: readonly Fault[] = [
	[
		'toolset with an unknown server',
		'{ "servers": { "files": { "command": "x" } },\n"tool_sets": { "t": { "servers": { "file": true } } } }',
	],
	[
		'toolset with a mistyped exclusion',
		'{ "servers": { "w": { "command": "x" } },\n"tool_sets": { "t": { "servers": { "w": { "exclude": [1] } } } } }',
	],
	[
		'toolset with one tool for a server',
		'{ "servers": { "w": { "command": "x" } },\n"tool_sets": { "t": { "servers": { "w": "read" } } } }',
	],
	['toolset without servers', '{ "tool_sets": { "t": {} } }'],
];
