import { type Fault, remote, server, stdio } from '../fixtures.ts';

/** Faults of how a server is started. */
export const launchFaults: readonly Fault[] = [
	['command line in the place of a server', '{ "servers": { "w": "npx -y thing" } }'],
	['neither command nor url', '{ "servers": { "w": {} } }'],
	['both command and url', stdio('"url": "http://localhost"')],
	['command not a string', server('"command": 5')],
	['command null', server('"command": null')],
	['command empty', server('"command": " "')],
	['command with a newline', server('"command": "a\\nb"')],
	['command with arguments', server('"command": "npx -y thing"')],
	['oauth of the wrong type', remote('"oauth": true')],
	[
		'a secret of a client that is not named',
		remote(`"oauth": { "client_secret": "\${workspaceFolderBasename}" }`),
	],
	[
		'a literal secret of a client',
		remote('"oauth": { "client_id": "a", "client_secret": "9f8e7d6c5b4a39281706f5e4" }'),
	],
	['rights in one text', remote('"oauth": { "scopes": "read" }')],
	['a right with spaces', remote('"oauth": { "scopes": ["read write"] }')],
	['a port that is none', remote('"oauth": { "redirect_port": 80000 }')],
	['a document at plain http', remote('"oauth": { "client_metadata_url": "http://x.test/client.json" }')],
	['args a string', stdio('"args": "-y"')],
	['argument of the wrong type', stdio('"args": ["-p", 8080]')],
	['keys of the other kind', remote('"args": []')],
	['type of the other kind', stdio('"type": "http"')],
	['command a list', server('"command": ["npx", "-y", "thing"]')],
	['command with a path and options', server('"command": "/usr/bin/node --inspect server.js"')],
	['command of a shell', server('"command": "./start && ./serve"')],
	['command that a variable breaks', server(`"command": "\${env:BROKEN}"`)],
	['command that a variable empties', server(`"command": "\${env:EMPTY}"`)],
	['argument with a NUL', stdio('"args": ["a\\u0000b"]')],
	['folder with a NUL', stdio('"cwd": "a\\u0000b"')],
];

/** Faults of addresses and of their headers. */
export const addressFaults: readonly Fault[] = [
	['no address', server('"url": "weather"')],
	['javascript address', server('"url": "javascript:alert(1)"')],
	['file address', server('"url": "file:///etc/passwd"')],
	['credentials in an address', server('"url": "https://me:pw@x.test"')],
	['line break in an address', server('"url": "https://x.test/\\na"')],
	['line break in a header', remote(`"headers": { "X": "\${env:BROKEN}" }`)],
	['impossible header', remote('"headers": { "X Y": "a" }')],
	['headers in the clear', server('"url": "http://x.test"', '"headers": { "X": "a" }')],
	['unknown transport', remote('"transport": "htpp"')],
	['user without a password in an address', server('"url": "https://me@x.test"')],
	['key in an address', server('"url": "https://x.test/mcp?api_key=a1b2c3d4e5f6"')],
	['header beyond Latin-1', remote('"headers": { "X": "🙂" }')],
	[
		'headers in the clear to an address of the network',
		server('"url": "http://192.168.1.2:8000"', '"headers": { "X": "a" }'),
	],
	['transport of the wrong type', remote('"transport": true')],
];

/** Faults of environment variables, and secrets written in the file. */
export const variableFaults: readonly Fault[] = [
	['variable of the wrong type', stdio('"env": { "DEBUG": true }')],
	['variable with an impossible name', stdio('"env": { "A=B": "c" }')],
	['variable that hijacks', stdio('"env": { "NODE_OPTIONS": "-r x" }')],
	['unset variable', stdio(`"env": { "K": "\${env:NOPE}" }`)],
	['unknown variable', stdio(`"args": ["\${workspaceRoot}"]`)],
	['variable of a shell', stdio(`"args": ["\${API_KEY}"]`)],
	['input of VS Code', stdio(`"args": ["\${input:api-key}"]`)],
	['variable with a default', stdio(`"args": ["\${env:api_key:-none}"]`)],
	['literal key', stdio(`"env": { "K": "sk-${'a1'.repeat(16)}" }`)],
	['literal key in a header', remote(`"headers": { "Authorization": "Bearer ghp_${'a1'.repeat(18)}" }`)],
	['variable with a typo', stdio(`"args": ["\${workspaceFolde}"]`)],
	['pattern of variables to inherit', stdio('"inherit_env": ["AWS_*"]')],
	['variables to inherit of a remote server', remote('"inherit_env": true')],
	['variable without a name', stdio('"env": { "": "a" }')],
	['variable that hijacks, in small letters', stdio('"env": { "ld_preload": "x.so" }')],
	['unset variable in an address', server(`"url": "https://\${env:NOPE}/mcp"`)],
	['literal key behind an option', stdio('"args": ["--token", "abcdef123456"]')],
];

/** A server with this name, as it is written. */
const named = (name: string) => `{ "servers": { "${name}": { "command": "x" } } }`;

/** Names that a server cannot or should not have. */
export const nameFaults: readonly Fault[] = [
	['name of dots', named('..')],
	['name of one dot', named('.')],
	['name of a prototype', named('__proto__')],
	['name with a slash', named('a/b')],
	['name with a backslash', named('a\\\\b')],
	['name empty', named('')],
	['name too long', named('a'.repeat(300))],
	['name of a synthetic tool', named('search_tools')],
	['name with a control character', named('a\\u0007')],
	['name with what nobody sees', named('a\\u200Bb')],
	['name with a sign without ink', named('a\\u2800')],
	['name with a selector of another look', named('a\\uFE00')],
	['name with tag characters', named('a\u{E0041}')],
	['name that turns the text around', named('a\\u202Eb')],
	['names that become one', '{ "servers": { "a b": { "command": "x" }, "a_b": { "command": "x" } } }'],
	[
		'names that differ in case',
		'{ "servers": { "Files": { "command": "x" }, "files": { "command": "x" } } }',
	],
	[
		'names that are composed otherwise',
		'{ "servers": { "caf\u00E9": { "command": "x" }, "cafe\u0301": { "command": "x" } } }',
	],
];
