/** A server `w` with these keys, each on a line of its own: the first on line 3. */
export function server(...keys: string[]): string {
	return `{ "servers": {\n"w": {\n${keys.join(',\n')}\n} } }`;
}

/** A file with one fault each, and what is told of it: `error line:column message`. */
export const faults: [fault: string, text: string, ...problems: string[]][] = [
	['not UTF-8', '{ // caf\uFFFD\n}', 'warning 1:9 This character is not UTF-8; save the file as UTF-8 text.'],
	[
		'same key twice',
		'{ "servers": {},\n"servers": {} }',
		'warning 2:1 servers: this name stands twice; the first one counts, this one is ignored',
	],
	[
		'unknown key',
		server('"command": "x"', '"defer_laoding": true'),
		'warning 4:1 servers.w.defer_laoding: unknown key, ignored; did you mean "defer_loading"?',
	],
	[
		'unknown key in another style',
		server('"command": "x"', '"deferLoading": true'),
		'warning 4:1 servers.w.deferLoading: unknown key, ignored; did you mean "defer_loading"?',
	],
	[
		'unknown key at the top',
		'{ "server": {} }',
		'warning 1:3 server: unknown key, ignored; did you mean "servers"?',
	],
	['unknown key like nothing else', '{ "zzz": {} }', 'warning 1:3 zzz: unknown key, ignored'],
	[
		'constructor as a key',
		'{ "constructor": {}, "__proto__": { "lazy_mcp": true } }',
		'warning 1:3 constructor: unknown key, ignored',
		'warning 1:22 __proto__: unknown key, ignored',
	],
	['section of the wrong type', '{ "servers": [] }', 'error 1:14 servers: expected an object, not a list'],
	[
		'section of the wrong type, with entries',
		'{ "servers": [{ "command": "x" }] }',
		'error 1:14 servers: expected an object, not a list',
	],
	[
		'address in the place of a server',
		'{ "servers": { "w": "https://x.test/mcp" } }',
		'error 1:21 servers.w: expected an object, not a string',
	],
	[
		'command line in the place of a server',
		'{ "servers": { "w": "npx -y thing" } }',
		'error 1:21 servers.w: expected an object, not a string',
	],
	[
		'server in two sections',
		'{ "servers": { "w": { "command": "x" } },\n"mcpServers": { "w": { "command": "y" } } }',
		'warning 2:17 mcpServers.w: also stands in servers, which wins; this entry is ignored',
	],
	[
		'server of the wrong type',
		'{ "servers": { "w": "x" } }',
		'error 1:21 servers.w: expected an object, not a string',
	],
	[
		'neither command nor url',
		'{ "servers": { "w": {} } }',
		'error 1:16 servers.w: needs "command" to start a process, or "url" of a remote server',
	],
	[
		'both command and url',
		server('"command": "x"', '"url": "http://localhost"'),
		'error 2:1 servers.w: has both "command" and "url"; keep the one that is meant',
	],
	[
		'command not a string',
		server('"command": 5'),
		'error 3:12 servers.w.command: expected a string, not a number; put it in quotes',
	],
	['command null', server('"command": null'), 'error 3:12 servers.w.command: expected a string, not null'],
	[
		'command empty',
		server('"command": " "'),
		'error 3:12 servers.w.command: must not be empty; name the program to run',
	],
	[
		'command with a newline',
		server('"command": "a\\nb"'),
		'error 3:12 servers.w.command: a command can hold no line breaks or other control characters',
	],
	[
		'command with arguments',
		server('"command": "npx -y thing"'),
		'warning 3:12 servers.w.command: this is run as one program name, never by a shell; move what follows it into "args"',
	],
	[
		'command with arguments beside others',
		server('"command": "docker run \\"a b\\""', '"args": ["-i"]'),
		'warning 3:12 servers.w.command: this is run as one program name, never by a shell; move what follows it into "args"',
	],
	[
		'both command and url, with what belongs to them',
		server('"command": "x"', '"args": ["y"]', '"url": "http://localhost"', '"headers": {}'),
		'error 2:1 servers.w: has both "command" and "url"; keep the one that is meant',
	],
	[
		'args a string',
		server('"command": "x"', '"args": "-y"'),
		'error 4:9 servers.w.args: expected a list, not a string',
	],
	[
		'argument of the wrong type',
		server('"command": "x"', '"args": ["-p", 8080]'),
		'error 4:16 servers.w.args[1]: expected a string, not a number; put it in quotes',
	],
	[
		'variable of the wrong type',
		server('"command": "x"', '"env": { "DEBUG": true }'),
		'error 4:19 servers.w.env.DEBUG: expected a string, not true; put it in quotes',
	],
	[
		'variable with an impossible name',
		server('"command": "x"', '"env": { "A=B": "c" }'),
		'error 4:10 servers.w.env["A=B"]: the name of an environment variable can hold no "=" and no NUL',
	],
	[
		'variable that hijacks',
		server('"command": "x"', '"env": { "NODE_OPTIONS": "-r x" }'),
		'warning 4:10 servers.w.env.NODE_OPTIONS: this variable decides what code the process runs; be sure that you want it',
	],
	[
		'unset variable',
		server('"command": "x"', `"env": { "K": "\${env:NOPE}" }`),
		'error 4:15 servers.w.env.K: the environment variable "NOPE" is not set; set it, or write it into .env',
	],
	[
		'unknown variable',
		server('"command": "x"', `"args": ["\${workspaceRoot}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${workspaceRoot}", passed on as it stands`,
	],
	[
		'variable of a shell',
		server('"command": "x"', `"args": ["\${API_KEY}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${API_KEY}", passed on as it stands; did you mean "\${env:API_KEY}"?`,
	],
	[
		'literal key',
		server('"command": "x"', `"env": { "K": "sk-${'a1'.repeat(16)}" }`),
		`warning 4:15 servers.w.env.K: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'literal key in an argument',
		server('"command": "x"', `"args": ["--api-key=sk-${'a1'.repeat(16)}"]`),
		`warning 4:10 servers.w.args[0]: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'literal key in a header',
		server('"url": "https://x.test"', `"headers": { "Authorization": "Bearer ghp_${'a1'.repeat(18)}" }`),
		`warning 4:31 servers.w.headers.Authorization: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'literal key of a client',
		`{ "clients": { "c": { "provider": "openai",\n"api_key": "sk-${'a1'.repeat(16)}" } } }`,
		'warning 2:1 clients.c.api_key: unknown key, ignored',
		'warning 2:12 clients.c.api_key: this looks like a key, which does not belong in this file; run "Discovery: Set API Key…", or write OPENAI_API_KEY or ANTHROPIC_API_KEY into .env',
	],
	[
		'variable with a slip of the pen',
		server('"command": "x"', `"args": ["\${workspaceFolde}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${workspaceFolde}", passed on as it stands; did you mean "\${workspaceFolder}"?`,
	],
	[
		'no address',
		server('"url": "weather"'),
		'error 3:8 servers.w.url: expected an address such as "https://example.com/mcp"',
	],
	[
		'javascript address',
		server('"url": "javascript:alert(1)"'),
		'error 3:8 servers.w.url: expected an address that starts with http:// or https://, not javascript:',
	],
	[
		'file address',
		server('"url": "file:///etc/passwd"'),
		'error 3:8 servers.w.url: expected an address that starts with http:// or https://, not file:',
	],
	[
		'data address',
		server('"url": "data:,x"'),
		'error 3:8 servers.w.url: expected an address that starts with http:// or https://, not data:',
	],
	[
		'credentials in an address',
		server('"url": "https://me:pw@x.test"'),
		'error 3:8 servers.w.url: an address can hold no user name or password; send them in "headers"',
	],
	[
		'line break in an address',
		server('"url": "https://x.test/\\na"'),
		'error 3:8 servers.w.url: an address can hold no line breaks or other control characters',
	],
	[
		'line break in a header',
		server('"url": "https://x.test"', `"headers": { "X": "\${env:BROKEN}" }`),
		'error 4:19 servers.w.headers.X: a header can hold no line breaks, control characters or characters beyond Latin-1',
	],
	[
		'impossible header',
		server('"url": "https://x.test"', '"headers": { "X Y": "a" }'),
		'error 4:14 servers.w.headers["X Y"]: this is not a name that an HTTP header can have',
	],
	[
		'headers in the clear',
		server('"url": "http://x.test"', '"headers": { "X": "a" }'),
		'warning 3:8 servers.w.url: the headers cross the network unencrypted; use https',
	],
	[
		'unknown transport',
		server('"url": "https://x.test"', '"transport": "htpp"'),
		'error 4:14 servers.w.transport: unknown value "htpp", expected "streamable-http", "http" or "sse"; did you mean "http"?',
	],
	[
		'keys of the other kind',
		server('"url": "https://x.test"', '"args": []'),
		'warning 4:1 servers.w.args: has no effect beside "url"',
	],
	[
		'type of the other kind',
		server('"command": "x"', '"type": "http"'),
		'warning 4:9 servers.w.type: does not fit "command", which decides',
	],
	[
		'"true" for true',
		server('"command": "x"', '"defer_loading": "true"'),
		'error 4:18 servers.w.defer_loading: expected true or false, not a string; remove the quotes',
	],
	[
		'word for true',
		server('"command": "x"', '"defer_loading": "yes"'),
		'error 4:18 servers.w.defer_loading: expected true or false, not a string',
	],
	[
		'nothing where a flag stands',
		server('"command": "x"', '"defer_loading": null'),
		'error 4:18 servers.w.defer_loading: expected true or false, not null',
	],
	[
		'one tool pinned without a list',
		server('"command": "x"', '"pinned": "read"'),
		'error 4:11 servers.w.pinned: expected true, false or a list of tool names',
	],
	[
		'alias that is overruled',
		'{ "lazy_mcp": false, "tool_discovery": { "enabled": true } }',
		'warning 1:15 lazy_mcp: has no effect beside tool_discovery.enabled, which wins',
	],
	[
		'pinned of the wrong type',
		server('"command": "x"', '"pinned": 1'),
		'error 4:11 servers.w.pinned: expected true, false or a list of tool names',
	],
	[
		'pinned with a number',
		server('"command": "x"', '"pinned": ["a", 1]'),
		'error 4:17 servers.w.pinned[1]: expected a string, not a number; put it in quotes',
	],
	[
		'name of dots',
		'{ "servers": { "..": { "command": "x" } } }',
		'error 1:16 servers[".."]: no server can have this name; choose another',
	],
	[
		'name with a slash',
		'{ "servers": { "a/b": { "command": "x" } } }',
		'error 1:16 servers["a/b"]: the name of a server can hold no slashes',
	],
	[
		'name with a control character',
		'{ "servers": { "a\\u0007": { "command": "x" } } }',
		'error 1:16 servers["a\\u0007"]: the name of a server can hold no control characters',
	],
	[
		'name empty',
		'{ "servers": { "": { "command": "x" } } }',
		'error 1:16 servers[""]: the name of a server must not be empty',
	],
	[
		'name too long',
		`{ "servers": { "${'a'.repeat(300)}": { "command": "x" } } }`,
		`error 1:16 servers["${'a'.repeat(64)}…"]: the name of a server has at most 64 characters, this one has 300`,
	],
	[
		'name of a synthetic tool',
		'{ "servers": { "search_tools": { "command": "x" } } }',
		'error 1:16 servers.search_tools: this is the name of one of the extension’s own tools; choose another',
	],
	[
		'names that become one',
		'{ "servers": { "a b": { "command": "x" }, "a_b": { "command": "x" } } }',
		'warning 1:43 servers.a_b: a model can hardly tell this from "a b"',
	],
	[
		'number out of range',
		'{ "tool_discovery": { "max_search_results": 26 } }',
		'error 1:45 tool_discovery.max_search_results: expected a whole number from 1 to 25',
	],
	[
		'number with a fraction',
		'{ "tool_discovery": { "max_active_schemas": 1.5 } }',
		'error 1:45 tool_discovery.max_active_schemas: expected a whole number from 1, or null for no cap',
	],
	[
		'number in quotes',
		'{ "tool_discovery": { "max_manifest_tokens": "2500" } }',
		'error 1:46 tool_discovery.max_manifest_tokens: expected a whole number from 200 to 20000',
	],
	[
		'more tools than are loaded ahead',
		'{ "tool_discovery": { "prefetch": 6 } }',
		'error 1:35 tool_discovery.prefetch: expected a whole number from 0 to 5',
	],
	[
		'call that comes to nothing known',
		'{ "tool_discovery": { "on_undiscovered_call": "load" } }',
		'error 1:47 tool_discovery.on_undiscovered_call: unknown value "load", expected "error" or "activate"',
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
		'error 1:57 clients.c.base_url: expected an address that starts with http:// or https://, not ftp:',
	],
	[
		'credentials in the address of a client',
		'{ "clients": { "c": { "provider": "openai", "base_url": "https://me:pw@x.test/v1" } } }',
		'error 1:57 clients.c.base_url: an address can hold no user name or password; keep the key in secret storage or in .env',
	],
	[
		'address of a client that says what is added to it',
		'{ "clients": { "c": { "provider": "anthropic", "base_url": "https://x.test/v1/" } } }',
		'warning 1:60 clients.c.base_url: ends in "/v1", which is added by itself with "anthropic"; leave it out',
	],
	[
		'key to another machine in the clear',
		'{ "clients": { "c": { "provider": "openai", "base_url": "http://x.test/v1" } } }',
		'warning 1:57 clients.c.base_url: the key and all that is said cross the network unencrypted; use https',
	],
	[
		'api of another provider',
		'{ "clients": { "c": { "provider": "ollama", "api": "chat" } } }',
		'warning 1:45 clients.c.api: has no effect beside any "provider" but "openai"',
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
		'toolset with an unknown server',
		'{ "servers": { "files": { "command": "x" } },\n"tool_sets": { "t": { "servers": { "file": true } } } }',
		'warning 2:36 tool_sets.t.servers.file: there is no server of this name; did you mean "files"?',
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
