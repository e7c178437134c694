import { type Fault, server } from './fault.ts';

/** Faults of how a server is started. */
export const launchFaults: readonly Fault[] = [
	[
		'command line in the place of a server',
		'{ "servers": { "w": "npx -y thing" } }',
		'error 1:21 servers.w: expected an object, not a string',
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
		'command a list',
		server('"command": ["npx", "-y", "thing"]'),
		'error 3:12 servers.w.command: expected a string, not a list',
	],
	[
		'command an object',
		server('"command": { "run": "x" }'),
		'error 3:1 servers.w.command: expected a string, not an object',
	],
	[
		'command with a path and options',
		server('"command": "/usr/bin/node --inspect server.js"'),
		'warning 3:12 servers.w.command: this is run as one program name, never by a shell; move what follows it into "args"',
	],
	[
		'command of a shell',
		server('"command": "./start && ./serve"'),
		'warning 3:12 servers.w.command: this is run as one program name, never by a shell; move what follows it into "args"',
	],
	[
		'command that a variable breaks',
		server(`"command": "\${env:BROKEN}"`),
		'error 3:12 servers.w.command: a command can hold no line breaks or other control characters',
	],
	[
		'command that a variable empties',
		server(`"command": "\${env:EMPTY}"`),
		'error 3:12 servers.w.command: must not be empty; name the program to run',
	],
	[
		'argument with a NUL',
		server('"command": "x"', '"args": ["a\\u0000b"]'),
		'error 4:10 servers.w.args[0]: can hold no NUL character',
	],
	[
		'folder with a NUL',
		server('"command": "x"', '"cwd": "a\\u0000b"'),
		'error 4:8 servers.w.cwd: can hold no NUL character',
	],
	[
		'folder of the wrong type',
		server('"command": "x"', '"cwd": ["a"]'),
		'error 4:8 servers.w.cwd: expected a string, not a list',
	],
];
