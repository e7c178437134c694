import { type Fault, server } from './fault.ts';

/** Faults of the file as a whole that leave it readable, and of its keys. */
export const fileFaults: readonly Fault[] = [
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
		'server in two sections',
		'{ "servers": { "w": { "command": "x" } },\n"mcpServers": { "w": { "command": "y" } } }',
		'warning 2:17 mcpServers.w: also stands in servers, which wins; this entry is ignored',
	],
	[
		'same key twice in an entry',
		server('"command": "x"', '"command": "y"'),
		'warning 4:1 servers.w.command: this name stands twice; the first one counts, this one is ignored',
	],
	[
		'same key twice, one of them escaped',
		'{ "servers": {},\n"server\\u0073": {} }',
		'warning 2:1 servers: this name stands twice; the first one counts, this one is ignored',
	],
	[
		'__proto__ deep inside',
		server('"command": "x"', '"__proto__": { "command": "y" }'),
		'warning 4:1 servers.w.__proto__: unknown key, ignored',
	],
	[
		'__proto__ as a setting of a tool',
		server('"command": "x"', '"tools": { "t": { "__proto__": { "defer_loading": true } } }'),
		'warning 4:19 servers.w.tools.t.__proto__: unknown key, ignored',
	],
	[
		'unknown key that other programs know',
		server('"cmd": "x"'),
		'error 2:1 servers.w: needs "command" to start a process, or "url" of a remote server',
		'warning 3:1 servers.w.cmd: unknown key, ignored; did you mean "command"?',
	],
	[
		'unknown key of a setting',
		'{ "tool_discovery": { "enable": true } }',
		'warning 1:23 tool_discovery.enable: unknown key, ignored; did you mean "enabled"?',
	],
];
