import { type Fault, server, stdio } from '../fixtures.ts';

/** Files that cannot be read, with the first problem reported. */
export const unreadableFiles: readonly (readonly [fault: string, text: string, problem: string])[] = [
	['empty', '', 'error 1:1 The file is empty; it needs at least {}.'],
	['comments only', '// nothing\n', 'error 1:1 The file is empty; it needs at least {}.'],
	['a line end only', '\r\n', 'error 1:1 The file is empty; it needs at least {}.'],
	['a list', '[1]', 'error 1:1 expected an object in braces at the top of the file, not a list'],
	['a text', '\n"x"', 'error 2:1 expected an object in braces at the top of the file, not a string'],
	[
		'cut off in an object',
		'{ "servers": {\n "a": {',
		'error 2:8 The file ends too early: expected a closing brace }.',
	],
	['cut off in a text', '{ "servers": {\n "a', 'error 2:2 expected a closing double quote on the same line'],
	[
		'cut off after a name',
		'{\n "servers"',
		'error 2:11 The file ends too early: expected a colon after the name.',
	],
	['a comma missing', '{ "a": 1\n "b": 2 }', 'error 2:2 expected a comma before the next entry'],
	[
		'a name without quotes',
		'{ servers: {} }',
		'error 1:3 this is not JSON; strings and keys need double quotes',
	],
	['more after the end', '{}\n{}', 'error 2:1 expected nothing more after the closing brace'],
	['NUL', '{\n"a": "\0" }', 'error 2:7 The file contains a NUL character; save it as UTF-8 text.'],
	[
		'far too long',
		`{ "$schema": "${'x'.repeat(1_000_000)}" }`,
		'error 1:1 The file has 1000017 characters; at most 150000 are read. Split it: each folder of the workspace can have a file, and the user one more.',
	],
	['too deep', `{\n"a": ${'['.repeat(64)}`, 'error 2:69 nested deeper than 64 levels'],
	['far too deep', `{\n"a": ${'['.repeat(100_000)}`, 'error 2:69 nested deeper than 64 levels'],
	['a NUL at the end', '{}\0', 'error 1:3 The file contains a NUL character; save it as UTF-8 text.'],
	[
		'UTF-16',
		new TextDecoder().decode(Buffer.from('\uFEFF{ "servers": {} }', 'utf16le')),
		'error 1:4 The file contains a NUL character; save it as UTF-8 text.',
	],
	['a number', '5', 'error 1:1 expected an object in braces at the top of the file, not a number'],
	['null', 'null', 'error 1:1 expected an object in braces at the top of the file, not null'],
];

/** Faults of a file as a whole that can still be read, and of its keys. */
export const fileFaults: readonly Fault[] = [
	['not UTF-8', '{ // caf\uFFFD\n}', 'warning 1:9 This character is not UTF-8; save the file as UTF-8 text.'],
	[
		'same key twice',
		'{ "servers": {},\n"servers": {} }',
		'warning 2:1 servers: duplicate name; the first one is used, this one is ignored',
	],
	[
		'unknown key',
		stdio('"defer_laoding": true'),
		'warning 4:1 servers.w.defer_laoding: unknown key, ignored; did you mean "defer_loading"?',
	],
	[
		'unknown key in another style',
		stdio('"deferLoading": true'),
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
		'server in two sections',
		'{ "servers": { "w": { "command": "x" } },\n"mcpServers": { "w": { "command": "y" } } }',
		'warning 2:17 mcpServers.w: also in servers, which takes precedence; this entry is ignored',
	],
	[
		'same key twice in an entry',
		stdio('"command": "y"'),
		'warning 4:1 servers.w.command: duplicate name; the first one is used, this one is ignored',
	],
	[
		'same key twice, one of them escaped',
		'{ "servers": {},\n"server\\u0073": {} }',
		'warning 2:1 servers: duplicate name; the first one is used, this one is ignored',
	],
	[
		'__proto__ deep inside',
		stdio('"__proto__": { "command": "y" }'),
		'warning 4:1 servers.w.__proto__: unknown key, ignored',
	],
	[
		'unknown key that other programs know',
		server('"cmd": "x"'),
		'error 2:1 servers.w: needs "command" to start a process, or "url" of a remote server',
		'warning 3:1 servers.w.cmd: unknown key, ignored; did you mean "command"?',
	],
];

/** Values of the wrong type or out of range. */
export const valueFaults: readonly Fault[] = [
	[
		'"true" for true',
		stdio('"defer_loading": "true"'),
		'error 4:18 servers.w.defer_loading: expected true or false, not a string; remove the quotes',
	],
	[
		'word for true',
		stdio('"defer_loading": "yes"'),
		'error 4:18 servers.w.defer_loading: expected true or false, not a string',
	],
	[
		'nothing where a flag stands',
		stdio('"defer_loading": null'),
		'error 4:18 servers.w.defer_loading: expected true or false, not null',
	],
	[
		'one tool pinned without a list',
		stdio('"pinned": "read"'),
		'error 4:11 servers.w.pinned: expected true, false or a list of tool names',
	],
	[
		'alias that is overruled',
		'{ "lazy_mcp": false, "tool_discovery": { "enabled": true } }',
		'warning 1:15 lazy_mcp: has no effect together with tool_discovery.enabled, which takes precedence',
	],
	[
		'pinned with a number',
		stdio('"pinned": ["a", 1]'),
		'error 4:17 servers.w.pinned[1]: expected a string, not a number; put it in quotes',
	],
	[
		'number out of range',
		'{ "tool_discovery": { "max_search_results": 26 } }',
		'warning 1:45 tool_discovery.max_search_results: expected a whole number from 1 to 25; 25 is used',
	],
	[
		'number with a fraction',
		'{ "tool_discovery": { "max_active_schemas": 1.5 } }',
		'error 1:45 tool_discovery.max_active_schemas: expected a whole number from 1, or null for no limit',
	],
	[
		'number in quotes',
		'{ "tool_discovery": { "max_manifest_tokens": "2500" } }',
		'error 1:46 tool_discovery.max_manifest_tokens: expected a whole number from 200 to 20000',
	],
	[
		'call that comes to nothing known',
		'{ "tool_discovery": { "on_undiscovered_call": "load" } }',
		'error 1:47 tool_discovery.on_undiscovered_call: unknown value "load", expected "error" or "activate"',
	],
	[
		'number beyond all numbers',
		'{ "tool_discovery": { "max_search_results": 1e999 } }',
		'error 1:45 tool_discovery.max_search_results: expected a whole number from 1 to 25',
	],
	[
		'number below nothing',
		'{ "tool_discovery": { "prefetch": -1 } }',
		'warning 1:35 tool_discovery.prefetch: expected a whole number from 0 to 5; 0 is used',
	],
	[
		'"false" for false',
		'{ "tool_discovery": { "enabled": "false" } }',
		'error 1:34 tool_discovery.enabled: expected true, false or "auto", not a string; remove the quotes',
	],
	[
		'number for a flag',
		stdio('"defer_loading": 1'),
		'error 4:18 servers.w.defer_loading: expected true or false, not a number',
	],
	[
		'settings of the wrong type',
		'{ "tool_discovery": true }',
		'error 1:21 tool_discovery: expected an object, not true',
	],
];
