import { type Fault, server } from '../fixtures.ts';

/** Faults of how a server is started. */
export const launchFaults: readonly Fault[] = [
	[
		'command line in the place of a server',
		'{ "servers": { "w": "npx -y thing" } }',
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
		'error 2:1 servers.w: has both "command" and "url"; remove one',
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
		'error 3:12 servers.w.command: a command cannot contain line breaks or other control characters',
	],
	[
		'command with arguments',
		server('"command": "npx -y thing"'),
		'warning 3:12 servers.w.command: this runs as one program name, without a shell; move its arguments into "args"',
	],
	[
		'oauth of the wrong type',
		server('"url": "https://x.test/mcp"', '"oauth": true'),
		'error 4:10 servers.w.oauth: expected an object, not true',
	],
	[
		'a secret of a client that is not named',
		server('"url": "https://x.test/mcp"', `"oauth": { "client_secret": "\${workspaceFolderBasename}" }`),
		'warning 4:12 servers.w.oauth.client_secret: has no effect without "client_id"',
	],
	[
		'a literal secret of a client',
		server(
			'"url": "https://x.test/mcp"',
			'"oauth": { "client_id": "a", "client_secret": "9f8e7d6c5b4a39281706f5e4" }',
		),
		`warning 4:47 servers.w.oauth.client_secret: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'rights in one text',
		server('"url": "https://x.test/mcp"', '"oauth": { "scopes": "read" }'),
		'error 4:22 servers.w.oauth.scopes: expected a list, not a string',
	],
	[
		'a right with spaces',
		server('"url": "https://x.test/mcp"', '"oauth": { "scopes": ["read write"] }'),
		'error 4:23 servers.w.oauth.scopes[0]: expected one scope, without spaces',
	],
	[
		'a port that is none',
		server('"url": "https://x.test/mcp"', '"oauth": { "redirect_port": 80000 }'),
		'error 4:29 servers.w.oauth.redirect_port: expected a whole number from 1 to 65535',
	],
	[
		'a document at plain http',
		server('"url": "https://x.test/mcp"', '"oauth": { "client_metadata_url": "http://x.test/client.json" }'),
		'error 4:35 servers.w.oauth.client_metadata_url: expected the https URL of a document',
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
		'keys of the other kind',
		server('"url": "https://x.test"', '"args": []'),
		'warning 4:1 servers.w.args: has no effect together with "url"',
	],
	[
		'type of the other kind',
		server('"command": "x"', '"type": "http"'),
		'warning 4:9 servers.w.type: contradicts "command", which takes precedence',
	],
	[
		'command a list',
		server('"command": ["npx", "-y", "thing"]'),
		'error 3:12 servers.w.command: expected a string, not a list',
	],
	[
		'command with a path and options',
		server('"command": "/usr/bin/node --inspect server.js"'),
		'warning 3:12 servers.w.command: this runs as one program name, without a shell; move its arguments into "args"',
	],
	[
		'command of a shell',
		server('"command": "./start && ./serve"'),
		'warning 3:12 servers.w.command: this runs as one program name, without a shell; move its arguments into "args"',
	],
	[
		'command that a variable breaks',
		server(`"command": "\${env:BROKEN}"`),
		'error 3:12 servers.w.command: a command cannot contain line breaks or other control characters',
	],
	[
		'command that a variable empties',
		server(`"command": "\${env:EMPTY}"`),
		'error 3:12 servers.w.command: must not be empty; name the program to run',
	],
	[
		'argument with a NUL',
		server('"command": "x"', '"args": ["a\\u0000b"]'),
		'error 4:10 servers.w.args[0]: cannot contain a NUL character',
	],
	[
		'folder with a NUL',
		server('"command": "x"', '"cwd": "a\\u0000b"'),
		'error 4:8 servers.w.cwd: cannot contain a NUL character',
	],
];

/** Faults of addresses and of their headers. */
export const addressFaults: readonly Fault[] = [
	[
		'no address',
		server('"url": "weather"'),
		'error 3:8 servers.w.url: expected a URL such as "https://example.com/mcp"',
	],
	[
		'javascript address',
		server('"url": "javascript:alert(1)"'),
		'error 3:8 servers.w.url: expected a URL that starts with http:// or https://, not javascript:',
	],
	[
		'file address',
		server('"url": "file:///etc/passwd"'),
		'error 3:8 servers.w.url: expected a URL that starts with http:// or https://, not file:',
	],
	[
		'credentials in an address',
		server('"url": "https://me:pw@x.test"'),
		'error 3:8 servers.w.url: a URL cannot contain a user name or password; send them in "headers"',
	],
	[
		'line break in an address',
		server('"url": "https://x.test/\\na"'),
		'error 3:8 servers.w.url: a URL cannot contain line breaks or other control characters',
	],
	[
		'line break in a header',
		server('"url": "https://x.test"', `"headers": { "X": "\${env:BROKEN}" }`),
		'error 4:19 servers.w.headers.X: a header cannot contain line breaks, control characters or characters beyond Latin-1',
	],
	[
		'impossible header',
		server('"url": "https://x.test"', '"headers": { "X Y": "a" }'),
		'error 4:14 servers.w.headers["X Y"]: this is not a valid HTTP header name',
	],
	[
		'headers in the clear',
		server('"url": "http://x.test"', '"headers": { "X": "a" }'),
		'warning 3:8 servers.w.url: the headers are sent unencrypted; use https',
	],
	[
		'unknown transport',
		server('"url": "https://x.test"', '"transport": "htpp"'),
		'error 4:14 servers.w.transport: unknown value "htpp", expected "streamable-http", "http" or "sse"; did you mean "http"?',
	],
	[
		'user without a password in an address',
		server('"url": "https://me@x.test"'),
		'error 3:8 servers.w.url: a URL cannot contain a user name or password; send them in "headers"',
	],
	[
		'key in an address',
		server('"url": "https://x.test/mcp?api_key=a1b2c3d4e5f6"'),
		`warning 3:8 servers.w.url: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'header beyond Latin-1',
		server('"url": "https://x.test"', '"headers": { "X": "🙂" }'),
		'error 4:19 servers.w.headers.X: a header cannot contain line breaks, control characters or characters beyond Latin-1',
	],
	[
		'headers in the clear to an address of the network',
		server('"url": "http://192.168.1.2:8000"', '"headers": { "X": "a" }'),
		'warning 3:8 servers.w.url: the headers are sent unencrypted; use https',
	],
	[
		'transport of the wrong type',
		server('"url": "https://x.test"', '"transport": true'),
		'error 4:14 servers.w.transport: expected "streamable-http", "http" or "sse", not true',
	],
];

/** Faults of environment variables, and secrets written in the file. */
export const variableFaults: readonly Fault[] = [
	[
		'variable of the wrong type',
		server('"command": "x"', '"env": { "DEBUG": true }'),
		'error 4:19 servers.w.env.DEBUG: expected a string, not true; put it in quotes',
	],
	[
		'variable with an impossible name',
		server('"command": "x"', '"env": { "A=B": "c" }'),
		'error 4:10 servers.w.env["A=B"]: an environment variable name cannot contain "=" or NUL',
	],
	[
		'variable that hijacks',
		server('"command": "x"', '"env": { "NODE_OPTIONS": "-r x" }'),
		'warning 4:10 servers.w.env.NODE_OPTIONS: this variable decides what code the process runs; make sure that this is intended',
	],
	[
		'unset variable',
		server('"command": "x"', `"env": { "K": "\${env:NOPE}" }`),
		'error 4:15 servers.w.env.K: the environment variable "NOPE" is not set; set it, or write it into .env',
	],
	[
		'unknown variable',
		server('"command": "x"', `"args": ["\${workspaceRoot}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${workspaceRoot}", passed on unchanged`,
	],
	[
		'variable of a shell',
		server('"command": "x"', `"args": ["\${API_KEY}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${API_KEY}", passed on unchanged; did you mean "\${env:API_KEY}"?`,
	],
	[
		'literal key',
		server('"command": "x"', `"env": { "K": "sk-${'a1'.repeat(16)}" }`),
		`warning 4:15 servers.w.env.K: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'literal key in a header',
		server('"url": "https://x.test"', `"headers": { "Authorization": "Bearer ghp_${'a1'.repeat(18)}" }`),
		`warning 4:31 servers.w.headers.Authorization: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'variable with a slip of the pen',
		server('"command": "x"', `"args": ["\${workspaceFolde}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${workspaceFolde}", passed on unchanged; did you mean "\${workspaceFolder}"?`,
	],
	[
		'pattern of variables to inherit',
		server('"command": "x"', '"inherit_env": ["AWS_*"]'),
		'error 4:17 servers.w.inherit_env[0]: name each variable, or write true for all of them; patterns are not supported',
	],
	[
		'variables to inherit of a remote server',
		server('"url": "https://x.test"', '"inherit_env": true'),
		'warning 4:1 servers.w.inherit_env: has no effect together with "url"',
	],
	[
		'variable without a name',
		server('"command": "x"', '"env": { "": "a" }'),
		'error 4:10 servers.w.env[""]: an environment variable name must not be empty',
	],
	[
		'variable that hijacks, in small letters',
		server('"command": "x"', '"env": { "ld_preload": "x.so" }'),
		'warning 4:10 servers.w.env.ld_preload: this variable decides what code the process runs; make sure that this is intended',
	],
	[
		'unset variable in an address',
		server(`"url": "https://\${env:NOPE}/mcp"`),
		'error 3:8 servers.w.url: the environment variable "NOPE" is not set; set it, or write it into .env',
	],
	[
		'literal key behind an option',
		server('"command": "x"', '"args": ["--token", "abcdef123456"]'),
		`warning 4:21 servers.w.args[1]: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
];

/** Names that a server cannot or should not have. */
export const nameFaults: readonly Fault[] = [
	[
		'name of dots',
		'{ "servers": { "..": { "command": "x" } } }',
		'error 1:16 servers[".."]: no server can have this name; choose another',
	],
	[
		'name with a slash',
		'{ "servers": { "a/b": { "command": "x" } } }',
		'error 1:16 servers["a/b"]: a server name cannot contain slashes',
	],
	[
		'name with a control character',
		'{ "servers": { "a\\u0007": { "command": "x" } } }',
		'error 1:16 servers["a\\u0007"]: a server name cannot contain control or invisible characters',
	],
	[
		'name empty',
		'{ "servers": { "": { "command": "x" } } }',
		'error 1:16 servers[""]: a server name must not be empty',
	],
	[
		'name too long',
		`{ "servers": { "${'a'.repeat(300)}": { "command": "x" } } }`,
		`error 1:16 servers["${'a'.repeat(64)}…"]: a server name has at most 64 characters, this one has 300`,
	],
	[
		'name of a synthetic tool',
		'{ "servers": { "search_tools": { "command": "x" } } }',
		'error 1:16 servers.search_tools: this is the name of one of the extension’s own tools; choose another',
	],
	[
		'names that become one',
		'{ "servers": { "a b": { "command": "x" }, "a_b": { "command": "x" } } }',
		'warning 1:43 servers.a_b: a model can barely tell this from "a b"',
	],
	[
		'name of one dot',
		'{ "servers": { ".": { "command": "x" } } }',
		'error 1:16 servers["."]: no server can have this name; choose another',
	],
	[
		'name with a backslash',
		'{ "servers": { "a\\\\b": { "command": "x" } } }',
		'error 1:16 servers["a\\\\b"]: a server name cannot contain slashes',
	],
	[
		'name with what nobody sees',
		'{ "servers": { "a\\u200Bb": { "command": "x" } } }',
		'error 1:16 servers["a\\u{200B}b"]: a server name cannot contain control or invisible characters',
	],
	[
		'name with a sign without ink',
		'{ "servers": { "a\\u2800": { "command": "x" } } }',
		`error 1:16 servers["a\\u{2800}"]: a server name cannot contain control or invisible characters`,
	],
	[
		'name with a selector of another look',
		'{ "servers": { "a\\uFE00": { "command": "x" } } }',
		`error 1:16 servers["a\\u{FE00}"]: a server name cannot contain control or invisible characters`,
	],
	[
		'name with tag characters',
		'{ "servers": { "a\u{E0041}": { "command": "x" } } }',
		'error 1:16 servers["a\\u{E0041}"]: a server name cannot contain control or invisible characters',
	],
	[
		'name that turns the text around',
		'{ "servers": { "a\\u202Eb": { "command": "x" } } }',
		'error 1:16 servers["a\\u{202E}b"]: a server name cannot contain control or invisible characters',
	],
	[
		'name of a prototype',
		'{ "servers": { "__proto__": { "command": "x" } } }',
		'error 1:16 servers.__proto__: no server can have this name; choose another',
	],
	[
		'names that differ in case',
		'{ "servers": { "Files": { "command": "x" }, "files": { "command": "x" } } }',
		'warning 1:45 servers.files: a model can barely tell this from "Files"',
	],
	[
		'names that are composed otherwise',
		'{ "servers": { "caf\u00E9": { "command": "x" }, "cafe\u0301": { "command": "x" } } }',
		'warning 1:44 servers["café"]: a model can barely tell this from "café"',
	],
];
