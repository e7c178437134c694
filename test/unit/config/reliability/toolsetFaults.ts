import type { Fault } from './fault.ts';

/** Faults of toolsets. */
export const toolsetFaults: readonly Fault[] = [
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
