import { type Fault, server, stdio } from '../fixtures.ts';

/** Files that cannot be read. */
export const unreadableFiles: readonly Fault[] = [
	['empty', ''],
	['comments only', '// nothing\n'],
	['a line end only', '\r\n'],
	['a list', '[1]'],
	['a text', '\n"x"'],
	['cut off in an object', '{ "servers": {\n "a": {'],
	['cut off in a text', '{ "servers": {\n "a'],
	['cut off after a name', '{\n "servers"'],
	['a comma missing', '{ "a": 1\n "b": 2 }'],
	['a name without quotes', '{ servers: {} }'],
	['more after the end', '{}\n{}'],
	['NUL', '{\n"a": "\0" }'],
	['far too long', `{ "$schema": "${'x'.repeat(1_000_000)}" }`],
	['too deep', `{\n"a": ${'['.repeat(64)}`],
	['far too deep', `{\n"a": ${'['.repeat(100_000)}`],
	['a NUL at the end', '{}\0'],
	['UTF-16', new TextDecoder().decode(Buffer.from('\uFEFF{ "servers": {} }', 'utf16le'))],
	['a number', '5'],
	['null', 'null'],
];

/** Faults of a file as a whole that can still be read, and of its keys. */
export const fileFaults: readonly Fault[] = [
	['not UTF-8', '{ // caf\uFFFD\n}'],
	['same key twice', '{ "servers": {},\n"servers": {} }'],
	['unknown key', stdio('"defer_laoding": true')],
	['unknown key in another style', stdio('"deferLoading": true')],
	['unknown key at the top', '{ "server": {} }'],
	['unknown key like nothing else', '{ "zzz": {} }'],
	['constructor as a key', '{ "constructor": {}, "__proto__": { "lazy_mcp": true } }'],
	['section of the wrong type', '{ "servers": [] }'],
	[
		'server in two sections',
		'{ "servers": { "w": { "command": "x" } },\n"mcpServers": { "w": { "command": "y" } } }',
	],
	['same key twice in an entry', stdio('"command": "y"')],
	['same key twice, one of them escaped', '{ "servers": {},\n"server\\u0073": {} }'],
	['__proto__ deep inside', stdio('"__proto__": { "command": "y" }')],
	['unknown key that other programs know', server('"cmd": "x"')],
];

/** Values of the wrong type or out of range. */
export const valueFaults: readonly Fault[] = [
	['"true" for true', stdio('"defer_loading": "true"')],
	['word for true', stdio('"defer_loading": "yes"')],
	['nothing where a flag stands', stdio('"defer_loading": null')],
	['one tool pinned without a list', stdio('"pinned": "read"')],
	['alias that is overruled', '{ "lazy_mcp": false, "tool_discovery": { "enabled": true } }'],
	['pinned with a number', stdio('"pinned": ["a", 1]')],
	['number out of range', '{ "tool_discovery": { "max_search_results": 26 } }'],
	['number with a fraction', '{ "tool_discovery": { "max_active_schemas": 1.5 } }'],
	['number in quotes', '{ "tool_discovery": { "max_manifest_tokens": "2500" } }'],
	['call that comes to nothing known', '{ "tool_discovery": { "on_undiscovered_call": "load" } }'],
	['number beyond all numbers', '{ "tool_discovery": { "max_search_results": 1e999 } }'],
	['number below nothing', '{ "tool_discovery": { "prefetch": -1 } }'],
	['"false" for false', '{ "tool_discovery": { "enabled": "false" } }'],
	['number for a flag', stdio('"defer_loading": 1')],
	['settings of the wrong type', '{ "tool_discovery": true }'],
];
