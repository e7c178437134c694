import type { Fault } from './fault.ts';

/** Names that a server cannot have, or better had not. */
export const nameFaults: readonly Fault[] = [
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
		'error 1:16 servers["a\\u0007"]: the name of a server can hold no control characters and no invisible ones',
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
		'name of one dot',
		'{ "servers": { ".": { "command": "x" } } }',
		'error 1:16 servers["."]: no server can have this name; choose another',
	],
	[
		'name with a backslash',
		'{ "servers": { "a\\\\b": { "command": "x" } } }',
		'error 1:16 servers["a\\\\b"]: the name of a server can hold no slashes',
	],
	[
		'name with what nobody sees',
		'{ "servers": { "a\\u200Bb": { "command": "x" } } }',
		'error 1:16 servers["a\\u{200B}b"]: the name of a server can hold no control characters and no invisible ones',
	],
	[
		'name with a sign without ink',
		'{ "servers": { "a\\u2800": { "command": "x" } } }',
		`error 1:16 servers["a\\u{2800}"]: the name of a server can hold no control characters and no invisible ones`,
	],
	[
		'name with a selector of another look',
		'{ "servers": { "a\\uFE00": { "command": "x" } } }',
		`error 1:16 servers["a\\u{FE00}"]: the name of a server can hold no control characters and no invisible ones`,
	],
	[
		'name with tag characters',
		'{ "servers": { "a\u{E0041}": { "command": "x" } } }',
		'error 1:16 servers["a\\u{E0041}"]: the name of a server can hold no control characters and no invisible ones',
	],
	[
		'name that turns the text around',
		'{ "servers": { "a\\u202Eb": { "command": "x" } } }',
		'error 1:16 servers["a\\u{202E}b"]: the name of a server can hold no control characters and no invisible ones',
	],
	[
		'name of a prototype',
		'{ "servers": { "__proto__": { "command": "x" } } }',
		'error 1:16 servers.__proto__: no server can have this name; choose another',
	],
	[
		'name of the tool that calls',
		'{ "servers": { "call_tool": { "command": "x" } } }',
		'error 1:16 servers.call_tool: this is the name of one of the extension’s own tools; choose another',
	],
	[
		'names that differ in case',
		'{ "servers": { "Files": { "command": "x" }, "files": { "command": "x" } } }',
		'warning 1:45 servers.files: a model can hardly tell this from "Files"',
	],
	[
		'names that are composed otherwise',
		'{ "servers": { "caf\u00E9": { "command": "x" }, "cafe\u0301": { "command": "x" } } }',
		'warning 1:44 servers["café"]: a model can hardly tell this from "café"',
	],
];
