import { type Fault, remote, server, stdio } from '../fixtures.ts';

const keyText = `this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`;
const oneProgramText = 'this runs as one program name, without a shell; move its arguments into "args"';

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
		stdio('"url": "http://localhost"'),
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
		`warning 3:12 servers.w.command: ${oneProgramText}`,
	],
	[
		'oauth of the wrong type',
		remote('"oauth": true'),
		'error 4:10 servers.w.oauth: expected an object, not true',
	],
	[
		'a secret of a client that is not named',
		remote(`"oauth": { "client_secret": "\${workspaceFolderBasename}" }`),
		'warning 4:12 servers.w.oauth.client_secret: has no effect without "client_id"',
	],
	[
		'a literal secret of a client',
		remote('"oauth": { "client_id": "a", "client_secret": "9f8e7d6c5b4a39281706f5e4" }'),
		`warning 4:47 servers.w.oauth.client_secret: ${keyText}`,
	],
	[
		'rights in one text',
		remote('"oauth": { "scopes": "read" }'),
		'error 4:22 servers.w.oauth.scopes: expected a list, not a string',
	],
	[
		'a right with spaces',
		remote('"oauth": { "scopes": ["read write"] }'),
		'error 4:23 servers.w.oauth.scopes[0]: expected one scope, without spaces',
	],
	[
		'a port that is none',
		remote('"oauth": { "redirect_port": 80000 }'),
		'error 4:29 servers.w.oauth.redirect_port: expected a whole number from 1 to 65535',
	],
	[
		'a document at plain http',
		remote('"oauth": { "client_metadata_url": "http://x.test/client.json" }'),
		'error 4:35 servers.w.oauth.client_metadata_url: expected the https URL of a document',
	],
	['args a string', stdio('"args": "-y"'), 'error 4:9 servers.w.args: expected a list, not a string'],
	[
		'argument of the wrong type',
		stdio('"args": ["-p", 8080]'),
		'error 4:16 servers.w.args[1]: expected a string, not a number; put it in quotes',
	],
	[
		'keys of the other kind',
		remote('"args": []'),
		'warning 4:1 servers.w.args: has no effect together with "url"',
	],
	[
		'type of the other kind',
		stdio('"type": "http"'),
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
		`warning 3:12 servers.w.command: ${oneProgramText}`,
	],
	[
		'command of a shell',
		server('"command": "./start && ./serve"'),
		`warning 3:12 servers.w.command: ${oneProgramText}`,
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
		stdio('"args": ["a\\u0000b"]'),
		'error 4:10 servers.w.args[0]: cannot contain a NUL character',
	],
	[
		'folder with a NUL',
		stdio('"cwd": "a\\u0000b"'),
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
		remote(`"headers": { "X": "\${env:BROKEN}" }`),
		'error 4:19 servers.w.headers.X: a header cannot contain line breaks, control characters or characters beyond Latin-1',
	],
	[
		'impossible header',
		remote('"headers": { "X Y": "a" }'),
		'error 4:14 servers.w.headers["X Y"]: this is not a valid HTTP header name',
	],
	[
		'headers in the clear',
		server('"url": "http://x.test"', '"headers": { "X": "a" }'),
		'warning 3:8 servers.w.url: the headers are sent unencrypted; use https',
	],
	[
		'unknown transport',
		remote('"transport": "htpp"'),
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
		`warning 3:8 servers.w.url: ${keyText}`,
	],
	[
		'header beyond Latin-1',
		remote('"headers": { "X": "🙂" }'),
		'error 4:19 servers.w.headers.X: a header cannot contain line breaks, control characters or characters beyond Latin-1',
	],
	[
		'headers in the clear to an address of the network',
		server('"url": "http://192.168.1.2:8000"', '"headers": { "X": "a" }'),
		'warning 3:8 servers.w.url: the headers are sent unencrypted; use https',
	],
	[
		'transport of the wrong type',
		remote('"transport": true'),
		'error 4:14 servers.w.transport: expected "streamable-http", "http" or "sse", not true',
	],
];

/** Faults of environment variables, and secrets written in the file. */
export const variableFaults: readonly Fault[] = [
	[
		'variable of the wrong type',
		stdio('"env": { "DEBUG": true }'),
		'error 4:19 servers.w.env.DEBUG: expected a string, not true; put it in quotes',
	],
	[
		'variable with an impossible name',
		stdio('"env": { "A=B": "c" }'),
		'error 4:10 servers.w.env["A=B"]: an environment variable name cannot contain "=" or NUL',
	],
	[
		'variable that hijacks',
		stdio('"env": { "NODE_OPTIONS": "-r x" }'),
		'warning 4:10 servers.w.env.NODE_OPTIONS: this variable decides what code the process runs; make sure that this is intended',
	],
	[
		'unset variable',
		stdio(`"env": { "K": "\${env:NOPE}" }`),
		'error 4:15 servers.w.env.K: the environment variable "NOPE" is not set; set it, or write it into .env',
	],
	[
		'unknown variable',
		stdio(`"args": ["\${workspaceRoot}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${workspaceRoot}", passed on unchanged`,
	],
	[
		'variable of a shell',
		stdio(`"args": ["\${API_KEY}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${API_KEY}", passed on unchanged; did you mean "\${env:API_KEY}"?`,
	],
	[
		'literal key',
		stdio(`"env": { "K": "sk-${'a1'.repeat(16)}" }`),
		`warning 4:15 servers.w.env.K: ${keyText}`,
	],
	[
		'literal key in a header',
		remote(`"headers": { "Authorization": "Bearer ghp_${'a1'.repeat(18)}" }`),
		`warning 4:31 servers.w.headers.Authorization: ${keyText}`,
	],
	[
		'variable with a typo',
		stdio(`"args": ["\${workspaceFolde}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${workspaceFolde}", passed on unchanged; did you mean "\${workspaceFolder}"?`,
	],
	[
		'pattern of variables to inherit',
		stdio('"inherit_env": ["AWS_*"]'),
		'error 4:17 servers.w.inherit_env[0]: name each variable, or write true for all of them; patterns are not supported',
	],
	[
		'variables to inherit of a remote server',
		remote('"inherit_env": true'),
		'warning 4:1 servers.w.inherit_env: has no effect together with "url"',
	],
	[
		'variable without a name',
		stdio('"env": { "": "a" }'),
		'error 4:10 servers.w.env[""]: an environment variable name must not be empty',
	],
	[
		'variable that hijacks, in small letters',
		stdio('"env": { "ld_preload": "x.so" }'),
		'warning 4:10 servers.w.env.ld_preload: this variable decides what code the process runs; make sure that this is intended',
	],
	[
		'unset variable in an address',
		server(`"url": "https://\${env:NOPE}/mcp"`),
		'error 3:8 servers.w.url: the environment variable "NOPE" is not set; set it, or write it into .env',
	],
	[
		'literal key behind an option',
		stdio('"args": ["--token", "abcdef123456"]'),
		`warning 4:21 servers.w.args[1]: ${keyText}`,
	],
];

/** A server with this name, as it is written and as the message shows its place. */
const named = (fault: string, name: string, place: string, message: string): Fault => [
	fault,
	`{ "servers": { "${name}": { "command": "x" } } }`,
	`error 1:16 servers${place}: ${message}`,
];
const invisible = 'the name cannot contain control or invisible characters';

/** Names that a server cannot or should not have. */
export const nameFaults: readonly Fault[] = [
	named('name of dots', '..', '[".."]', 'choose another name'),
	named('name of one dot', '.', '["."]', 'choose another name'),
	named('name of a prototype', '__proto__', '.__proto__', 'choose another name'),
	named('name with a slash', 'a/b', '["a/b"]', 'the name cannot contain slashes'),
	named('name with a backslash', 'a\\\\b', '["a\\\\b"]', 'the name cannot contain slashes'),
	named('name empty', '', '[""]', 'the name must not be empty'),
	named(
		'name too long',
		'a'.repeat(300),
		`["${'a'.repeat(64)}…"]`,
		'the name has at most 64 characters, this one has 300',
	),
	named(
		'name of a synthetic tool',
		'search_tools',
		'.search_tools',
		'this is the name of one of the extension’s own tools; choose another',
	),
	named('name with a control character', 'a\\u0007', '["a\\u0007"]', invisible),
	named('name with what nobody sees', 'a\\u200Bb', '["a\\u{200B}b"]', invisible),
	named('name with a sign without ink', 'a\\u2800', '["a\\u{2800}"]', invisible),
	named('name with a selector of another look', 'a\\uFE00', '["a\\u{FE00}"]', invisible),
	named('name with tag characters', 'a\u{E0041}', '["a\\u{E0041}"]', invisible),
	named('name that turns the text around', 'a\\u202Eb', '["a\\u{202E}b"]', invisible),
	[
		'names that become one',
		'{ "servers": { "a b": { "command": "x" }, "a_b": { "command": "x" } } }',
		'warning 1:43 servers.a_b: a model can barely tell this from "a b"',
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
