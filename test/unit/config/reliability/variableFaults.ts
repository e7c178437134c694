import { type Fault, server } from './fault.ts';

/** Faults of environment variables, and secrets that stand in the file. */
export const variableFaults: readonly Fault[] = [
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
		'variable with a slip of the pen',
		server('"command": "x"', `"args": ["\${workspaceFolde}"]`),
		`warning 4:10 servers.w.args[0]: unknown variable "\${workspaceFolde}", passed on as it stands; did you mean "\${workspaceFolder}"?`,
	],
	[
		'variable null',
		server('"command": "x"', '"env": { "K": null }'),
		'error 4:15 servers.w.env.K: expected a string, not null',
	],
	[
		'variable without a name',
		server('"command": "x"', '"env": { "": "a" }'),
		'error 4:10 servers.w.env[""]: the name of an environment variable must not be empty',
	],
	[
		'variable that finds other programs',
		server('"command": "x"', '"env": { "PATH": "/tmp" }'),
		'warning 4:10 servers.w.env.PATH: this variable decides what code the process runs; be sure that you want it',
	],
	[
		'variable that hijacks, in small letters',
		server('"command": "x"', '"env": { "ld_preload": "x.so" }'),
		'warning 4:10 servers.w.env.ld_preload: this variable decides what code the process runs; be sure that you want it',
	],
	[
		'unset variable in an address',
		server(`"url": "https://\${env:NOPE}/mcp"`),
		'error 3:8 servers.w.url: the environment variable "NOPE" is not set; set it, or write it into .env',
	],
	[
		'literal key without a form',
		server('"command": "x"', '"env": { "SERVICE_PASSWORD": "correct horse" }'),
		`warning 4:30 servers.w.env.SERVICE_PASSWORD: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
	[
		'literal key behind an option',
		server('"command": "x"', '"args": ["--token", "abcdef123456"]'),
		`warning 4:21 servers.w.args[1]: this looks like a key; keep it out of the file and write "\${env:NAME}" instead, with the key in .env`,
	],
];
